import { Effect } from "effect"
import { format } from "../../engine/money/Amount.ts"
import { paymentObject } from "../../engine/payments/PaymentObject.ts"
import { Api } from "../api/Api.ts"
import { ApiError, refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import type { Payer } from "./PaymentCreation.ts"
import type { PaymentRefused } from "./PaymentRefusal.ts"
import { Payments } from "./Payments.ts"

const caller: Effect.Effect<{ readonly by: Payer; readonly isAdmin: boolean }, never, CurrentPrincipal> = Effect.map(
  CurrentPrincipal,
  ({ companyId, role, userId }) => ({ by: { userId, companyId }, isAdmin: role === "admin" })
)

const key = Effect.map(IdempotencyScope, (keyed) => keyed?.key)

/** What the caller is told of a failure. */
const told = (error: PaymentRefused | Unavailable) => {
  switch (error._tag) {
    case "Unavailable":
      return error
    case "NoSuchOrder":
      return new ApiError("not_found", `There is no order ${error.orderId} of yours.`)
    case "NoSuchPayment":
      return new ApiError("not_found", `There is no payment ${error.paymentId} of yours.`)
    case "WrongParty":
      return new ApiError("access_denied", `Only the ${error.party} of the order may do that.`)
    case "MoneyGateClosed":
      return new ApiError("access_denied", error.message)
    case "NothingToPay":
      return new ApiError("conflict", `The order ${error.orderId} is paid or cancelled: nothing is left to pay.`)
    case "TooManyOpen":
      return new ApiError("conflict", `${error.most} payments of the order are under way: wait for them, or void some.`)
    case "CancelInstead":
      return new ApiError("conflict", `Nothing of the order ${error.orderId} is fulfilled: cancel it instead.`)
    case "IllegalPaymentAct":
      return new ApiError("conflict", `A payment that is ${error.stage} does not take that: read it and decide again.`)
    case "PaymentContested":
      return new ApiError("conflict", "The payer's bank decides about this payment: nothing can be given back.")
    case "ProviderMissing":
      return new ApiError(
        "unprocessable",
        `The provider ${error.provider} is not available here: use ${error.available.join(" or ")}.`
      )
    case "InstrumentRefused":
      return new ApiError("invalid_request", `payload.instrument: Expected ${error.expected}`)
    case "NotWholeCents":
      return new ApiError("unprocessable", `Cards pay whole cents, and ${format(error.amount)} USD are not.`)
    case "KeyUsed":
      return new ApiError("conflict", "This Idempotency-Key belongs to another payment: send a new key.")
    case "RefundTooLarge":
      return new ApiError("unprocessable", `At most ${format(error.left)} USD can be given back: ask for less.`)
    case "TooManyRefunds":
      return new ApiError("unprocessable", `A payment is given back in at most ${error.most} parts.`)
    case "WalletTooLow":
      return new ApiError(
        "unprocessable",
        `The wallet that was paid has ${format(error.available)} USD: add funds, or ask for less.`
      )
  }
}

/** The payments group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "payments",
  Effect.fnUntraced(function* (handlers) {
    const payments = yield* Payments
    return handlers.handleAll({
      createPayment: Effect.fnUntraced(function* ({ payload }) {
        const { capture = "automatic", extent = "all", instrument, order_id: orderId, ...others } = payload
        const { by } = yield* caller
        const request = { orderId, instrument, extent, capture, ...others }
        return paymentObject(yield* payments.create(by, request, yield* key).pipe(Effect.mapError(told)))
      }),
      listPayments: Effect.fnUntraced(function* ({ query }) {
        const { by, isAdmin } = yield* caller
        const { payments: found, ...page } = yield* payments.list(by, isAdmin, query.order_id, pageOf(query))
        return yield* ListResponse.of(found.map(paymentObject), page)
      }),
      getPayment: Effect.fnUntraced(function* ({ params }) {
        const { by, isAdmin } = yield* caller
        const found = payments.find(params.id, by, isAdmin)
        return paymentObject(
          yield* found.pipe(
            Effect.catchTag("NoSuchPayment", ({ paymentId }) =>
              refuse("not_found", `There is no payment ${paymentId} of yours.`)
            )
          )
        )
      }),
      capturePayment: Effect.fnUntraced(function* ({ params }) {
        const { by } = yield* caller
        return paymentObject(yield* payments.capture(params.id, by, yield* key).pipe(Effect.mapError(told)))
      }),
      voidPayment: Effect.fnUntraced(function* ({ params }) {
        const { by } = yield* caller
        return paymentObject(yield* payments.void(params.id, by, yield* key).pipe(Effect.mapError(told)))
      }),
      refundPayment: Effect.fnUntraced(function* ({ params, payload }) {
        const { by } = yield* caller
        return paymentObject(
          yield* payments.refund(params.id, by, payload.amount, yield* key).pipe(Effect.mapError(told))
        )
      })
    })
  })
)
