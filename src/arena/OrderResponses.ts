import { Context, Effect, Layer } from "effect"
import type { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import { isOf } from "../../engine/replay/PlatformEvent.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"
import { OrderAnswer, OrdersAnswer } from "../api/Arena.ts"
import { authenticated } from "../api/Authorization.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { linkTo } from "../http/ListResponse.ts"
import { type Answer, ResponseCache } from "../http/ResponseCache.ts"
import type { AnswerSource, ReadyAnswer } from "../http/CachedResponses.ts"
import { orderReader } from "./ArenaReads.ts"
import { CommitmentLists } from "./CommitmentLists.ts"
import { changesOnlyItself } from "./OrderHistory.ts"

/** Milliseconds that an order's answer is kept. What it is made of may be in memory for longer. */
const MAX_AGE = 1_000

/** Milliseconds that a page is kept. All that changes it is told of; this bounds what somebody changed by hand. */
const MAX_PAGE_AGE = 10_000

/** Longest path with its query whose page is kept, in characters. */
const MAX_TARGET = 300

/** Outdates every page. */
const ANY_ORDER = "orders"

const PAGES_ROUTE = "/api/arena/orders"
const ROUTE = `${PAGES_ROUTE}/:order_id`
const PATH = `${PAGES_ROUTE}/`

const isOfOrders = isOf("order")

const readyOf = (route: string, answer: Answer | undefined): ReadyAnswer | undefined =>
  answer === undefined ? undefined : { route, access: authenticated, answer }

const encoder = new TextEncoder()
const encode = encoderOf(OrderAnswer)
const encodePage = encoderOf(OrdersAnswer)

/** A page as it is answered, and the cursor of the next one. */
interface OrdersPage {
  readonly answer: typeof OrdersAnswer.Type
  readonly next: string | undefined
}

/**
 * The answers of `GET /api/arena/orders/{order_id}`, kept as bytes until something happens to the order, and pages of orders,
 * kept until something but a further commitment happens to any. Where bids are sealed each company has answers of its own about
 * an order, which none of the others is given; a page shows no bids.
 */
export class OrderResponses extends Context.Service<
  OrderResponses,
  {
    /** @param owner - the company that asks: where bids are sealed it sees the prices of its own */
    readonly of: (orderId: string, owner: string) => Effect.Effect<Answer, OrderNotFound | Unavailable>
    /** A page by the path and query that ask for it, and what reads it. */
    readonly page: <E>(target: string, read: Effect.Effect<OrdersPage, E>) => Effect.Effect<Answer, E>
    /** What is kept now. */
    readonly ready: AnswerSource
  }
>()("emporion/arena/OrderResponses") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { sealedBids } = (yield* Settings).arena
      const lists = yield* CommitmentLists
      const readOrder = yield* orderReader(lists.order)
      const { isCertain, onCommit } = yield* UnitOfWork
      const cache = new ResponseCache({ maxAge: MAX_AGE, isCertain })
      const pages = new ResponseCache({ maxAge: MAX_PAGE_AGE, isCertain })
      yield* onCommit((events) => {
        for (const { event, stream, version } of events) {
          cache.outdate(stream)
          if (isOfOrders(event) && !changesOnlyItself({ event, version })) pages.outdate(ANY_ORDER)
        }
      })

      const read = Effect.fnUntraced(function* (orderId: string, owner: string | null) {
        const found = yield* readOrder(orderId, owner)
        return { answer: { body: encoder.encode(encode(found)) }, about: [orderStream(orderId)] }
      })

      return OrderResponses.of({
        of: (orderId, owner) =>
          sealedBids ? cache.of(`${orderId}/${owner}`, read(orderId, owner)) : cache.of(orderId, read(orderId, null)),
        page: (target, read) => {
          const paged = Effect.map(read, ({ answer, next }) => ({
            answer: {
              body: encoder.encode(encodePage(answer)),
              headers: next === undefined ? {} : { link: linkTo(target, next) }
            },
            about: [ANY_ORDER]
          }))
          return target.length > MAX_TARGET ? Effect.map(paged, ({ answer }) => answer) : pages.of(target, paged)
        },
        ready: {
          find: (target, now) => {
            if (!target.startsWith(PAGES_ROUTE)) return undefined
            if (!target.startsWith(PATH)) return readyOf(PAGES_ROUTE, pages.find(target, now))
            return sealedBids ? undefined : readyOf(ROUTE, cache.find(target.slice(PATH.length), now))
          }
        }
      })
    })
  )
}
