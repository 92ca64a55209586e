import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VaultDoor } from "../../../engine/simulation/VaultDoor.ts"
import { companyWorld } from "../../lib/CompanyWorld.ts"

describe("VaultDoor", () => {
  it("records that the vault is closed and opened again", () => {
    const { clock, fork, journal, run } = companyWorld()
    const door = new VaultDoor({ clock, journal, fork }, new SeededRandom(1, "vault"))
    for (const closed of [true, false]) {
      door.turn(closed)
      run(Effect.sleep(3_000))
    }
    expect(journal.events.map(({ data }) => JSON.parse(data).closed)).toEqual([true, false])
  })
})
