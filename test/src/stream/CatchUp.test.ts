import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { commitment, OPENING, terms } from "../../lib/ArenaArbitraries.ts"
import { itLive } from "../../lib/Effects.ts"
import { OWN_RUNTIME } from "../../lib/Programs.ts"
import { connectStalled, connectStream } from "../../lib/StreamClient.ts"
import { StreamReader } from "../../lib/StreamReader.ts"
import { EPOCH, streamFixture } from "../../lib/StreamFixture.ts"

const opening: PlatformEvent = { _tag: "OrderOpened", at: OPENING, terms: terms() }
const bids = (from: number, count: number): ReadonlyArray<PlatformEvent> =>
  Array.from({ length: count }, (_, index) => ({
    _tag: "CommitmentSubmitted",
    at: OPENING,
    commitment: commitment(from + index)
  }))

const MANY = 30_000

const subscription = (data: object) => JSON.stringify({ type: "subscribe", data })

/** A client's text frame, whose mask changes nothing. RFC 6455, 5.2. */
const frameOf = (text: string): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([Buffer.from([0x81, 0xfe]), length, Buffer.alloc(4), Buffer.from(text)])
}

describe("catching up", () => {
  itLive("joins what happens now at the very event, while commits go on", () =>
    Effect.gen(function* () {
      const { url, commit, log } = yield* streamFixture()
      commit(opening, ...bids(1, 5_000))
      const readers = Array.from({ length: 8 }, (_, index) => {
        const reader = new StreamReader({ channels: ["commitments"], sequence: index % 2 === 0 })
        reader.epoch = EPOCH
        reader.position = index * 600
        return reader
      })
      const connecting = readers.map((reader) => reader.connect(url))
      yield* Effect.all(connecting, { concurrency: "unbounded" })
      for (let round = 0; round < 50; round++) {
        commit(...bids(5_001 + round * 40, 40))
        yield* Effect.yieldNow
      }
      const end = log.events.length
      for (const [index, reader] of readers.entries()) {
        if (index % 2 === 1) continue
        yield* reader.reached(end)
        expect(reader.problems).toEqual([])
        expect(reader.events).toHaveLength(2 * (end - Math.max(1, index * 600)))
      }
    })
  )

  // Deno itself closes who is silent, and after a time that a test's clock does not pass.
  const itPinged = OWN_RUNTIME === "bun" ? itLive : () => undefined
  itPinged("closes with 4408 who asks for the past and does not read it, and holds little for it", () =>
    Effect.gen(function* () {
      const { url, commit, log, pass, stream } = yield* streamFixture({ isStill: true })
      const healthy = yield* connectStream(url)
      commit(opening)
      for (let told = 0; told < MANY; told += 1_000) {
        commit(...bids(told + 1, 1_000))
        yield* healthy.received(told + 1_001)
      }
      const stalled = yield* connectStalled(url)
      const before = log.reads
      yield* stalled.write(frameOf(subscription({ sequence: true, resume: { epoch: EPOCH, seq: 0 } })))
      for (let round = 0; round < 7; round++) {
        yield* pass(5_000)
        const count = healthy.messages.length
        healthy.socket.send(`{"type":"ping"}`)
        yield* healthy.received(count + 1)
      }
      expect(stream.size()).toBe(1)
      expect(log.reads - before).toBeLessThan(MANY / 256)
      expect((yield* stalled.drain).subarray(-256).includes(Buffer.from([4408 >> 8, 4408 & 255]))).toBe(true)
      commit(...bids(MANY + 1, 1))
      yield* healthy.received(MANY + 9)
    })
  )

  itLive("ends with 1013 when the log stays away", () =>
    Effect.gen(function* () {
      const { url, commit, log, pass } = yield* streamFixture({ isStill: true })
      commit(opening, ...bids(1, 10))
      const client = yield* connectStream(url)
      log.isAway = true
      client.socket.send(subscription({ sequence: true, resume: { epoch: EPOCH, seq: 0 } }))
      yield* client.received(1)
      const closed = yield* Effect.forkChild(client.closed)
      for (let round = 0; closed.pollUnsafe() === undefined && round < 200; round++) yield* pass(250)
      expect(yield* client.closed).toBe(1013)
    })
  )

  itLive("stops when the client changes its mind, and when it goes", () =>
    Effect.gen(function* () {
      const { url, commit, log, stream } = yield* streamFixture()
      commit(opening, ...bids(1, 10))
      log.isAway = true
      const client = yield* connectStream(url)
      client.socket.send(subscription({ sequence: true, resume: { epoch: EPOCH, seq: 0 } }))
      client.socket.send(subscription({ channels: ["orders"] }))
      yield* client.received(2)
      log.isAway = false
      commit(opening, ...bids(1, 1))
      client.socket.send(`{"type":"unsubscribe"}`)
      const texts = yield* client.received(4)
      expect(texts.map((text) => (JSON.parse(text) as { readonly type: string }).type)).toEqual([
        "subscribed",
        "subscribed",
        "order_created",
        "unsubscribed"
      ])
      log.isAway = true
      client.socket.send(subscription({ sequence: true, resume: { epoch: EPOCH, seq: 0 } }))
      yield* client.received(5)
      client.socket.close()
      yield* client.closed
      expect(stream.size()).toBe(0)
    })
  )
})
