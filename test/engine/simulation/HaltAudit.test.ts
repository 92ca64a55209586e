import { describe, expect, it } from "bun:test"
import { type CommitmentHalt, decideHalt, type HaltAsk, NOT_HALTED } from "../../../engine/arena/CommitmentHalt.ts"
import { HaltAudit } from "../../../engine/simulation/HaltAudit.ts"

/** A company's switch as the auditor hears of it. */
const audited = () => {
  const found: Array<string> = []
  let elapsed = 0
  const audit = new HaltAudit({
    report: (invariant) => void found.push(invariant),
    now: () => elapsed,
    elapsed: () => elapsed
  })
  let state: CommitmentHalt = NOT_HALTED
  const tell = (at: number, ask: HaltAsk, by: string | null = "usr_1") => {
    elapsed = at
    const { event } = decideHalt(state, ask, { companyId: "cmp_1", at, by })
    state = event
    audit.event(event)
  }
  return { audit, found, tell, pass: (at: number) => void (elapsed = at) }
}

describe("HaltAudit", () => {
  it("takes what the rules say", () => {
    const { audit, found, pass, tell } = audited()
    audit.committed("cmp_1", "com_1")
    tell(1, { act: "halt", cause: "asked" })
    expect([audit.isHalted("cmp_1"), audit.isHalted("cmp_2")]).toEqual([true, false])
    audit.committed("cmp_2", "com_2")
    tell(2, { act: "resume" })
    tell(3, { act: "deadline", deadlineAt: 50_000 })
    tell(50_000, { act: "halt", cause: "deadline" }, null)
    tell(50_001, { act: "resume" })
    tell(50_002, { act: "arm", armed: true })
    audit.restarted()
    tell(50_003, { act: "halt", cause: "restarted" }, null)
    tell(50_004, { act: "arm", armed: false }, null)
    pass(500_000)
    audit.end()
    expect(found).toEqual([])
  })

  it("finds a commitment of a company whose switch is pulled", () => {
    const { audit, found, tell } = audited()
    tell(1, { act: "halt", cause: "asked" })
    audit.committed("cmp_1", "com_1")
    expect(found).toEqual(["halt"])
  })

  it("finds what the platform pulls for no reason, too early, or never", () => {
    for (const [at, ask, by] of [
      [1, { act: "halt", cause: "asked" }, null],
      [1, { act: "halt", cause: "restarted" }, null],
      [1, { act: "halt", cause: "deadline" }, null],
      [1, { act: "resume" }, null]
    ] as const) {
      const { found, tell } = audited()
      tell(at, ask, by)
      expect(found.length).toBeGreaterThan(0)
    }
    const early = audited()
    early.tell(1, { act: "deadline", deadlineAt: 50_000 })
    early.tell(20_000, { act: "halt", cause: "deadline" }, null)
    expect(early.found).toEqual(["halt"])
    const late = audited()
    late.tell(1, { act: "deadline", deadlineAt: 50_000 })
    late.pass(111_000)
    late.audit.end()
    expect(late.found).toEqual(["halt"])
  })

  it("finds a switch that hung on a process which ended, and that nobody pulled", () => {
    const orphaned = () => {
      const one = audited()
      one.tell(1, { act: "arm", armed: true })
      one.pass(1_000)
      one.audit.restarted()
      return one
    }
    const never = orphaned()
    never.pass(200_000)
    never.audit.end()
    expect(never.found).toEqual(["halt"])
    const trading = orphaned()
    trading.pass(200_000)
    trading.audit.committed("cmp_1", "com_1")
    expect(trading.found).toEqual(["halt"])
    const late = orphaned()
    late.tell(200_000, { act: "halt", cause: "restarted" }, null)
    expect(late.found).toEqual(["halt"])
    const forgotten = orphaned()
    forgotten.tell(2_000, { act: "arm", armed: false }, null)
    expect(forgotten.found).toEqual(["halt"])
  })

  it("lets a user's own connection end beside a process, and a process end on which nothing hung", () => {
    const { audit, found, pass, tell } = audited()
    audit.restarted()
    tell(1, { act: "arm", armed: true })
    audit.restarted()
    tell(2_000, { act: "halt", cause: "disconnected" })
    tell(2_001, { act: "arm", armed: false })
    pass(500_000)
    audit.end()
    expect(found).toEqual([])
  })
})
