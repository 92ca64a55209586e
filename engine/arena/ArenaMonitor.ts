import { Effect } from "effect"
import { isOverdue, type Problem } from "./CircuitBreaker.ts"
import type { DueOrder } from "./DueOrders.ts"
import type { Median } from "./Median.ts"

/** Who can tell what may be wrong; `Failure` is a world that does not answer now. */
export interface WatchWorld<Failure> {
  /** Whether the ledger adds up. Reads all of it. */
  readonly isBalanced: Effect.Effect<boolean, Failure>
  /** The recorded medians of an asset from a time on, ascending. */
  readonly since: (asset: string, from: number) => Effect.Effect<ReadonlyArray<Median>, Failure>
}

/** How often the ledger is checked, in milliseconds. */
const AUDIT_MILLIS = 60_000

/** What is wrong beside the prices: a ledger out of balance, orders long past due. */
export class ArenaMonitor<Failure> {
  readonly #world: WatchWorld<Failure>
  #auditedAt = 0

  constructor(world: WatchWorld<Failure>) {
    this.#world = world
  }

  readonly look = Effect.fnUntraced(function* (
    this: ArenaMonitor<Failure>,
    now: number,
    live: ReadonlyArray<DueOrder>
  ): Effect.fn.Return<ReadonlyArray<Problem>, Failure> {
    const { isBalanced } = this.#world
    const problems: Array<Problem> = []
    if (now - this.#auditedAt >= AUDIT_MILLIS) {
      // Told once: the breaker latches, and a finding that is held would undo the reset of a ledger that was mended.
      if (!(yield* isBalanced)) problems.push({ scope: "global", reason: "ledger_imbalance" })
      this.#auditedAt = now
    }
    const overdue = live.filter(({ settlementAt }) => isOverdue(settlementAt, now))
    const late = yield* Effect.forEach(overdue, (order) => this.#isLate(order, now))
    if (late.includes(true)) problems.push({ scope: "global", reason: "order_overdue" })
    return problems
  })

  /** Whether an order that is past due could have been settled long ago. */
  readonly #isLate = Effect.fnUntraced(function* (
    this: ArenaMonitor<Failure>,
    { asset, settlementAt }: DueOrder,
    now: number
  ): Effect.fn.Return<boolean, Failure> {
    const recorded = yield* this.#world.since(asset, settlementAt)
    const final = recorded.find(({ safe }) => safe)
    return final !== undefined && isOverdue(final.at, now)
  })
}
