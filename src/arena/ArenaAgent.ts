import { Cause, Clock, Context, Duration, Effect, Layer } from "effect"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { AgentActivity } from "./AgentActivity.ts"
import * as ArenaWatch from "./ArenaWatch.ts"
import { Breakers } from "./Breakers.ts"
import * as DueOrders from "./DueOrders.ts"
import { PriceBook } from "./PriceBook.ts"
import * as SlotOpening from "./SlotOpening.ts"

/**
 * Makes the orders: one of each asset type a slot, at the safe median. Records prices, watches the breakers, and lets
 * the orders that are due take their steps.
 */
export class ArenaAgent extends Context.Service<
  ArenaAgent,
  {
    /** One round at the present time: prices, breakers, new orders, due orders. */
    readonly tick: Effect.Effect<void, Unavailable>
  }
>()("emporion/arena/ArenaAgent") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const prices = yield* PriceBook
      const breakers = yield* Breakers
      const watch = yield* ArenaWatch.make
      const opening = yield* SlotOpening.make
      const due = yield* DueOrders.make

      const tick = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* due.refresh
        const problems = yield* prices.record(now)
        yield* breakers.check([...problems, ...(yield* watch(now, due.live()))], now)
        for (const order of yield* opening(now)) due.add(order)
        yield* due.advance(now)
      }).pipe(
        Effect.onError(() => Effect.sync(due.forget)),
        Effect.withSpan("ArenaAgent.tick")
      )

      return ArenaAgent.of({ tick })
    })
  )

  /** Ticks at every price interval, through any failure. */
  static readonly running = Layer.effectDiscard(
    Effect.gen(function* () {
      const { arena } = yield* Settings
      const agent = yield* ArenaAgent
      const activity = yield* AgentActivity
      const once = agent.tick.pipe(
        Effect.catchTag("Unavailable", ({ reason }) => Effect.logWarning(`The arena's agent waits: ${reason}`)),
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.logError("The arena's agent stumbled", cause)
        )
      )
      activity.setRunning(true)
      yield* Effect.forkScoped(
        Effect.forever(Effect.andThen(once, Effect.sleep(Duration.seconds(arena.priceIntervalSeconds))))
      )
    })
  )
}
