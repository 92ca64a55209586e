import { Context, Effect, Layer } from "effect"
import type { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"
import { OrderAnswer } from "../api/Arena.ts"
import { authenticated } from "../api/Authorization.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { type Answer, ResponseCache } from "../http/ResponseCache.ts"
import type { AnswerSource } from "../http/CachedResponses.ts"
import { orderReader } from "./ArenaReads.ts"

/** Milliseconds that an answer is kept: a commit whose own answer was lost goes unseen for so long at most. */
const MAX_AGE = 1_000

const ROUTE = "/api/arena/orders/:order_id"
const PATH = ROUTE.slice(0, ROUTE.indexOf(":"))

const encoder = new TextEncoder()
const encode = encoderOf(OrderAnswer)

/**
 * The answers of `GET /api/arena/orders/{order_id}`, kept as bytes until something happens to the order. Where bids are
 * sealed each company has answers of its own, which none of the others is given.
 */
export class OrderResponses extends Context.Service<
  OrderResponses,
  {
    /** @param owner - the company that asks: where bids are sealed it sees the prices of its own */
    readonly of: (orderId: string, owner: string) => Effect.Effect<Answer, OrderNotFound | Unavailable>
    /** What is kept now. */
    readonly ready: AnswerSource
  }
>()("emporion/arena/OrderResponses") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { sealedBids } = (yield* Settings).arena
      const readOrder = yield* orderReader
      const { isCertain, onCommit } = yield* UnitOfWork
      const cache = new ResponseCache({ maxAge: MAX_AGE, isCertain })
      yield* onCommit((events) => {
        for (const { stream } of events) cache.outdate(stream)
      })

      const read = Effect.fnUntraced(function* (orderId: string, owner: string | null) {
        const found = yield* readOrder(orderId, owner)
        return { answer: { body: encoder.encode(encode(found)) }, about: [orderStream(orderId)] }
      })

      return OrderResponses.of({
        of: (orderId, owner) =>
          sealedBids ? cache.of(`${orderId}/${owner}`, read(orderId, owner)) : cache.of(orderId, read(orderId, null)),
        ready: {
          find: (target, now) => {
            if (sealedBids) return undefined
            const answer = target.startsWith(PATH) ? cache.find(target.slice(PATH.length), now) : undefined
            return answer === undefined ? undefined : { route: ROUTE, access: authenticated, answer }
          }
        }
      })
    })
  )
}
