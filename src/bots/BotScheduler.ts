import { Cause, Context, Duration, Effect, Layer, Queue } from "effect"
import { BotRegistry, type Waking } from "../../engine/bots/BotRegistry.ts"
import { Breakers } from "../arena/Breakers.ts"
import { SafePrices } from "../arena/SafePrices.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { BotActors } from "./BotActors.ts"
import { BotRecallRepository } from "./BotRecallRepository.ts"

/** Bots that are woken at the same time. */
const CONCURRENCY = 32

/** The wait before bots that could not be woken are woken again; it doubles while there are any, up to a minute. */
const MIN_RETRY = Duration.seconds(1)
const MAX_RETRY = Duration.minutes(1)

/**
 * Wakes bots when there is something for them to do: an order of their asset types, a change of their own, a breaker
 * that turned, prices of what had none. Watching costs a few words a bot, and one fiber in all.
 */
export class BotScheduler extends Context.Service<
  BotScheduler,
  {
    /** Wakes those that are to be woken now; answers how many could not be, and stay to be woken. */
    readonly round: Effect.Effect<number>
    /** Ends once there is somebody to wake. */
    readonly called: Effect.Effect<void>
  }
>()("emporion/bots/BotScheduler") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const actors = yield* BotActors
      const breakers = yield* Breakers
      const journal = yield* UnitOfWork
      const prices = yield* SafePrices
      const { living } = yield* BotRecallRepository
      const registry = new BotRegistry()
      /** Who is to be woken; each once, whether to be read anew. */
      const waiting = new Map<string, boolean>()
      const calls = yield* Queue.sliding<void>(1)

      const enter = ({ botId, reload }: Waking): void => {
        waiting.set(botId, reload || (waiting.get(botId) ?? false))
      }
      const call = (wakings: ReadonlyArray<Waking>): void => {
        wakings.forEach(enter)
        if (wakings.length > 0) Queue.offerUnsafe(calls, undefined)
      }
      const callAll = () => call(registry.active().map((botId) => ({ botId, reload: false })))

      const wake = ([botId, reload]: readonly [string, boolean]) =>
        actors.wake(botId, reload).pipe(
          Effect.catchTag("Unavailable", () => Effect.sync(() => enter({ botId, reload }))),
          Effect.catchCause((cause) =>
            Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.logError(`Bot ${botId} did not wake`, cause)
          )
        )

      yield* journal.onCommit((events) => {
        for (const { event } of events) call(registry.hear(event))
      })
      yield* breakers.onTurned(callAll)
      yield* prices.onPriced(callAll)
      // What was recorded since the reading is heard already, and stays.
      for (const bot of yield* living) registry.enter(bot)
      callAll()

      return BotScheduler.of({
        round: Effect.suspend(() => {
          const woken = [...waiting]
          waiting.clear()
          return Effect.map(
            Effect.forEach(woken, wake, { concurrency: CONCURRENCY, discard: true }),
            () => waiting.size
          )
        }),
        called: Queue.take(calls)
      })
    })
  )

  /** Wakes whoever is to be woken, for ever. */
  static readonly running = Layer.effectDiscard(
    Effect.gen(function* () {
      const { called, round } = yield* BotScheduler
      const go = (retry: Duration.Duration): Effect.Effect<never> =>
        Effect.flatMap(round, (left) =>
          left === 0
            ? Effect.andThen(called, go(MIN_RETRY))
            : Effect.andThen(Effect.timeoutOption(called, retry), go(Duration.min(Duration.times(retry, 2), MAX_RETRY)))
        )
      yield* Effect.forkScoped(Effect.andThen(called, go(MIN_RETRY)))
    })
  )
}
