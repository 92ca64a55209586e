import { Clock, Effect, Exit } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { OrderObject, orderObject, summaryObject } from "../../engine/commerce/OrderObject.ts"
import type { PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import type { PurchaseRecord } from "../../engine/commerce/PurchaseRecord.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import type { PurchaseOrdersApi } from "../api/PurchaseOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { directly } from "../http/DirectHandler.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import * as Identifier from "../Identifier.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { measuring } from "../RequestState.ts"
import { keeping, keptReplies } from "./KeptResponses.ts"
import type { Begun, NewOrder, Placed } from "./PlaceOrder.ts"
import { historyAnswers } from "./PurchaseOrderResponses.ts"
import { PurchaseOrders, type SeenOrder } from "./PurchaseOrders.ts"

type Payload = HttpApiEndpoint.Payload<(typeof PurchaseOrdersApi)["endpoints"]["placeOrder"]>["Type"]

const termsOf = ({ installments = 0, type }: Payload["payment_terms"]): PaymentTerms =>
  type === "installments" ? { type, installments } : { type }

/** What a body of `POST /v1/orders` asks for. */
const newOrderOf = ({ company_id: companyId, items, payment_terms, ...particulars }: Payload): NewOrder => ({
  companyId,
  items: items.map(({ product_id: productId, quantity }) => ({ productId, quantity })),
  paymentTerms: termsOf(payment_terms),
  ...particulars
})

const shown = ({ as, order }: SeenOrder) => orderObject(order, as)

const keepingOrder = keeping(OrderObject, shown)

const placedObject = (order: PurchaseRecord): OrderObject => orderObject(order, order.state.terms.buyer.companyId)

const keepingPlaced = keeping(OrderObject, placedObject)
const placedReply = keptReplies(OrderObject, placedObject)

const isPlaced = (begun: Begun): begun is Exit.Success<Placed> => Exit.isExit(begun) && Exit.isSuccess(begun)

type Seal = (order: NewOrder, own: string) => Effect.Effect<NewOrder, Unavailable>

/** An order begins without a fiber, unless it has to be asked about first, as one on credit or with a product not seen of late is. */
const placing = (orders: PurchaseOrders["Service"], typed: FreeText["Service"], sealed: Seal, clock: Clock.Clock) =>
  directly(
    Effect.fnUntraced(function* ({ payload }: { readonly payload: Payload }) {
      const by = yield* CurrentPrincipal
      const order = yield* sealed(newOrderOf(payload), by.companyId)
      return yield* keepingPlaced((kept) => orders.place(by, order, kept))
    }, Effect.uninterruptible),
    ({ payload }, { facts, keyed, principal }, give) => {
      const asked = newOrderOf(payload)
      const order =
        asked.companyId === principal.companyId
          ? typed.textsNow(asked.companyId, asked, clock.currentTimeMillisUnsafe())
          : undefined
      if (order === undefined) return false
      const measured = measuring(facts, clock)
      const answered = ({ order }: Placed): OrderObject => {
        if (keyed !== undefined) keyed.stored = true
        return placedObject(order)
      }
      return orders.begin(principal, order, placedReply(keyed), (begun) =>
        give(() => {
          const outcome = begun()
          // What is attempted again is measured in its fiber.
          if (!isPlaced(outcome)) return Effect.map(outcome, answered)
          measured(outcome.value.seq)
          return Exit.succeed(answered(outcome.value))
        })
      )
    }
  )

/** The purchase orders group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "purchaseOrders",
  Effect.fnUntraced(function* (handlers) {
    const orders = yield* PurchaseOrders
    const random = yield* Effect.context<SecureRandom>()
    const { mayBuyFor } = yield* Companies
    const typed = yield* FreeText
    const clock = yield* Clock.Clock

    /** Under the key of the company that buys, where the caller may buy for it. */
    const sealedOrder = Effect.fnUntraced(function* (order: NewOrder, own: string) {
      if (order.metadata === undefined) return order
      const { companyId } = order
      const isBuyer = companyId === own || (yield* mayBuyFor(own, companyId))
      return yield* typed.texts(isBuyer ? companyId : own, order)
    })

    return typed.opening(handlers).handleAll({
      placeOrder: placing(orders, typed, sealedOrder, clock),
      listOrders: Effect.fnUntraced(function* ({ query }) {
        const by = yield* CurrentPrincipal
        const { company_id: companyId = by.companyId, role, status } = query
        const filter = { companyId, role, status }
        const asked = yield* typed.page(orders.keepers(by, filter), pageOf(query))
        const { orders: found, ...page } = yield* orders.list(by, filter, asked)
        return yield* ListResponse.of(found.map(summaryObject), page)
      }),
      getOrder: Effect.fnUntraced(function* ({ params }) {
        return shown(yield* orders.find(params.id, yield* CurrentPrincipal))
      }),
      payOrder: Effect.fnUntraced(function* ({ params, payload: { instalments: extent = "all" } }) {
        const by = yield* CurrentPrincipal
        const paymentId = yield* Effect.provideContext(Identifier.make("pay"), random)
        const payment = { paymentId, from: walletOf(by.userId, "USD"), extent }
        return yield* keepingOrder((kept) => orders.pay(params.id, { ...payment, kept }, by))
      }, Effect.uninterruptible),
      fulfilOrder: Effect.fnUntraced(function* ({ params }) {
        const by = yield* CurrentPrincipal
        return yield* keepingOrder((kept) => orders.fulfil(params.id, by, kept))
      }, Effect.uninterruptible),
      cancelOrder: Effect.fnUntraced(function* ({ params, payload: { reason = "" } }) {
        const by = yield* CurrentPrincipal
        const why = yield* typed.text(by.companyId, reason)
        return yield* keepingOrder((kept) => orders.cancel(params.id, why, by, kept))
      }, Effect.uninterruptible),
      getOrderHistory: Effect.fnUntraced(function* ({ params }) {
        return historyAnswers(yield* orders.history(params.id, yield* CurrentPrincipal))
      })
    })
  })
)
