import { Cause, Clock, Context, Duration, Effect, Layer, Semaphore } from "effect"
import { RequestUsage } from "../http/RequestUsage.ts"
import { UsageCounts } from "./UsageCounts.ts"
import { UsageRepository } from "./UsageRepository.ts"

/** What a crash can lose, and how late a figure can be. */
export const FLUSH_INTERVAL = Duration.seconds(10)

/** Rows of one statement. */
const ROWS = 256

/**
 * Counts requests in memory, and adds the counts to the database. What cannot be written is kept for the next time. A
 * commit whose answer is lost is written twice: these are statistics.
 */
export class UsageRecorder extends Context.Service<
  UsageRecorder,
  {
    readonly counts: UsageCounts
    /** Writes what was counted until now. */
    readonly flush: Effect.Effect<void>
  }
>()("emporion/analytics/UsageRecorder") {
  /** Writes what is left when the server has stopped. */
  static readonly layer: Layer.Layer<UsageRecorder, never, UsageRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const repository = yield* UsageRepository
      const counts = new UsageCounts(() => clock.currentTimeMillisUnsafe())
      const alone = yield* Semaphore.make(1)

      const flush = Effect.suspend(() => {
        const taken = counts.take()
        const parts = Array.from({ length: Math.ceil(taken.length / ROWS) }, (_, part) =>
          taken.slice(part * ROWS, (part + 1) * ROWS)
        )
        return Effect.forEach(
          parts,
          (part) =>
            repository.add(part).pipe(
              Effect.catchCause((cause) => {
                counts.restore(part)
                return Cause.hasInterrupts(cause)
                  ? Effect.failCause(cause as Cause.Cause<never>)
                  : Effect.logWarning("Usage counts wait to be written", cause)
              })
            ),
          { discard: true }
        )
      }).pipe(alone.withPermits(1), Effect.uninterruptible)

      yield* Effect.addFinalizer(() => flush)
      return UsageRecorder.of({ counts, flush })
    })
  )

  /** Has the server count its requests here. */
  static readonly counting: Layer.Layer<never, never, UsageRecorder> = Layer.effect(
    RequestUsage,
    Effect.map(UsageRecorder, ({ counts }) => RequestUsage.of((...request) => counts.count(...request)))
  )

  /** Flushes every {@link FLUSH_INTERVAL}. */
  static readonly running: Layer.Layer<never, never, UsageRecorder> = Layer.effectDiscard(
    Effect.flatMap(UsageRecorder, ({ flush }) =>
      Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(FLUSH_INTERVAL), flush)))
    )
  )
}
