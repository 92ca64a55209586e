import { Clock, Context, Effect, Layer } from "effect"
import { nextStep } from "../../engine/payments/PaymentStep.ts"
import type { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import { lookForDispute } from "./DisputeMonitor.ts"
import { nextLook } from "./PaymentBackoff.ts"
import { KeyedLock } from "../../engine/actor/KeyedLock.ts"
import type { PaymentProviders } from "./PaymentProviders.ts"
import { PaymentScheduleRepository } from "./PaymentScheduleRepository.ts"
import { PaymentSituations } from "./PaymentSituations.ts"
import { perform } from "./PaymentSteps.ts"

/** Most steps of one go: a payment has less than ten, and each refund three. */
const MAX_STEPS = 40

/** A payment at rest comes due again after this, in milliseconds, unless it is seen to be at rest. */
const LEASE = 60_000

type Services = PaymentProviders | PaymentScheduleRepository | PaymentSituations | PurchaseOrders | UnitOfWork

/** Lets a payment rest, unless something was recorded since it was looked at: false then. */
const rest = Effect.fnUntraced(function* (paymentId: string) {
  const schedule = yield* PaymentScheduleRepository
  const now = yield* Clock.currentTimeMillis
  const lease = yield* schedule.lease(paymentId, now + LEASE)
  const after = yield* Effect.flatMap(PaymentSituations, ({ find }) => find(paymentId))
  if (after === undefined) return true
  const step = nextStep(after.state, after.takes)
  if (step !== undefined && step._tag !== "LookForDispute") return false
  const { capturedAt } = after.state
  yield* schedule.release(paymentId, lease, step === undefined ? undefined : nextLook(capturedAt ?? now, now))
  return true
})

/** One step; false where the payment rests. */
const go = Effect.fnUntraced(function* (paymentId: string, looks: boolean) {
  const situation = yield* Effect.flatMap(PaymentSituations, ({ find }) => find(paymentId))
  if (situation === undefined) return false
  const step = nextStep(situation.state, situation.takes)
  if (step === undefined) return !(yield* rest(paymentId))
  if (step._tag === "LookForDispute") return (looks && (yield* lookForDispute(situation))) || !(yield* rest(paymentId))
  return (yield* perform(situation, step)) === "done"
})

/** What is recorded in between means to look again. The rules of payment and ledger leave nothing else to refuse. */
const goOn = Effect.fnUntraced(function* (paymentId: string, looks: boolean) {
  const once = go(paymentId, looks).pipe(
    Effect.catchTag("StaleVersion", () => Effect.succeed(true)),
    Effect.catch((error) => (error._tag === "Unavailable" ? Effect.fail(error) : Effect.die(error)))
  )
  for (let steps = 0; steps < MAX_STEPS; steps++) if (!(yield* once)) return
})

/**
 * Takes payments as far as they go: asks their providers, records the answers, lets the orders take the money, and sends
 * back what they do not need. Where a provider gives no answer, the payment comes due again later, and the same request
 * is made under the same key. What is to be done follows from what is recorded, so it goes on after a crash at any point.
 */
export class PaymentDriver extends Context.Service<
  PaymentDriver,
  {
    /** Goes on with a payment until nothing is left to do now, once whoever is at it has ended. */
    readonly drive: (paymentId: string) => Effect.Effect<void, Unavailable>
    /** Goes on with a payment unless somebody is at it, and looks for disputes. */
    readonly resume: (paymentId: string) => Effect.Effect<void, Unavailable>
  }
>()("emporion/payments/PaymentDriver") {
  static readonly layer: Layer.Layer<PaymentDriver, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      const locks = new KeyedLock()
      const alone = (paymentId: string, looks: boolean) =>
        locks.with(paymentId, Effect.provideContext(goOn(paymentId, looks), context))
      return PaymentDriver.of({
        drive: Effect.fn("PaymentDriver.drive")((paymentId) => alone(paymentId, false)),
        resume: Effect.fn("PaymentDriver.resume")((paymentId) =>
          locks.isHeld(paymentId) ? Effect.void : alone(paymentId, true)
        )
      })
    })
  )
}
