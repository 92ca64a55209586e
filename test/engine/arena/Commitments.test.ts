import { describe, expect, it } from "bun:test"
import * as fc from "fast-check"
import { type Commitment, COMMITMENT_STATUSES, LossReason } from "../../../engine/arena/Commitment.ts"
import { type CommitmentChange, Commitments } from "../../../engine/arena/Commitments.ts"
import { fromUnits, MAX } from "../../../engine/money/Amount.ts"
import { commitment, human, machine, terms } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

const TRADERS = [human("alice"), human("bob"), machine("carol")]
const DECISIONS = ["", "dec_1", "dec_2", "dec_3"]

/** Amounts as they come from outside, the last that a double holds, and what no double does. */
const amount = fc
  .oneof(
    fc.bigInt({ min: -MAX, max: MAX }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.constant(0n)
  )
  .map(fromUnits)

const status = fc.constantFrom(...COMMITMENT_STATUSES)
const reason = fc.constantFrom(null, ...LossReason.literals)

const one = fc.record({
  proposedPrice: amount,
  exitPrice: amount,
  quantity: amount,
  slippage: amount,
  collateral: amount,
  profit: amount,
  yieldEarned: amount,
  trader: fc.constantFrom(...TRADERS),
  swapExecutor: fc.constantFrom("", "0xabc"),
  acceptedAt: fc.integer({ min: 0, max: 2 ** 45 }),
  status,
  reason
})

const change: fc.Arbitrary<CommitmentChange> = fc.record(
  { status, reason, profit: amount, yieldEarned: amount },
  { requiredKeys: [] }
)

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      add: one,
      again: fc.option(fc.nat(40), { nil: undefined, freq: 10 }),
      decision: fc.option(fc.constantFrom(...DECISIONS), { nil: undefined })
    })
  },
  { weight: 3, arbitrary: fc.record({ amend: fc.nat(40), change }) },
  { weight: 1, arbitrary: fc.constant("clear" as const) }
)

describe("Commitments", () => {
  it("are what a map of commitments is", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const kept = new Commitments(terms())
        const map = new Map<string, Commitment>()
        let ordinal = 0
        for (const taken of steps) {
          if (taken === "clear") {
            kept.clear()
            map.clear()
          } else if ("add" in taken) {
            const { again, decision } = taken
            ordinal += 1
            const added = commitment(again ?? ordinal, {
              ...taken.add,
              ...(decision !== undefined && { decisionId: decision })
            })
            kept.add(added)
            map.set(added.commitmentId, added)
          } else {
            const { commitmentId } = commitment(taken.amend)
            const before = map.get(commitmentId)
            kept.amend(commitmentId, taken.change)
            if (before !== undefined) map.set(commitmentId, { ...before, ...taken.change })
          }
          expect(kept.size).toBe(map.size)
        }
        const all = [...map.values()]
        for (const { owner } of [...TRADERS, human("dave")]) {
          expect(kept.countOf(owner)).toBe(all.filter(({ trader }) => trader.owner === owner).length)
        }
        expect([...kept.owners()].toSorted()).toEqual([...new Set(all.map(({ trader }) => trader.owner))].toSorted())
        for (const decision of DECISIONS) {
          expect(kept.hasDecision(decision)).toBe(all.some(({ decisionId }) => decisionId === decision))
        }
        expect([...kept]).toStrictEqual([...map])
        expect([...kept.values()]).toStrictEqual([...map.values()])
        expect([...kept.keys()]).toEqual([...map.keys()])
        const each: Array<[string, Commitment]> = []
        kept.forEach((found, id) => each.push([id, found]))
        expect(each).toStrictEqual([...map])
        for (let number = 0; number <= ordinal + 1; number += 1) {
          const { commitmentId } = commitment(number)
          expect(kept.get(commitmentId)).toStrictEqual(map.get(commitmentId) as Commitment)
          expect(kept.has(commitmentId)).toBe(map.has(commitmentId))
        }
      }),
      property()
    )
  })
})
