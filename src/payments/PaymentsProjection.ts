import { Effect } from "effect"
import { purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { folded } from "../../engine/journal/Aggregate.ts"
import { paymentStream } from "../../engine/payments/Payment.ts"
import { orderPayments } from "../../engine/payments/PaymentRows.ts"
import { ProjectedStreams } from "../database/ProjectedStreams.ts"
import { aggregates, type ContextProjection } from "../database/Projection.ts"
import { PaymentRepository } from "./PaymentRepository.ts"

/** The rows of payments and of their refunds. */
export const paymentsProjection = Effect.gen(function* () {
  const { ofSameOrders } = yield* PaymentRepository
  const streams = yield* ProjectedStreams

  const load = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
    const orderOf = new Map<string, string>()
    for (const { orderId, paymentId } of yield* ofSameOrders(names)) {
      orderOf.set(paymentStream(paymentId), orderId).set(purchaseOrderStream(orderId), orderId)
    }
    if (orderOf.size === 0) return []
    const events = yield* streams.read([...orderOf.keys()])
    const orders = Map.groupBy(events, ({ stream }) => orderOf.get(stream))
    return [...orders.values()].flatMap((own) => folded(orderPayments, own) ?? [])
  })

  return { aggregates: [aggregates(orderPayments, load)], answers: {} } satisfies ContextProjection
})
