import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { ArenaMonitor } from "../../../engine/arena/ArenaMonitor.ts"
import { OVERDUE_MILLIS } from "../../../engine/arena/CircuitBreaker.ts"
import { ONE } from "../../../engine/money/Amount.ts"
import { AgentFixture, due } from "../../lib/AgentFixture.ts"
import { itEffect } from "../../lib/Effects.ts"

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

const fixture = () => {
  const made = new AgentFixture()
  const watch = new ArenaMonitor(made.world)
  const reasons = (now: number, ...live: ReadonlyArray<ReturnType<typeof due>>) =>
    Effect.map(watch.look(now, live), (problems) => problems.map(({ reason, scope }) => `${scope}: ${reason}`))
  return { fixture: made, reasons }
}

describe("ArenaMonitor", () => {
  itEffect("looks at the whole ledger once a minute, and tells what it found when it looked", () =>
    Effect.gen(function* () {
      const { reasons, fixture: made } = fixture()
      const imbalance = ["global: ledger_imbalance"]
      expect(yield* reasons(WEEK)).toEqual([])
      made.isBalanced = false
      expect(yield* reasons(WEEK + 59_999)).toEqual([])
      expect(yield* reasons(WEEK + 60_000)).toEqual(imbalance)
      expect(yield* reasons(WEEK + 60_001)).toEqual([])
      expect(yield* reasons(WEEK + 120_000)).toEqual(imbalance)
      made.isBalanced = true
      expect(yield* reasons(WEEK + 180_000)).toEqual([])
    })
  )

  itEffect("finds orders that have had a safe final price for long and are not settled", () =>
    Effect.gen(function* () {
      const { reasons, fixture: made } = fixture()
      const order = due("one", WEEK)
      const { asset, settlementAt } = order
      const late = settlementAt + 10_000 + OVERDUE_MILLIS
      expect(yield* reasons(late + 1, order)).toEqual([])
      made.medians = [{ asset, at: settlementAt, price: ONE, safe: false }]
      expect(yield* reasons(late + 1, order)).toEqual([])
      made.medians = [...made.medians, { asset, at: settlementAt + 10_000, price: ONE, safe: true }]
      expect(yield* reasons(late, order)).toEqual([])
      expect(yield* reasons(late + 1, order)).toEqual(["global: order_overdue"])
    })
  )
})
