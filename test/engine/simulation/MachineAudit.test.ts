import { describe, expect, it } from "bun:test"
import { MachineAudit } from "../../../engine/simulation/MachineAudit.ts"
import { MachineProjection } from "../../../engine/simulation/MachineProjection.ts"
import type { Wire } from "../../../engine/simulation/NaiveOrder.ts"
import { commitment, machine } from "../../lib/ArenaArbitraries.ts"
import { registered, retired } from "../../lib/MachineCases.ts"

const wire = <T>(value: T): Wire<T> =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one)))

const audited = () => {
  const found: Array<string> = []
  return { audit: new MachineAudit((invariant) => void found.push(invariant)), found }
}

const committedAs = (botId: string) => wire(commitment(1, { trader: { ...machine("cmp_1"), botId } }))

describe("MachineAudit", () => {
  it("knows who was active when, as what follows the events does", () => {
    const { audit, found } = audited()
    const projection = new MachineProjection()
    const events = [registered("mtr_1", "cmp_1", 10), registered("mtr_2", "cmp_2", 20), retired("mtr_1", 30)]
    for (const [index, event] of events.entries()) {
      audit.event(wire(event))
      projection.apply([{ event, seq: index + 1, stream: "", version: 1, hash: "", data: "" }] as never)
      for (const [from, to] of [
        [0, 10],
        [0, 11],
        [25, 30],
        [30, 40]
      ] as const) {
        expect(audit.owners("fx", from, to)).toEqual(projection.activeOwners("fx", from, to))
      }
      expect(audit.capable("fx")).toBe(projection.capableCount("fx"))
    }
    expect([audit.owners("fx", 30, 40), audit.owners("gpu", 0, 40)]).toEqual([["cmp_2"], []])
    expect([projection.machine("mtr_1")?.isActive, projection.machine("mtr_2")?.isActive]).toEqual([false, true])
    expect([audit.capable("fx"), projection.machine("mtr_3"), found]).toEqual([1, undefined, []])
  })

  it("finds a commitment of one that is retired", () => {
    const { audit, found } = audited()
    audit.event(wire(registered("mtr_1", "cmp_1", 10)))
    audit.committed(committedAs("mtr_1"))
    expect(found).toEqual([])
    audit.event(wire(retired("mtr_1", 30)))
    audit.committed(committedAs("mtr_1"))
    expect(found).toEqual(["machine"])
  })

  it("finds what is registered twice, and what is retired without having been there", () => {
    const twice = audited()
    twice.audit.event(wire(registered("mtr_1", "cmp_1", 10)))
    twice.audit.event(wire(registered("mtr_1", "cmp_1", 11)))
    const never = audited()
    never.audit.event(wire(retired("mtr_1", 30)))
    expect([twice.found, never.found]).toEqual([["machine"], ["machine"]])
  })
})
