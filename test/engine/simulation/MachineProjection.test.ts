import { describe, expect, it } from "bun:test"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { MachineProjection } from "../../../engine/simulation/MachineProjection.ts"
import { registered, retired } from "../../lib/MachineCases.ts"

const after = (...events: ReadonlyArray<PlatformEvent>) => {
  const projection = new MachineProjection()
  projection.apply(events.map((event, index) => ({ event, seq: index + 1 })) as never)
  return projection
}

describe("MachineProjection", () => {
  it("has who was active for a type, from a registration to a retirement", () => {
    const projection = after(registered("mtr_1", "cmp_1", 10), registered("mtr_2", "cmp_2", 20), retired("mtr_1", 30))
    expect(projection.activeOwners("fx", 0, 10)).toEqual([])
    expect(projection.activeOwners("fx", 0, 21)).toEqual(["cmp_1", "cmp_2"])
    expect(projection.activeOwners("fx", 30, 40)).toEqual(["cmp_2"])
    expect(projection.activeOwners("gpu", 0, 40)).toEqual([])
    expect([projection.capableCount("fx"), projection.capableCount("gpu")]).toEqual([1, 0])
  })

  it("knows a machine as whoever commits as it is checked", () => {
    const projection = after(registered("mtr_1", "cmp_1", 10), retired("mtr_1", 30), retired("mtr_3", 30))
    expect(projection.machine("mtr_1")).toEqual({
      id: "mtr_1",
      owner: "cmp_1",
      userId: "usr_cmp_1",
      address: "0x1",
      isBot: false,
      isActive: false
    })
    expect(projection.machine("mtr_3")).toBeUndefined()
  })
})
