import { Context, Effect, Layer } from "effect"
import { created, evolve, paidDirectly, paymentStream } from "../../engine/payments/Payment.ts"
import type { PaymentEvent } from "../../engine/payments/PaymentEvent.ts"
import type { PaymentSituation } from "../../engine/payments/PaymentWorld.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { StreamRepository } from "../database/StreamRepository.ts"
import { paymentIn, takesOf } from "../../engine/payments/OrderPart.ts"
import { PaymentRepository } from "./PaymentRepository.ts"

/** Payments and their orders as their events make them. */
export class PaymentSituations extends Context.Service<
  PaymentSituations,
  { readonly find: (paymentId: string) => Effect.Effect<PaymentSituation | undefined, Unavailable> }
>()("emporion/payments/PaymentSituations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const streams = yield* StreamRepository
      const orders = yield* PurchaseOrders
      const repository = yield* PaymentRepository

      /** A payment that a wallet made at once begins with its order's event. */
      const direct = Effect.fnUntraced(function* (paymentId: string) {
        const view = yield* repository.find(paymentId)
        if (view?.extent !== null) return undefined
        const { amount, companyId, createdAt, orderId, payer } = view
        return paidDirectly(orderId, { userId: payer, companyId }, { paymentId, amount }, createdAt)
      })

      return PaymentSituations.of({
        find: Effect.fnUntraced(function* (paymentId) {
          const events = (yield* streams.read(paymentStream(paymentId))) as ReadonlyArray<PaymentEvent>
          const [first] = events
          const isPlanned = first?._tag === "PaymentCreated"
          const state = isPlanned ? created(first.plan, first.at) : yield* direct(paymentId)
          if (state === undefined) return undefined
          for (const event of isPlanned ? events.slice(1) : events) evolve(state, event)
          const { orderId, payer } = state.plan
          const seen = yield* orders.find(orderId, payer).pipe(Effect.catchTag("OrderNotFound", Effect.die))
          const order = seen.order.state
          state.taken = paymentIn(order, paymentId)?.amount ?? null
          state.isReturned = state.taken !== null && order.isCancelled
          return { state, order, purchase: seen.order, takes: takesOf(order, state.plan.extent) }
        })
      })
    })
  )
}
