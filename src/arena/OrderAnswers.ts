import { Context, Effect, Layer, Schema } from "effect"
import { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import { OrderAnswer } from "../api/Arena.ts"
import { authenticated } from "../api/Authorization.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { type Answer, AnswerCache } from "../http/AnswerCache.ts"
import type { AnswerSource } from "../http/ReadyAnswers.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import { detailed } from "./OrderDetail.ts"
import { OrderRepository } from "./OrderRepository.ts"

/** Milliseconds that an answer is kept: a commit whose own answer was lost goes unseen for so long at most. */
const MAX_AGE = 1_000

const ROUTE = "/api/arena/orders/:order_id"
const PATH = ROUTE.slice(0, ROUTE.indexOf(":"))

const encoder = new TextEncoder()
const encode = Schema.encodeSync(Schema.fromJsonString(OrderAnswer))

/** The answers of `GET /api/arena/orders/{order_id}`, kept as bytes until something happens to the order. */
export class OrderAnswers extends Context.Service<
  OrderAnswers,
  {
    readonly of: (orderId: string) => Effect.Effect<Answer, OrderNotFound | Unavailable>
    /** What is kept now. */
    readonly ready: AnswerSource
  }
>()("emporion/arena/OrderAnswers") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const orders = yield* OrderRepository
      const commitments = yield* CommitmentRepository
      const { isCertain, onCommit } = yield* UnitOfWork
      const cache = new AnswerCache({ maxAge: MAX_AGE, isCertain })
      yield* onCommit((events) => {
        for (const { stream } of events) cache.outdate(stream)
      })

      const read = Effect.fnUntraced(function* (orderId: string) {
        const order = yield* orders.find(orderId)
        if (order === undefined) return yield* new OrderNotFound({ orderId })
        const found = detailed(order, yield* commitments.ofOrder(orderId))
        return {
          answer: { body: encoder.encode(encode({ success: true, order: found })) },
          about: [orderStream(orderId)]
        }
      })

      return OrderAnswers.of({
        of: (orderId) => cache.of(orderId, read(orderId)),
        ready: {
          find: (target, now) => {
            const answer = target.startsWith(PATH) ? cache.find(target.slice(PATH.length), now) : undefined
            return answer === undefined ? undefined : { route: ROUTE, access: authenticated, answer }
          }
        }
      })
    })
  )
}
