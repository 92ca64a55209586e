import { Cause, Clock, Context, Effect, Layer } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as Worker from "../Worker.ts"
import { PaymentDriver } from "./PaymentDriver.ts"
import { PaymentScheduleRepository } from "./PaymentScheduleRepository.ts"

/** How often payments that are due are looked for. */
const INTERVAL = "1 second"

/** Payments of one round, and how many of them at once. */
const MAX_DUE = 100
const CONCURRENCY = 4

/** How long a payment rests whose step failed unexpectedly, in milliseconds. */
const AFTER_STUMBLE = 60_000

/** Goes on with payments by itself: those that a crash left, whose provider gave no answer, or whose order changed. */
export class PaymentWorker extends Context.Service<
  PaymentWorker,
  {
    /** One round at the present time; answers how many payments were due. */
    readonly tick: Effect.Effect<number, Unavailable>
  }
>()("emporion/payments/PaymentWorker") {
  static readonly layer: Layer.Layer<PaymentWorker, never, PaymentDriver | PaymentScheduleRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const driver = yield* PaymentDriver
      const schedule = yield* PaymentScheduleRepository

      /** One that stumbles does not keep the others waiting. */
      const resume = (paymentId: string) =>
        driver.resume(paymentId).pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterrupts(cause)
              ? Effect.failCause(cause)
              : Effect.andThen(
                  Effect.logError(`The payment ${paymentId} could not go on`, cause),
                  Effect.flatMap(Clock.currentTimeMillis, (now) => schedule.lease(paymentId, now + AFTER_STUMBLE))
                )
          )
        )

      const tick = Effect.gen(function* () {
        const due = yield* schedule.due(yield* Clock.currentTimeMillis, MAX_DUE)
        yield* Effect.forEach(due, resume, { concurrency: CONCURRENCY, discard: true })
        return due.length
      }).pipe(Effect.withSpan("PaymentWorker.tick"))

      return PaymentWorker.of({ tick })
    })
  )

  /** Works on for ever, through any failure. */
  static readonly running: Layer.Layer<never, never, PaymentWorker> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { tick } = yield* PaymentWorker
      yield* Worker.due(INTERVAL, "Payments", tick)
    })
  )
}
