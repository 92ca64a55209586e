/** What the arena answers from the tables alone, on any node. */

import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import type { ArenaApi } from "../api/Arena.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { DEFAULT_ORDER_LIMIT, type Page, pageOf } from "../api/Paging.ts"
import { Settings } from "../Config.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { type CommitmentPage, CommitmentRepository, type StoredCommitment } from "./CommitmentRepository.ts"
import { ownCommitment } from "./CommitmentObject.ts"
import { detailed, orderFields } from "./OrderDetail.ts"
import { OrderRepository, type OrderView } from "./OrderRepository.ts"

type Endpoints = (typeof ArenaApi)["endpoints"]
type Query<Name extends keyof Endpoints> = HttpApiEndpoint.Query<Endpoints[Name]>["Type"]

const success = true as const

const listed = (order: OrderView) => ({ ...orderFields(order), asset_details: order.details })

/** An order with its commitments: by rank after the choice, before it in the sequence of acceptance. */
export interface CommittedOrder {
  readonly order: OrderView
  readonly commitments: ReadonlyArray<StoredCommitment>
}

/** Reads an order with its commitments from the tables. */
export const committedOrder = Effect.fnUntraced(function* (
  orders: OrderRepository["Service"],
  commitments: CommitmentRepository["Service"],
  orderId: string
) {
  const order = yield* orders.find(orderId)
  if (order === undefined) return yield* new OrderNotFound({ orderId })
  return { order, commitments: yield* commitments.ofOrder(orderId) }
})

/** Shows an order as a company may see it; null: as everybody may. */
export const orderReader = <E>(read: (orderId: string) => Effect.Effect<CommittedOrder, E>) =>
  Effect.map(Settings, ({ arena: { sealedBids } }) =>
    Effect.fnUntraced(function* (orderId: string, owner: string | null) {
      const { commitments, order } = yield* read(orderId)
      return { success, order: detailed(order, commitments, { sealedBids, owner }) }
    })
  )

/** A page of the caller's commitments as it is answered. */
export const minePage = ({ limit, offset }: Page, { commitments, total }: CommitmentPage) => ({
  success,
  commitments: commitments.map(ownCommitment),
  total,
  offset,
  limit
})

/** What asks for a page of the caller's commitments. */
interface MineRequest {
  readonly query: Query<"myCommitments">
  readonly request: HttpServerRequest.HttpServerRequest
}

/** Reads a page of orders as it is answered, and the cursor of the next one. */
export const ordersPage = Effect.fn("Arena.listOrders")(function* (
  orders: OrderRepository["Service"],
  query: Query<"listOrders">
) {
  const page = pageOf(query, DEFAULT_ORDER_LIMIT)
  const { limit, offset } = page
  const { next, ...found } = yield* orders.list({ assetType: query.asset_type, status: query.status, ...page })
  return { answer: { success, orders: found.orders.map(listed), total: found.total, offset, limit }, next }
})

/** Answers a page of the caller's commitments. */
export const answeringMine = (mine: CommitmentRepository["Service"]["mine"]) =>
  Effect.fn("Arena.myCommitments")(function* ({ query }: MineRequest) {
    const { userId } = yield* CurrentPrincipal
    const page = pageOf(query)
    const found = yield* mine({ userId, status: query.status, ...page })
    yield* ListResponse.tellNext(found.next)
    return minePage(page, found)
  })

/** All of them, for a node that keeps no answers. */
export const arenaReads = Effect.gen(function* () {
  const { sealedBids } = (yield* Settings).arena
  const orders = yield* OrderRepository
  const commitments = yield* CommitmentRepository
  const read = yield* orderReader((orderId) => committedOrder(orders, commitments, orderId))
  return {
    listOrders: Effect.fnUntraced(function* ({ query }: { readonly query: Query<"listOrders"> }) {
      const { answer, next } = yield* ordersPage(orders, query)
      yield* ListResponse.tellNext(next)
      return answer
    }),
    myCommitments: answeringMine(commitments.mine),
    getOrder: Effect.fnUntraced(function* ({ params }: { readonly params: { readonly order_id: string } }) {
      const { companyId } = yield* CurrentPrincipal
      return yield* read(params.order_id, sealedBids ? companyId : null)
    })
  }
})
