import { Clock, Context, Effect, Layer, Schema } from "effect"
import { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import { OrderAnswer } from "../api/Arena.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { ReadyAnswers } from "../http/ReadyAnswers.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import { KeptAnswers } from "./KeptAnswers.ts"
import { detailed } from "./OrderDetail.ts"
import { OrderRepository } from "./OrderRepository.ts"

const encoder = new TextEncoder()
const encode = Schema.encodeSync(Schema.fromJsonString(OrderAnswer))

/** The answers of `GET /api/arena/orders/{order_id}`, kept as bytes until something happens to the order. */
export class OrderAnswers extends Context.Service<
  OrderAnswers,
  {
    /** What is kept now, as {@link of} answers it. */
    readonly kept: (orderId: string, now: number) => Uint8Array<ArrayBuffer> | undefined
    /** UTF-8 JSON. */
    readonly of: (orderId: string) => Effect.Effect<Uint8Array<ArrayBuffer>, OrderNotFound | Unavailable>
  }
>()("emporion/arena/OrderAnswers") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const orders = yield* OrderRepository
      const commitments = yield* CommitmentRepository
      const answers = new KeptAnswers()
      yield* (yield* UnitOfWork).onCommit((events) => {
        for (const { stream } of events) answers.outdate(stream)
      })

      const readWith = Effect.fnUntraced(function* (orderId: string, stream: string, reading: symbol) {
        const order = yield* orders.find(orderId)
        if (order === undefined) return yield* new OrderNotFound({ orderId })
        const found = detailed(order, yield* commitments.ofOrder(orderId))
        const body = encoder.encode(encode({ success: true, order: found }))
        answers.keep(stream, reading, { body, at: yield* Clock.currentTimeMillis })
        return body
      })

      /** Whatever becomes of the reading, nothing of it stays but its answer. */
      const read = (orderId: string) =>
        Effect.suspend(() => {
          const stream = orderStream(orderId)
          const reading = answers.begin(stream)
          return Effect.ensuring(
            readWith(orderId, stream, reading),
            Effect.sync(() => answers.end(stream, reading))
          )
        })

      return OrderAnswers.of({
        kept: (orderId, now) => answers.find(orderStream(orderId), now),
        of: (orderId) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const kept = answers.find(orderStream(orderId), now)
            return kept === undefined ? read(orderId) : Effect.succeed(kept)
          })
      })
    })
  )
}

const ROUTE = "/api/arena/orders/:order_id"
const PATH = ROUTE.slice(0, ROUTE.indexOf(":"))

/** What is kept is ready before the router is asked. */
export const readyAnswers: Layer.Layer<never, never, OrderAnswers> = Layer.effect(
  ReadyAnswers,
  Effect.map(OrderAnswers, ({ kept }) => ({
    find: (path, now) => {
      const body = path.startsWith(PATH) ? kept(path.slice(PATH.length), now) : undefined
      return body === undefined ? undefined : { route: ROUTE, body }
    }
  }))
)
