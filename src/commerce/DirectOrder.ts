import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import { Api } from "../api/Api.ts"
import { PurchaseOrdersApi } from "../api/PurchaseOrders.ts"
import * as DirectRoutes from "../http/DirectRoutes.ts"
import { placementAnswers } from "./CommerceRefusal.ts"
import type { NewOrder } from "./PlaceOrder.ts"
import { orderAnswer, orderJson } from "./PurchaseOrderAnswers.ts"
import { PurchaseOrders } from "./PurchaseOrders.ts"

const endpoint = PurchaseOrdersApi.endpoints.placeOrder

type Payload = HttpApiEndpoint.Payload<typeof endpoint>["Type"]

const termsOf = ({ installments = 0, type }: Payload["payment_terms"]): PaymentTerms =>
  type === "installments" ? { type, installments } : { type }

/** What a body of `POST /v1/orders` asks for. */
export const newOrderOf = ({ company_id: companyId, items, payment_terms }: Payload): NewOrder => ({
  companyId,
  items: items.map(({ product_id: productId, quantity }) => ({ productId, quantity })),
  paymentTerms: termsOf(payment_terms)
})

/** Orders need not pass through the router. */
export const directOrders: Effect.Effect<DirectRoutes.DirectRoute, never, PurchaseOrders> = Effect.map(
  PurchaseOrders,
  ({ place }) =>
    DirectRoutes.of(Api, PurchaseOrdersApi, endpoint, (payload, by) =>
      place(by, newOrderOf(payload)).pipe(
        Effect.map((order) => orderJson(orderAnswer({ order, as: order.state.terms.buyer.companyId }))),
        Effect.catchTags(placementAnswers)
      )
    )
)
