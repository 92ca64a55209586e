import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { VaultDoor } from "../../../engine/simulation/VaultDoor.ts"
import { companyWorld } from "../../lib/CompanyWorld.ts"

describe("VaultDoor", () => {
  it("records that the vault is closed and opened again", () => {
    const { fork, journal, run } = companyWorld()
    const door = new VaultDoor(journal, fork)
    for (const closed of [true, false]) {
      door.turn(closed)
      run(Effect.sleep(1_000))
    }
    expect(journal.events.map(({ data }) => JSON.parse(data).closed)).toEqual([true, false])
  })
})
