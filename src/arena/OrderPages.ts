import { Effect } from "effect"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { OrderDetail } from "../api/Arena.ts"
import { MAX_SNAPSHOT_ORDERS } from "../api/ArenaStreamProtocol.ts"
import type { Onlooker } from "./CommitmentObject.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import { detailed } from "./OrderDetail.ts"
import { OrderRepository } from "./OrderRepository.ts"
import type { SnapshotOrder } from "./OrderSnapshotRepository.ts"

/** Commitments in one page, unless a single order has more. */
const MAX_PAGE_COMMITMENTS = 1_000

/** The JSON of `GET /api/arena/orders/{order_id}`. */
export type PublicOrder = typeof OrderDetail.Encoded

const encodeDetail = wireOf(OrderDetail)

/** The ids by page; one empty page where there are none. */
export const paged = (orders: ReadonlyArray<SnapshotOrder>): ReadonlyArray<ReadonlyArray<string>> => {
  const pages: Array<Array<string>> = [[]]
  let commitments = 0
  for (const order of orders) {
    let page = pages.at(-1) ?? []
    const isFull = page.length >= MAX_SNAPSHOT_ORDERS || commitments + order.commitments > MAX_PAGE_COMMITMENTS
    if (isFull && page.length > 0) {
      page = []
      pages.push(page)
      commitments = 0
    }
    page.push(order.orderId)
    commitments += order.commitments
  }
  return pages
}

/** Reads the details of a page's orders, in its order. */
export const pageReader = Effect.fnUntraced(function* (onlooker: Onlooker) {
  const orders = yield* OrderRepository
  const commitments = yield* CommitmentRepository
  return Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const found = new Map((yield* orders.findAll(ids)).map((order) => [order.orderId, order]))
    const competitors = Map.groupBy(yield* commitments.ofOrders(ids), ({ orderId }) => orderId)
    return ids.flatMap((id): ReadonlyArray<PublicOrder> => {
      const order = found.get(id)
      return order === undefined ? [] : [encodeDetail(detailed(order, competitors.get(id) ?? [], onlooker))]
    })
  })
})
