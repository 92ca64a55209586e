import { Effect } from "effect"
import { isOverdue, type Problem } from "../../engine/arena/CircuitBreaker.ts"
import { LedgerAudit } from "../funds/LedgerAudit.ts"
import { MedianRepository } from "./MedianRepository.ts"
import type { LiveOrder } from "./OrderRepository.ts"
import { PriceBook } from "./PriceBook.ts"

/** How often the ledger is checked, and old medians are forgotten. */
const AUDIT_MILLIS = 60_000
const PRUNE_MILLIS = 3_600_000

/** How long medians are kept after their orders are settled: 7 days. */
const MEDIAN_RETENTION_MILLIS = 7 * 24 * 3_600_000

/** What is wrong beside the prices: a ledger out of balance, orders long past due. */
export const make = Effect.gen(function* () {
  const audit = yield* LedgerAudit
  const prices = yield* PriceBook
  const medians = yield* MedianRepository
  const state = { auditedAt: 0, prunedAt: 0, balanced: true }

  const isLate = Effect.fnUntraced(function* (order: LiveOrder, now: number) {
    if (!isOverdue(order.settlementAt, now)) return false
    const recorded = yield* prices.since(order.asset, order.settlementAt)
    const final = recorded.find(({ safe }) => safe)
    return final !== undefined && isOverdue(final.at, now)
  })

  return Effect.fnUntraced(function* (now: number, live: ReadonlyArray<LiveOrder>) {
    const problems: Array<Problem> = []
    if (now - state.auditedAt >= AUDIT_MILLIS) {
      const report = yield* audit.check
      state.balanced = report.balanced
      state.auditedAt = now
      if (!report.balanced) yield* Effect.logFatal("The ledger does not add up", report)
    }
    if (!state.balanced) problems.push({ scope: "global", reason: "ledger_imbalance" })
    if (now - state.prunedAt >= PRUNE_MILLIS) {
      yield* medians.prune(now - MEDIAN_RETENTION_MILLIS)
      state.prunedAt = now
    }
    const late = yield* Effect.forEach(live, (order) => isLate(order, now))
    if (late.some((yes) => yes)) problems.push({ scope: "global", reason: "order_overdue" })
    return problems
  })
})
