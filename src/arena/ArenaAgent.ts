import { Context, Duration, Effect, Layer } from "effect"
import { AgentTick } from "../../engine/arena/AgentTick.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as Worker from "../Worker.ts"
import { AgentActivity } from "./AgentActivity.ts"
import * as AgentWorld from "./AgentWorld.ts"

/**
 * Makes the orders: one of each asset type a slot, at the safe median. Records prices, watches the breakers, and lets
 * the orders that are due take their steps.
 */
export class ArenaAgent extends Context.Service<
  ArenaAgent,
  {
    /** One round at the present time: prices, breakers, new orders, due orders. */
    readonly tick: Effect.Effect<void, Unavailable>
    /** The same without new orders. */
    readonly tickWithoutOrders: Effect.Effect<void, Unavailable>
    /** The earliest time after a time at which a live order has a step to take; undefined where there is none. */
    readonly next: (now: number) => number | undefined
  }
>()("emporion/arena/ArenaAgent") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const agent = new AgentTick(yield* AgentWorld.make)
      return ArenaAgent.of({
        tick: Effect.withSpan(agent.once, "ArenaAgent.tick"),
        tickWithoutOrders: Effect.withSpan(agent.onceWithoutOrders, "ArenaAgent.tickWithoutOrders"),
        next: (now) => agent.next(now)
      })
    })
  )

  /** Ticks at every price interval, through any failure. */
  static readonly running = Layer.effectDiscard(
    Effect.gen(function* () {
      const { arena } = yield* Settings
      const agent = yield* ArenaAgent
      const activity = yield* AgentActivity
      activity.setRunning(true)
      const pause = Duration.seconds(arena.priceIntervalSeconds)
      yield* Worker.due(pause, "The arena's agent", agent.tick, { step: agent.tickWithoutOrders, next: agent.next })
    })
  )
}
