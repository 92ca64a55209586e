import { Clock, Context, Effect, Layer, Schema } from "effect"
import { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import { OrderAnswer } from "../api/Arena.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { ReadyAnswers } from "../http/ReadyAnswers.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import { detailed } from "./OrderDetail.ts"
import { OrderRepository } from "./OrderRepository.ts"

/** Bytes of answers that are kept; the one kept longest makes room. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024

/** Milliseconds that an answer is kept: a commit whose own answer was lost goes unseen for so long at most. */
const MAX_AGE = 1_000

interface Kept {
  readonly body: Uint8Array<ArrayBuffer>
  readonly at: number
}

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
      const answers = new Answers()
      yield* (yield* UnitOfWork).onCommit((events) => {
        for (const { stream } of events) answers.outdate(stream)
      })

      const read = Effect.fnUntraced(function* (orderId: string) {
        const stream = orderStream(orderId)
        const reading = answers.begin(stream)
        const order = yield* orders.find(orderId)
        if (order === undefined) return yield* new OrderNotFound({ orderId })
        const found = detailed(order, yield* commitments.ofOrder(orderId))
        const body = encoder.encode(encode({ success: true, order: found }))
        answers.keep(stream, reading, { body, at: yield* Clock.currentTimeMillis })
        return body
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

/** What is kept by stream. A reading that began before the last event of its stream is not kept. */
class Answers {
  readonly #kept = new Map<string, Kept>()
  readonly #readings = new Map<string, symbol>()
  #bytes = 0

  find(stream: string, now: number): Uint8Array<ArrayBuffer> | undefined {
    const kept = this.#kept.get(stream)
    return kept === undefined || now - kept.at >= MAX_AGE ? undefined : kept.body
  }

  begin(stream: string): symbol {
    const reading = Symbol(stream)
    this.#readings.set(stream, reading)
    return reading
  }

  keep(stream: string, reading: symbol, kept: Kept): void {
    if (this.#readings.get(stream) !== reading) return
    this.#readings.delete(stream)
    this.#drop(stream)
    this.#kept.set(stream, kept)
    this.#bytes += kept.body.byteLength
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_KEPT_BYTES) break
      this.#drop(oldest)
    }
  }

  outdate(stream: string): void {
    this.#readings.delete(stream)
    this.#drop(stream)
  }

  #drop(stream: string): void {
    this.#bytes -= this.#kept.get(stream)?.body.byteLength ?? 0
    this.#kept.delete(stream)
  }
}
