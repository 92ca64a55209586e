import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { orderObject } from "../../engine/commerce/OrderObject.ts"
import type { PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import type { PurchaseRecord } from "../../engine/commerce/PurchaseRecord.ts"
import { Api } from "../api/Api.ts"
import { PurchaseOrdersApi } from "../api/PurchaseOrders.ts"
import * as FastRoutes from "../http/FastRoutes.ts"
import type { KeyedRequest } from "../http/IdempotencyScope.ts"
import { placementAnswers } from "./CommerceRefusal.ts"
import type { KeptReply } from "./KeptReply.ts"
import type { NewOrder } from "./PlaceOrder.ts"
import { PurchaseOrders } from "./PurchaseOrders.ts"

const endpoint = PurchaseOrdersApi.endpoints.placeOrder

type Payload = HttpApiEndpoint.Payload<typeof endpoint>["Type"]

const termsOf = ({ installments = 0, type }: Payload["payment_terms"]): PaymentTerms =>
  type === "installments" ? { type, installments } : { type }

/** What a body of `POST /v1/orders` asks for. */
export const newOrderOf = ({ company_id: companyId, items, payment_terms, ...particulars }: Payload): NewOrder => ({
  companyId,
  items: items.map(({ product_id: productId, quantity }) => ({ productId, quantity })),
  paymentTerms: termsOf(payment_terms),
  ...particulars
})

const placedJson = (order: PurchaseRecord): string =>
  JSON.stringify(orderObject(order, order.state.terms.buyer.companyId))

const keptAs = ({ fingerprint, key }: KeyedRequest): KeptReply<PurchaseRecord> => ({
  key,
  fingerprint,
  answer: (order) => ({ status: 200, body: placedJson(order) })
})

/** Orders need not pass through the router. */
export const fastOrders: Effect.Effect<FastRoutes.FastRoute, never, PurchaseOrders> = Effect.map(
  PurchaseOrders,
  ({ place }) =>
    FastRoutes.of(Api, PurchaseOrdersApi, endpoint, (payload, by, keyed) =>
      place(by, newOrderOf(payload), keyed === undefined ? undefined : keptAs(keyed)).pipe(
        Effect.map((order) => {
          if (keyed !== undefined) keyed.stored = true
          return placedJson(order)
        }),
        Effect.catchTags(placementAnswers)
      )
    )
)
