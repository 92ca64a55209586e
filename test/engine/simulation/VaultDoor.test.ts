import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VaultDoor } from "../../../engine/simulation/VaultDoor.ts"
import { companyWorld } from "../../lib/CompanyWorld.ts"

describe("VaultDoor", () => {
  it("records that the vault is closed and opened again", () => {
    const { clock, fork, journal, listen, run } = companyWorld()
    const door = new VaultDoor({ clock, journal, fork }, new SeededRandom(1, "vault"))
    listen((recorded) => door.committed(recorded))
    const told: Array<number> = []
    for (const closed of [true, false]) {
      door.turn(closed, () => told.push(journal.lastSeq))
      run(Effect.sleep(3_000))
    }
    expect(journal.events.map(({ data }) => JSON.parse(data).closed)).toEqual([true, false])
    expect(told).toEqual([1])
  })

  it("tells nobody that it was closed where it was open again before anything was recorded", () => {
    const { clock, fork, journal, listen, run } = companyWorld()
    const lost = Effect.fail(new JournalUnavailable({ reason: "nothing answers" }))
    const door = new VaultDoor({ clock, journal: { append: () => lost }, fork }, new SeededRandom(1, "vault"))
    listen((recorded) => door.committed(recorded))
    const told: Array<number> = []
    door.turn(true, () => told.push(1))
    run(Effect.sleep(3_000))
    door.turn(false)
    run(Effect.sleep(60_000))
    expect([told, journal.events]).toEqual([[], []])
  })
})
