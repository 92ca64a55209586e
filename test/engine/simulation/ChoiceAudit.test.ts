import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { FAIRNESS_RULES } from "../../../engine/arena/Fairness.ts"
import type { CompetitionInput } from "../../../engine/arena/Winner.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import {
  anyField,
  commitment,
  human,
  NO_MACHINES,
  OPENING,
  OWNERS,
  terms,
  tieHash,
  usd
} from "../../lib/ArenaArbitraries.ts"
import { brokenBy, choiceOf } from "../../lib/AuditedChoices.ts"
import { property } from "../../lib/Property.ts"

const EXPIRY = OPENING + 900_000

/** Two equal bids and a lower one. */
const field: CompetitionInput = {
  terms: terms(),
  reference: usd("100"),
  commitments: [
    commitment(1, { trader: human("alice") }),
    commitment(2, { trader: human("bob") }),
    commitment(3, { trader: human("carol"), proposedPrice: usd("101") })
  ],
  machineOwners: new Set(),
  rule: "weighted",
  register: NO_MACHINES,
  tieHash
}
const right = choiceOf(field, EXPIRY)
const ids = right.ranking.map(({ commitmentId }) => commitmentId)

const counts = fc.nat(6).chain((orders) => fc.record({ orders: fc.constant(orders), committed: fc.nat(orders) }))

/** A field with what the registry says of its machines. */
const anyRegistered: fc.Arbitrary<CompetitionInput> = fc
  .tuple(
    anyField,
    fc.constantFrom(...FAIRNESS_RULES),
    fc.nat(6),
    fc.array(fc.tuple(fc.constantFrom(...OWNERS), counts))
  )
  .map(([input, rule, idle, turnout]) => {
    const bots = new Set(Array.from(input.commitments, ({ trader }) => trader.botId))
    bots.delete(null)
    const register = {
      ...NO_MACHINES,
      capable: bots.size + idle,
      committed: bots.size,
      turnout: new Map(turnout)
    }
    return { ...input, rule, register }
  })

describe("ChoiceAudit", () => {
  it("agrees with the engine on every field, in each reading of the 3/4 rule", () => {
    fc.assert(
      fc.property(anyRegistered, (input) => {
        expect(brokenBy(input, choiceOf(input, EXPIRY))).toEqual([])
      }),
      property()
    )
  })

  it("sees a choice by another reading of the 3/4 rule", () => {
    for (const rule of FAIRNESS_RULES.slice(1)) {
      expect(brokenBy({ ...field, rule }, choiceOf({ ...field, rule }, EXPIRY))).toEqual([])
      expect(brokenBy(field, { ...right, fairness: { ...right.fairness, rule } })).toEqual(["fairness"])
    }
  })

  it("sees another winner, also the wrong one of a tie", () => {
    for (const winner of [ids[1]!, ids[2]!, null]) {
      expect(brokenBy(field, { ...right, winner })).toContain("winner")
    }
  })

  it("sees another clearing price", () => {
    expect(brokenBy(field, { ...right, clearingPrice: fromUnits(right.clearingPrice! + 1n) })).toEqual([
      "clearing_price"
    ])
    expect(brokenBy(field, { ...right, clearingPrice: null })).toEqual(["clearing_price"])
  })

  it("sees a reference that is not the first safe price", () => {
    expect(brokenBy(field, right, usd("100.5"))).toEqual(["reference"])
    expect(brokenBy(field, { ...right, referenceAt: EXPIRY + 1 })).toEqual(["reference"])
  })

  it("sees a wrong weight of machines", () => {
    expect(brokenBy(field, { ...right, fairness: { ...right.fairness, machines: 1n } })).toEqual(["fairness"])
  })

  it("sees a ranking with a wrong reason, score or order, or somebody missing", () => {
    const [first, second, third] = right.ranking
    for (const ranking of [
      [first!, { ...second!, reason: "ARENA_007" as const }, third!],
      [first!, { ...second!, score: 0n }, third!],
      [first!, third!, second!],
      [first!, second!],
      [first!, second!, second!]
    ]) {
      expect(brokenBy(field, { ...right, ranking })).toContain("ranking")
    }
  })
})
