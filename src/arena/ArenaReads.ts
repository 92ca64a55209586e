/** What the arena answers from the tables alone, on any node. */

import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import type { ArenaApi } from "../api/Arena.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { DEFAULT_ORDER_LIMIT, pageOf } from "../api/Paging.ts"
import { Settings } from "../Config.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import { ownCommitment } from "./CommitmentObject.ts"
import { detailed, orderFields } from "./OrderDetail.ts"
import { OrderRepository, type OrderView } from "./OrderRepository.ts"

type Endpoints = (typeof ArenaApi)["endpoints"]
type Query<Name extends keyof Endpoints> = HttpApiEndpoint.Query<Endpoints[Name]>["Type"]

const success = true as const

const listed = (order: OrderView) => ({ ...orderFields(order), asset_details: order.details })

/** Reads an order with its commitments, as a company may see it; null: as everybody may. */
export const orderReader = Effect.gen(function* () {
  const { sealedBids } = (yield* Settings).arena
  const orders = yield* OrderRepository
  const commitments = yield* CommitmentRepository
  return Effect.fnUntraced(function* (orderId: string, owner: string | null) {
    const order = yield* orders.find(orderId)
    if (order === undefined) return yield* new OrderNotFound({ orderId })
    return { success, order: detailed(order, yield* commitments.ofOrder(orderId), { sealedBids, owner }) }
  })
})

/** Handlers of lists. */
export const lists = Effect.gen(function* () {
  const orders = yield* OrderRepository
  const commitments = yield* CommitmentRepository
  return {
    listOrders: Effect.fn("Arena.listOrders")(function* ({ query }: { readonly query: Query<"listOrders"> }) {
      const page = pageOf(query, DEFAULT_ORDER_LIMIT)
      const found = yield* orders.list({ assetType: query.asset_type, status: query.status, ...page })
      return { success, orders: found.orders.map(listed), ...(yield* ListResponse.inArena(page, found)) }
    }),
    myCommitments: Effect.fn("Arena.myCommitments")(function* ({ query }: { readonly query: Query<"myCommitments"> }) {
      const { userId } = yield* CurrentPrincipal
      const page = pageOf(query)
      const found = yield* commitments.mine({ userId, status: query.status, ...page })
      return {
        success,
        commitments: found.commitments.map(ownCommitment),
        ...(yield* ListResponse.inArena(page, found))
      }
    })
  }
})

/** All of them, for a node that keeps no answers. */
export const arenaReads = Effect.gen(function* () {
  const { sealedBids } = (yield* Settings).arena
  const read = yield* orderReader
  return {
    ...(yield* lists),
    getOrder: Effect.fnUntraced(function* ({ params }: { readonly params: { readonly order_id: string } }) {
      const { companyId } = yield* CurrentPrincipal
      return yield* read(params.order_id, sealedBids ? companyId : null)
    })
  }
})
