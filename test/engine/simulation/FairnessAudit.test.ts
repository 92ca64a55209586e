import { describe, expect, it } from "bun:test"
import { type FairnessEvidence, naiveFairness, naiveTurnout } from "../../../engine/simulation/FairnessAudit.ts"
import { type NaiveOrder, readCommitment, readOrder } from "../../../engine/simulation/NaiveOrder.ts"
import { commitment, human, machine, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { wire } from "../../lib/AuditedChoices.ts"

type Part = readonly [owner: string, isMachine: boolean, dollars: string]

/** The first twenty-five orders have expired by then. */
const UNTIL = 25

const orderOf = (parts: ReadonlyArray<Part>, openedAt = 0): NaiveOrder => {
  const order = readOrder(wire(terms({ orderId: `ord_${openedAt}`, openedAt, expiryAt: openedAt + 1 })))
  for (const [index, [owner, isMachine, dollars]] of parts.entries()) {
    const trader = isMachine ? machine(owner) : human(owner)
    const one = commitment(index + 1, { commitmentId: `com_${index}`, trader, collateral: usd(dollars) })
    order.commitments.set(one.commitmentId, readCommitment(wire(one)))
  }
  return order
}

const judged = (parts: ReadonlyArray<Part>, evidence: Partial<FairnessEvidence>) => {
  const order = orderOf(parts)
  const machines = new Set(parts.filter(([, isMachine]) => isMachine).map(([owner]) => owner))
  return naiveFairness(order, [...order.commitments.values()], machines, {
    rule: "weighted",
    machines: 0,
    turnout: new Map(),
    ...evidence
  })
}

const bot: Part = ["bot", true, "3"]
const other: Part = ["other", true, "3"]
const person: Part = ["person", false, "1"]

describe("FairnessAudit", () => {
  it("weighs each owner by its largest collateral", () => {
    expect(judged([bot, person], {})).toMatchObject({ machines: 3_000_000n, total: 4_000_000n, barred: new Set() })
    expect(judged([bot, person, ["person", false, "1.000001"]], {}).barred).toEqual(new Set(["bot"]))
    expect(judged([bot, ["bot", true, "1"], person], {}).total).toBe(4_000_000n)
  })

  it("counts machines that committed, of those that may trade", () => {
    const rule = "quorum"
    expect(judged([bot, other, bot, person], { rule, machines: 3 })).toMatchObject({ machines: 2n, total: 3n })
    expect(judged([bot, other, person], { rule, machines: 3 }).barred).toEqual(new Set(["bot", "other"]))
    expect(judged([bot, other, ["third", true, "1"], person], { rule, machines: 4 }).barred.size).toBe(0)
    expect(judged([bot, other], { rule, machines: 9 }).barred.size).toBe(0)
  })

  it("bars the machines that stayed away from more than a quarter of the last orders", () => {
    const turnout = new Map([
      ["bot", { orders: 4, committed: 3 }],
      ["other", { orders: 4, committed: 2 }]
    ])
    const found = judged([bot, other, person], { rule: "turnout", turnout })
    expect(found).toMatchObject({ machines: 1n, total: 2n, machineOwners: ["bot", "other"] })
    expect(found.barred).toEqual(new Set(["other"]))
    expect(judged([bot, other], { rule: "turnout", turnout })).toMatchObject({ machines: 2n, barred: new Set() })
  })

  it("tells the turnout of the last twenty orders of a type that had expired by then", () => {
    const expired = Array.from({ length: 25 }, (_, at): NaiveOrder => ({
      ...orderOf(at % 5 === 0 ? [bot, person] : [person], at),
      status: at === 24 ? "competing" : "settled"
    }))
    const later: NaiveOrder = { ...orderOf([bot], 30), status: "settled" }
    const machines = new Set(["bot", "idle"])
    expect(naiveTurnout([...expired, later], "fx", UNTIL, () => machines)).toEqual(
      new Map([
        ["bot", { orders: 20, committed: 4 }],
        ["idle", { orders: 20, committed: 0 }]
      ])
    )
    expect(naiveTurnout(expired, "gpu", UNTIL, () => machines)).toEqual(new Map())
  })
})
