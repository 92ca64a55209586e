import { Cause, Clock, Context, Duration, Effect, Exit, Layer, Semaphore } from "effect"
import * as Worker from "../Worker.ts"
import { RequestUsage } from "../http/RequestUsage.ts"
import { type CountedUsage, UsageCounts } from "./UsageCounts.ts"
import { UsageRepository } from "./UsageRepository.ts"

/** What a crash can lose, and how late a figure can be. */
export const FLUSH_INTERVAL = Duration.seconds(10)

/** How long the end of the server waits for the last one. */
const LAST_FLUSH = Duration.seconds(2)

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

      /** Writes what was taken, and takes back what was not written. */
      const write = (taken: ReadonlyArray<CountedUsage>) => {
        let written = 0
        return Effect.gen(function* () {
          while (written < taken.length) {
            yield* repository.add(taken.slice(written, written + ROWS))
            written += ROWS
          }
        }).pipe(
          Effect.onExit((exit) => Effect.sync(() => Exit.isFailure(exit) && counts.restore(taken.slice(written))))
        )
      }

      const flush = Effect.suspend(() => write(counts.take())).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.logWarning("Usage counts wait to be written", cause)
        ),
        alone.withPermits(1)
      )

      yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(flush), LAST_FLUSH))
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
    Effect.flatMap(UsageRecorder, ({ flush }) => Worker.every(FLUSH_INTERVAL, "Usage counts", flush))
  )
}
