import { Effect } from "effect"
import { paymentObject } from "../../engine/payments/PaymentObject.ts"
import type { Payer } from "../../engine/payments/PaymentRequests.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { Payments } from "./Payments.ts"

const caller: Effect.Effect<{ readonly by: Payer; readonly isAdmin: boolean }, never, CurrentPrincipal> = Effect.map(
  CurrentPrincipal,
  ({ companyId, role, userId }) => ({ by: { userId, companyId }, isAdmin: role === "admin" })
)

const key = Effect.map(IdempotencyScope, (keyed) => keyed?.key)

/** The payments group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "payments",
  Effect.fnUntraced(function* (handlers) {
    const payments = yield* Payments
    const typed = yield* FreeText
    return typed.opening(handlers).handleAll({
      createPayment: Effect.fnUntraced(function* ({ payload }) {
        const { capture = "automatic", extent = "all", instrument, order_id: orderId, ...others } = payload
        const { by } = yield* caller
        const asked = { orderId, instrument, extent, capture, ...others }
        const keeper = asked.metadata === undefined ? by.companyId : yield* payments.payerOf(orderId, by)
        const request = yield* typed.texts(keeper, asked)
        return paymentObject(yield* payments.create(by, request, yield* key))
      }),
      listPayments: Effect.fnUntraced(function* ({ query }) {
        const { by, isAdmin } = yield* caller
        const asked = yield* typed.page(payments.keepers(by, isAdmin, query.order_id), pageOf(query))
        const { payments: found, ...page } = yield* payments.list(by, isAdmin, query.order_id, asked)
        return yield* ListResponse.of(found.map(paymentObject), page)
      }),
      getPayment: Effect.fnUntraced(function* ({ params }) {
        const { by, isAdmin } = yield* caller
        const found = payments.find(params.id, by, isAdmin)
        return paymentObject(yield* found)
      }),
      capturePayment: Effect.fnUntraced(function* ({ params }) {
        const { by } = yield* caller
        return paymentObject(yield* payments.capture(params.id, by, yield* key))
      }),
      voidPayment: Effect.fnUntraced(function* ({ params }) {
        const { by } = yield* caller
        return paymentObject(yield* payments.void(params.id, by, yield* key))
      }),
      refundPayment: Effect.fnUntraced(function* ({ params, payload }) {
        const { by } = yield* caller
        return paymentObject(yield* payments.refund(params.id, by, payload.amount, yield* key))
      })
    })
  })
)
