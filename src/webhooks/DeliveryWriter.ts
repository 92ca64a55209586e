import { Cause, Context, Duration, Effect, Latch, Layer } from "effect"
import { DeliveryRepository, type KeptRecord } from "./DeliveryRepository.ts"

/** Attempts that are written in one transaction. */
export const MAX_GROUP = 1_000

/** The pause before a failed write is tried again. It doubles each time, up to the longest. */
const MIN_RETRY = Duration.millis(100)
const MAX_RETRY = Duration.seconds(5)

/** Hears of what is durable. Must not wait. */
export type WrittenListener = (records: ReadonlyArray<KeptRecord>) => void

/**
 * Writes the outcomes of attempts. Attempts that end during a transaction go into the next. Outcomes that cannot be
 * written wait until they can; each endpoint's actor limits how many that are.
 */
export class DeliveryWriter extends Context.Service<
  DeliveryWriter,
  {
    /** Takes a record to be written. */
    readonly enter: (record: KeptRecord) => void
    /** Registers who hears of what was written, until the end of the program. */
    readonly onWritten: (listener: WrittenListener) => Effect.Effect<void>
  }
>()("emporion/webhooks/DeliveryWriter") {
  static readonly layer: Layer.Layer<DeliveryWriter, never, DeliveryRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const { record } = yield* DeliveryRepository
      const waiting: Array<KeptRecord> = []
      const listeners = new Set<WrittenListener>()
      const arrival = Latch.makeUnsafe(false)

      const takeGroup = Effect.suspend(() => {
        if (waiting.length > 0) return Effect.sync(() => waiting.splice(0, MAX_GROUP))
        arrival.closeUnsafe()
        return arrival.await.pipe(
          Effect.andThen(Effect.yieldNow),
          Effect.map(() => waiting.splice(0, MAX_GROUP))
        )
      })

      /** Until it is written, through any failure. */
      const write = (group: ReadonlyArray<KeptRecord>, retry = MIN_RETRY): Effect.Effect<void> =>
        record(group).pipe(
          Effect.catchCause((cause) => {
            if (Cause.hasInterrupts(cause)) return Effect.interrupt
            const told = Effect.logWarning("What came of webhooks' deliveries waits to be written", cause)
            const longer = Duration.min(Duration.times(retry, 2), MAX_RETRY)
            return told.pipe(
              Effect.andThen(Effect.sleep(retry)),
              Effect.andThen(Effect.suspend(() => write(group, longer)))
            )
          })
        )

      yield* takeGroup.pipe(
        Effect.tap((group) => write(group)),
        Effect.map((group) => {
          for (const listener of listeners) listener(group)
        }),
        Effect.forever,
        Effect.forkScoped
      )
      return DeliveryWriter.of({
        enter: (kept) => {
          waiting.push(kept)
          arrival.openUnsafe()
        },
        onWritten: (listener) => Effect.sync(() => void listeners.add(listener))
      })
    })
  )
}
