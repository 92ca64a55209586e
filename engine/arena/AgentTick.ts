import { Clock, Effect } from "effect"
import { ArenaMonitor, type WatchWorld } from "./ArenaMonitor.ts"
import type { Problem } from "./CircuitBreaker.ts"
import { DueOrders, type DueWorld } from "./DueOrders.ts"
import { SlotOpening, type SlotWorld } from "./SlotOpening.ts"

/** The arena as its agent reaches it; `Failure` is a world that does not answer now. */
export interface AgentWorld<Failure> extends SlotWorld<Failure>, DueWorld<Failure>, WatchWorld<Failure> {
  /** Records a median of each asset; answers what is wrong with prices. */
  readonly record: (now: number) => Effect.Effect<ReadonlyArray<Problem>, Failure>
  /** Trips the breakers of what has a problem, and counts the rest as clean. */
  readonly check: (problems: ReadonlyArray<Problem>, now: number) => Effect.Effect<void, Failure>
}

/**
 * The arena's agent: records prices, watches the breakers, makes the orders, one of each asset type a slot, at the safe
 * median, and lets the orders that are due take their steps.
 */
export class AgentTick<Failure> {
  readonly #world: AgentWorld<Failure>
  readonly #watch: ArenaMonitor<Failure>
  readonly #opening: SlotOpening<Failure>
  readonly #due: DueOrders<Failure>

  constructor(world: AgentWorld<Failure>) {
    this.#world = world
    this.#watch = new ArenaMonitor(world)
    this.#opening = new SlotOpening(world)
    this.#due = new DueOrders(world)
  }

  /** One round at the present time. What it could not do it does in the next. */
  readonly once: Effect.Effect<void, Failure> = Effect.suspend(() => this.#round(true))

  /** The same without new orders, where time passes too fast for anybody to commit to them. */
  readonly onceWithoutOrders: Effect.Effect<void, Failure> = Effect.suspend(() => this.#round(false))

  /** The earliest time after `now` at which an order that it knows of has a step to take. */
  next(now: number): number | undefined {
    return this.#due.next(now)
  }

  #round(opens: boolean): Effect.Effect<void, Failure> {
    const round = Effect.gen({ self: this }, function* () {
      const { check, record } = this.#world
      const now = yield* Clock.currentTimeMillis
      yield* this.#due.refresh()
      const problems = yield* record(now)
      yield* check([...problems, ...(yield* this.#watch.look(now, this.#due.live))], now)
      if (opens) for (const terms of yield* this.#opening.open(now)) this.#due.add(terms)
      yield* this.#due.advance(now)
    })
    return Effect.onError(round, () => Effect.sync(() => this.#due.forget()))
  }
}
