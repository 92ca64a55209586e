import { describe, expect } from "bun:test"
import { Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { BODY_LIMIT_BYTES, getJson, REQUEST_TIMEOUT_MILLIS } from "../../../src/oracles/BoundedJson.ts"
import { itEffect } from "../../lib/Effects.ts"
import { client, type PriceServer, priceServer, stall } from "../../lib/PriceServer.ts"

const Answer = Schema.Struct({ price: Schema.Finite })
const get = Effect.fnUntraced(function* (server: PriceServer) {
  return yield* getJson(yield* client, server.url, Answer)
})
const reasonOf = (server: PriceServer) => Effect.map(Effect.flip(get(server)), ({ reason }) => reason)

describe("BoundedJson", () => {
  itEffect("decodes what a server answers", () =>
    Effect.gen(function* () {
      const server = yield* priceServer
      let accept: string | null = null
      server.answer((request) => {
        accept = request.headers.get("accept")
        return Response.json({ price: 1.5, other: "é" })
      })
      expect(yield* get(server)).toEqual({ price: 1.5 })
      expect(accept as string | null).toBe("application/json")
    })
  )

  itEffect("fails for any status but 2xx", () =>
    Effect.gen(function* () {
      const server = yield* priceServer
      for (const status of [400, 404, 429, 500, 503]) {
        server.answer(() => Response.json({ price: 1 }, { status }))
        expect(yield* reasonOf(server)).toBe(`status ${status}`)
      }
    })
  )

  itEffect("fails for what is not the JSON expected", () =>
    Effect.gen(function* () {
      const server = yield* priceServer
      for (const body of ["", "<html>", "{", "null", "[]", `{"price":"1"}`, `{"price":null}`, "\u0000\uffff"]) {
        server.answer(() => new Response(body))
        expect((yield* reasonOf(server)).length).toBeGreaterThan(0)
      }
    })
  )

  itEffect("names the field and keeps reasons short", () =>
    Effect.gen(function* () {
      const server = yield* priceServer
      server.answer(() => new Response(`{"price":"${"x".repeat(5_000)}"}`))
      const reason = yield* reasonOf(server)
      expect(reason).toContain("price")
      expect(reason.length).toBeLessThanOrEqual(300)
    })
  )

  itEffect("stops reading a body that is too large, even one without an end", () =>
    Effect.gen(function* () {
      const server = yield* priceServer
      server.answer(() => new Response("x".repeat(BODY_LIMIT_BYTES + 1)))
      expect(yield* reasonOf(server)).toBe(`the body is over ${BODY_LIMIT_BYTES} bytes`)
      server.answer(
        () =>
          new Response(
            new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) })
          )
      )
      expect(yield* reasonOf(server)).toBe(`the body is over ${BODY_LIMIT_BYTES} bytes`)
      server.answer(() => new Response(`{"price":1}`.padEnd(BODY_LIMIT_BYTES)))
      expect(yield* get(server)).toEqual({ price: 1 })
    })
  )

  itEffect("waits no longer than the time-out, for the head or for the body", () =>
    Effect.gen(function* () {
      const server = yield* priceServer
      const endless = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
      for (const respond of [stall, endless]) {
        server.answer(respond)
        const asked = yield* Effect.forkChild(reasonOf(server), { startImmediately: true })
        yield* TestClock.adjust(REQUEST_TIMEOUT_MILLIS - 1)
        expect(asked.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust(1)
        expect(yield* Fiber.join(asked)).toBe(`no answer in ${REQUEST_TIMEOUT_MILLIS} ms`)
      }
    })
  )

  itEffect("fails when nobody listens", () =>
    Effect.gen(function* () {
      const server = yield* Effect.scoped(priceServer)
      expect(yield* reasonOf(server)).toBe("TransportError")
    })
  )
})
