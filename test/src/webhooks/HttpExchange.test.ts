import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { exchangeTarget, HttpExchange } from "../../../src/webhooks/HttpExchange.ts"
import { NameResolver } from "../../../src/webhooks/NameResolver.ts"
import { SendingConnections } from "../../../src/webhooks/SendingConnections.ts"
import { itLive } from "../../lib/Effects.ts"
import { rawReceiver, webhookReceiver } from "../../lib/WebhookReceiver.ts"

const connections = SendingConnections.make(
  NameResolver.system.resolve,
  { plain: () => undefined, secure: () => undefined },
  { certificates: [] }
)

const exchangeWith = (port: number, body = "{}") =>
  Effect.map(
    connections,
    (open) =>
      new HttpExchange(exchangeTarget(new URL(`http://127.0.0.1:${port}/x`), open), { headers: { "x-one": "1" }, body })
  )

/** Longer than any test takes, in milliseconds. */
const LONG = 60_000

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("HttpExchange", () => {
  itLive("sends the headers and the bytes", () =>
    Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      receiver.answer(() => ({ status: 202, body: "ok" }))
      const exchange = yield* exchangeWith(receiver.port, "é")
      expect(exchange.soFar()).toBeUndefined()
      expect(yield* exchange.within(LONG)).toEqual({ status: 202, error: null, answer: "ok" })
      expect(receiver.received).toMatchObject([{ path: "/x", body: "é", headers: { "x-one": "1" } }])
    })
  )

  itLive("tells what has come of an answer that goes on", () =>
    Effect.gen(function* () {
      const port = yield* rawReceiver((socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"))
      const exchange = yield* exchangeWith(port)
      const running = yield* Effect.forkChild(exchange.within(LONG))
      while (exchange.soFar()?.answer !== "abc") yield* turn
      expect(exchange.soFar()).toEqual({ status: 200, error: null, answer: "abc" })
      yield* Fiber.interrupt(running)
    })
  )

  itLive("closes the connection when it is interrupted", () =>
    Effect.gen(function* () {
      const closed = Promise.withResolvers<void>()
      const arrived = Promise.withResolvers<void>()
      const port = yield* rawReceiver((socket) => {
        socket.on("close", () => closed.resolve())
        arrived.resolve()
      })
      const running = yield* Effect.forkChild((yield* exchangeWith(port)).within(LONG))
      yield* Effect.promise(() => arrived.promise)
      yield* Fiber.interrupt(running)
      yield* Effect.promise(() => closed.promise)
    })
  )
})
