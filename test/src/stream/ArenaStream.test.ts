import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { messageOf } from "../../../src/stream/ArenaMessage.ts"
import { commitment, OPENING, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { itLive } from "../../lib/Effects.ts"
import { send } from "../../lib/Requests.ts"
import { OWN_RUNTIME } from "../../lib/Programs.ts"
import { connectStalled, connectStream } from "../../lib/StreamClient.ts"
import { streamFixture } from "../../lib/StreamFixture.ts"

const bid = (ordinal: number): PlatformEvent => ({
  _tag: "CommitmentSubmitted",
  at: OPENING + ordinal,
  commitment: commitment(ordinal)
})

const opening: PlatformEvent = { _tag: "OrderOpened", at: OPENING, terms: terms() }
const closing: PlatformEvent = { _tag: "OrderClosed", at: OPENING, orderId: terms().orderId }

const texts = (events: ReadonlyArray<PlatformEvent>) =>
  events.flatMap((event) => {
    const message = messageOf(event)
    return message === undefined ? [] : [JSON.stringify(message)]
  })

describe("/ws/arena", () => {
  itLive("tells every client each public event once, in order, whatever the batches", () =>
    Effect.gen(function* () {
      const { url, commit, stream } = yield* streamFixture()
      const clients = yield* Effect.all(
        Array.from({ length: 20 }, () => connectStream(url)),
        { concurrency: 10 }
      )
      expect(stream.size()).toBe(20)
      const events = [opening, ...Array.from({ length: 1_500 }, (_, index) => bid(index + 1)), closing]
      commit(...events.slice(0, 1))
      commit(...events.slice(1, 900))
      commit(...events.slice(900))
      const expected = texts(events)
      for (const client of clients) expect(yield* client.received(expected.length)).toEqual(expected)
    })
  )

  itLive("starts with what happens after the connection, for a client of any subprotocol that needs none", () =>
    Effect.gen(function* () {
      const { url, commit } = yield* streamFixture()
      commit(opening)
      const client = yield* connectStream(url)
      commit(bid(1))
      expect(yield* client.received(1)).toEqual(texts([bid(1)]))
      expect(client.socket.protocol).toBe("")
    })
  )

  itLive("closes a client that does not read with 4408, and nobody else misses anything", () =>
    Effect.gen(function* () {
      const { url, commit, stream } = yield* streamFixture()
      const healthy = yield* connectStream(url)
      const stalled = yield* connectStalled(url)
      expect(stream.size()).toBe(2)
      const batch = Array.from({ length: 1_000 }, (_, index) => bid(index + 1))
      let batches = 0
      for (; stream.size() === 2 && batches < 200; batches++) {
        commit(...batch)
        yield* healthy.received((batches + 1) * batch.length)
      }
      expect(stream.size()).toBe(1)
      const tooSlow = Buffer.from([4408 >> 8, 4408 & 255])
      const bytes = yield* OWN_RUNTIME === "bun" ? stalled.drain : stalled.drainTo(tooSlow)
      expect(bytes.subarray(-256).includes(tooSlow)).toBe(true)
      commit(opening)
      const all = yield* healthy.received(batches * batch.length + 1)
      expect(all).toHaveLength(batches * batch.length + 1)
      const expected = texts(batch)
      for (const [index, text] of all.slice(0, -1).entries()) {
        if (text !== expected[index % batch.length]) expect(text).toBe(expected[index % batch.length]!)
      }
    })
  )

  itLive("tells of prices that change, at most once a second an asset", () =>
    Effect.gen(function* () {
      const { url, stream } = yield* streamFixture()
      const client = yield* connectStream(url)
      const price = (value: string, asset = "XAU") =>
        stream.publishPrice({ assetType: "commodity", asset, price: usd(value), source: "simulated", at: OPENING })
      price("2400")
      price("2401")
      price("2402")
      price("30", "XAG")
      const [first, second, third] = (yield* client.received(3)).map(
        (text): { type: string; data: { asset: string; price: number } } => JSON.parse(text)
      )
      expect(first).toMatchObject({ type: "price_update", data: { asset: "XAU", price: 2400 } })
      expect(second).toMatchObject({ data: { asset: "XAG", price: 30 } })
      expect(third).toMatchObject({ data: { asset: "XAU", price: 2402 } })
    })
  )

  itLive("says goodbye with 1001 when the server goes", () =>
    Effect.gen(function* () {
      const { url, stop } = yield* streamFixture()
      const client = yield* connectStream(url)
      yield* stop
      expect(yield* client.closed).toBe(1001)
      const [goodbye] = yield* client.received(1)
      expect(JSON.parse(goodbye!)).toMatchObject({ type: "server_shutdown", data: { reconnect_after_ms: 2_000 } })
    })
  )

  itLive("wants a WebSocket, and chooses no subprotocol", () =>
    Effect.gen(function* () {
      const { url } = yield* streamFixture()
      expect((yield* send(url)).status).toBe(400)
      const { handshake } = yield* connectStalled(url, "ticket")
      expect(handshake).toStartWith("HTTP/1.1 101")
      expect(handshake.toLowerCase()).not.toContain("sec-websocket-protocol")
    })
  )
})
