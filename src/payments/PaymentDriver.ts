import { Context, Effect, Layer } from "effect"
import { KeyedLock } from "../../engine/actor/KeyedLock.ts"
import { drivePayment } from "../../engine/payments/PaymentDriving.ts"
import type { PaymentWorld } from "../../engine/payments/PaymentWorld.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { record } from "./PaymentRecord.ts"
import { type PaymentLease, PaymentScheduleRepository } from "./PaymentScheduleRepository.ts"
import { PaymentSituations } from "./PaymentSituations.ts"

type Services = PaymentProviders | PaymentScheduleRepository | PaymentSituations | PurchaseOrders | UnitOfWork

/** What drives payments, as the services have it. */
const makeWorld = Effect.gen(function* () {
  const context = yield* Effect.context<UnitOfWork>()
  const { find } = yield* PaymentSituations
  const providers = yield* PaymentProviders
  const schedule = yield* PaymentScheduleRepository
  const orders = yield* PurchaseOrders
  const world: PaymentWorld<Unavailable, PaymentLease> = {
    find,
    provider: providers.find,
    pay: orders.pay,
    record: (state, event) => Effect.provideContext(record(state, event), context),
    schedule: {
      ...schedule,
      postpone: (paymentId, due, attempts, why) =>
        Effect.andThen(
          Effect.logWarning(`The payment ${paymentId} waits: ${why}.`),
          schedule.postpone(paymentId, due, attempts)
        )
    }
  }
  return world
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
      const world = yield* makeWorld
      const locks = new KeyedLock()
      /** The rules of payment and ledger leave nothing to refuse. */
      const alone = (paymentId: string, looks: boolean) =>
        locks.with(
          paymentId,
          drivePayment(world, paymentId, looks).pipe(
            Effect.catch((error) => (error._tag === "Unavailable" ? Effect.fail(error) : Effect.die(error)))
          )
        )
      return PaymentDriver.of({
        drive: Effect.fn("PaymentDriver.drive")((paymentId) => alone(paymentId, false)),
        resume: Effect.fn("PaymentDriver.resume")((paymentId) =>
          locks.isHeld(paymentId) ? Effect.void : alone(paymentId, true)
        )
      })
    })
  )
}
