import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { MAX_REPLAY_EVENTS } from "../../../src/stream/Resume.ts"
import { commitment, human, OPENING, terms, TIE_KEY, usd } from "../../lib/ArenaArbitraries.ts"
import { itLive } from "../../lib/Effects.ts"
import { OWN_RUNTIME } from "../../lib/Programs.ts"
import { connectStalled, type StreamClient, streamClientOf } from "../../lib/StreamClient.ts"
import { EPOCH, streamFixture } from "../../lib/StreamFixture.ts"
import { openSocket } from "../../lib/StreamReader.ts"

interface Frame {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly timestamp: string
  readonly seq?: number
  readonly prev?: number
  readonly frame?: number
  readonly frames?: number
}

const GPU = `ord_${"9c".repeat(12)}`
const { orderId: FX } = terms()

const opening: PlatformEvent = { _tag: "OrderOpened", at: OPENING, terms: terms() }
const openingOfGpu: PlatformEvent = {
  _tag: "OrderOpened",
  at: OPENING,
  terms: terms({ orderId: GPU, assetType: "gpu", asset: "H100" })
}
const bid = (ordinal: number, owner = "alice"): PlatformEvent => ({
  _tag: "CommitmentSubmitted",
  at: OPENING + ordinal,
  commitment: commitment(ordinal, { trader: human(owner) })
})
const minted: PlatformEvent = {
  _tag: "FundsMinted",
  at: OPENING,
  fundId: "f",
  owner: "o",
  asset: "USD",
  amount: usd("1"),
  externalReference: null
}
const closed: PlatformEvent = { _tag: "OrderClosed", at: OPENING, orderId: FX }
const voided: PlatformEvent = {
  _tag: "OrderVoided",
  at: OPENING,
  orderId: FX,
  assetType: "fx",
  reason: "no_reference_price",
  yieldDistributed: usd("0"),
  yields: [],
  tieKey: TIE_KEY
}

const connect = (url: string, token?: string) =>
  streamClientOf(openSocket(url, token === undefined ? {} : { authorization: `Bearer ${token}` }))

const read = (texts: ReadonlyArray<string>): ReadonlyArray<Frame> => texts.map((text) => JSON.parse(text))

const send = (client: StreamClient, type: string, data?: object, id?: string) =>
  client.socket.send(
    JSON.stringify({ type, ...(id === undefined ? {} : { id }), ...(data === undefined ? {} : { data }) })
  )

/** The next frames after those that were read. */
const reader = (client: StreamClient) => {
  let count = 0
  return (more: number) =>
    Effect.map(client.received(count + more), (texts) => {
      const found = read(texts.slice(count, count + more))
      count += more
      return found
    })
}

const numbersOf = ({ frame, frames, prev, seq, type }: Frame) => [type, seq, prev, `${frame}/${frames}`]

const typesOf = (frames: ReadonlyArray<Frame>) => frames.map(({ type }) => type)

describe("a conversation", () => {
  itLive("replaces the default subscription, and says where in the log it begins", () =>
    Effect.gen(function* () {
      const { url, commit } = yield* streamFixture()
      commit(opening, minted)
      const client = yield* connect(url)
      const next = reader(client)
      send(client, "subscribe", { channels: ["settlements", "orders"], asset_type: ["gpu", "fx"] }, "1")
      const [subscribed] = yield* next(1)
      expect(subscribed).toEqual({
        type: "subscribed",
        data: {
          id: "1",
          epoch: EPOCH,
          seq: 2,
          channels: ["orders", "settlements"],
          asset_type: ["fx", "gpu"],
          order_id: []
        },
        timestamp: expect.any(String)
      })
      commit(bid(1), openingOfGpu)
      const [told] = yield* next(1)
      expect(told?.type).toBe("order_created")
      expect(Object.keys(told ?? {})).toEqual(["type", "data", "timestamp"])
    })
  )

  itLive("tells with sequence where each event is, what was skipped, and whole objects", () =>
    Effect.gen(function* () {
      const { url, commit } = yield* streamFixture()
      commit(opening)
      const client = yield* connect(url)
      const next = reader(client)
      send(client, "subscribe", { sequence: true, order_id: [FX] })
      yield* next(1)
      commit(openingOfGpu, minted, bid(1), minted, bid(2), closed)
      const frames = yield* next(6)
      expect(frames.map(numbersOf)).toEqual([
        ["commitment_submitted", 4, 1, "1/3"],
        ["order_updated", 4, 1, "2/3"],
        ["commitment_updated", 4, 1, "3/3"],
        ["commitment_submitted", 6, 4, "1/2"],
        ["commitment_updated", 6, 4, "2/2"],
        ["order_updated", 7, 6, "1/1"]
      ])
      expect(frames[1]?.data).toMatchObject({ order_id: FX, status: "competing", entry_price: 100 })
      expect(frames[2]?.data).toMatchObject({ order_id: FX, status: "active", owner_id: null, collateral: 3.81 })
      expect(frames[5]?.data).toMatchObject({ order_id: FX, status: "settling" })
    })
  )

  itLive("ends channels, one or all", () =>
    Effect.gen(function* () {
      const { url, commit, stream } = yield* streamFixture()
      const client = yield* connect(url)
      const next = reader(client)
      send(client, "unsubscribe", { channels: ["commitments", "my"] }, "u")
      expect((yield* next(1))[0]?.data).toEqual({ id: "u", channels: ["orders", "settlements", "prices"] })
      commit(opening, bid(1), openingOfGpu)
      expect(typesOf(yield* next(2))).toEqual(["order_created", "order_created"])
      send(client, "unsubscribe")
      expect((yield* next(1))[0]?.data).toEqual({ channels: [] })
      commit(opening)
      stream.publishPrice({ assetType: "fx", asset: "EUR/USD", price: usd("1"), source: "s", at: OPENING })
      send(client, "ping", undefined, "p")
      const [pong] = yield* next(1)
      expect([pong?.type, pong?.data]).toEqual(["pong", { id: "p" }])
    })
  )

  itLive("keeps the place of a sequenced subscription of which a part ends", () =>
    Effect.gen(function* () {
      const { url, commit } = yield* streamFixture()
      const client = yield* connect(url, "usr_alice")
      const next = reader(client)
      send(client, "subscribe", { channels: ["orders", "my"], sequence: true })
      yield* next(1)
      commit(opening, minted)
      yield* next(2)
      send(client, "unsubscribe", { channels: ["my"] })
      yield* next(1)
      commit(openingOfGpu)
      expect((yield* next(2)).map(({ prev, seq }) => [prev, seq])).toEqual([
        [1, 3],
        [1, 3]
      ])
    })
  )

  itLive("tells prices to whom they are of use, never sequenced", () =>
    Effect.gen(function* () {
      const { url, stream } = yield* streamFixture()
      const [all, fx, orders] = yield* Effect.all([connect(url), connect(url), connect(url)])
      const nexts = [all, fx, orders].map(reader)
      send(all, "subscribe", { sequence: true })
      send(fx, "subscribe", { channels: ["prices"], asset_type: ["fx"], order_id: [FX] })
      send(orders, "subscribe", { channels: ["orders"] })
      for (const next of nexts) yield* next(1)
      stream.publishPrice({ assetType: "gpu", asset: "H100", price: usd("2"), source: "s", at: OPENING })
      stream.publishPrice({ assetType: "fx", asset: "EUR/USD", price: usd("1"), source: "s", at: OPENING })
      send(orders, "ping")
      expect((yield* nexts[0]!(2)).map(({ data, seq }) => [data["asset"], seq])).toEqual([
        ["H100", undefined],
        ["EUR/USD", undefined]
      ])
      expect((yield* nexts[1]!(1)).map(({ data }) => data["asset"])).toEqual(["EUR/USD"])
      expect(typesOf(yield* nexts[2]!(1))).toEqual(["pong"])
    })
  )

  itLive("goes on from a position, with all that was missed", () =>
    Effect.gen(function* () {
      const { url, commit } = yield* streamFixture()
      commit(opening, bid(1), minted, bid(2))
      const client = yield* connect(url)
      const next = reader(client)
      send(client, "subscribe", { sequence: true, channels: ["commitments"], resume: { epoch: EPOCH, seq: 2 } }, "r")
      const [subscribed, ...missed] = yield* next(3)
      expect(subscribed?.data).toMatchObject({ id: "r", seq: 2 })
      commit(bid(3))
      const now = yield* next(2)
      expect([...missed, ...now].map(numbersOf)).toEqual([
        ["commitment_submitted", 4, 2, "1/2"],
        ["commitment_updated", 4, 2, "2/2"],
        ["commitment_submitted", 5, 4, "1/2"],
        ["commitment_updated", 5, 4, "2/2"]
      ])
    })
  )

  itLive("says why it cannot go on, and begins anew", () =>
    Effect.gen(function* () {
      const { url, commit, log } = yield* streamFixture()
      commit(opening)
      const client = yield* connect(url)
      const next = reader(client)
      const resume = function* (epoch: string, seq: number, reason: string) {
        send(client, "subscribe", { resume: { epoch, seq } }, "r")
        const [resync, subscribed] = yield* next(2)
        const now = log.events.length
        expect(resync).toMatchObject({ type: "resync_required", data: { id: "r", epoch: EPOCH, seq: now, reason } })
        expect(subscribed).toMatchObject({ type: "subscribed", data: { id: "r", seq: now } })
      }
      yield* resume("another", 1, "epoch_changed")
      yield* resume(EPOCH, 2, "position_unknown")
      for (let count = 0; count < MAX_REPLAY_EVENTS; count += 1_000) {
        commit(...Array.from({ length: 1_000 }, () => minted))
      }
      yield* resume(EPOCH, 0, "too_far_behind")
      commit(openingOfGpu)
      expect(typesOf(yield* next(1))).toEqual(["order_created"])
    })
  )

  itLive("answers a request that another one replaces before its snapshot is there", () =>
    Effect.gen(function* () {
      const { url } = yield* streamFixture()
      const client = yield* connect(url)
      const next = reader(client)
      const answers = (count: number) =>
        Effect.map(next(count), (frames) => frames.map(({ data: { code, id }, type }) => [type, id, code]))
      send(client, "subscribe", { snapshot: true }, "1")
      send(client, "subscribe", { snapshot: true })
      expect(yield* answers(1)).toEqual([["error", "1", "conflict"]])
      send(client, "subscribe", {}, "3")
      expect(yield* answers(2)).toEqual([
        ["error", undefined, "conflict"],
        ["subscribed", "3", undefined]
      ])
      send(client, "subscribe", { snapshot: true }, "4")
      send(client, "unsubscribe", { channels: ["prices"] }, "5")
      expect(yield* answers(1)).toEqual([["unsubscribed", "5", undefined]])
      send(client, "unsubscribe", undefined, "6")
      expect(yield* answers(2)).toEqual([
        ["error", "4", "conflict"],
        ["unsubscribed", "6", undefined]
      ])
      send(client, "subscribe", {}, "7")
      expect(yield* answers(1)).toEqual([["subscribed", "7", undefined]])
    })
  )

  itLive("tells its own outcomes to whom they are, and to nobody else", () =>
    Effect.gen(function* () {
      const { url, commit } = yield* streamFixture()
      const [alice, bob, nobody] = yield* Effect.all([connect(url, "usr_alice"), connect(url, "usr_bob"), connect(url)])
      const nexts = [alice, bob, nobody].map(reader)
      for (const client of [alice, bob, nobody]) send(client, "subscribe", { channels: ["my"] }, "m")
      expect(typesOf([(yield* nexts[0]!(1))[0]!, (yield* nexts[1]!(1))[0]!])).toEqual(["subscribed", "subscribed"])
      expect((yield* nexts[2]!(1))[0]?.data).toMatchObject({ id: "m", code: "unauthorized" })
      commit(opening, bid(1, "alice"), bid(2, "bob"), closed, voided)
      for (const [index, owner] of ["alice", "bob"].entries()) {
        const [lost] = yield* nexts[index]!(1)
        const { orderId: order_id } = terms()
        const { commitmentId: commitment_id } = commitment(index + 1)
        expect([owner, lost?.type, lost?.data]).toEqual([
          owner,
          "commitment_lost",
          { commitment_id, order_id, asset_type: "fx", reason: "void" }
        ])
      }
      expect(typesOf(yield* nexts[2]!(4))).toEqual([
        "order_created",
        "commitment_submitted",
        "commitment_submitted",
        "order_settled"
      ])
    })
  )

  itLive("closes with 4401 when what it authenticated with no longer holds", () =>
    Effect.gen(function* () {
      const { url, commit, door, pass, stream } = yield* streamFixture({ isStill: true })
      const [mine, other, public_] = yield* Effect.all([
        connect(url, "usr_alice"),
        connect(url, "usr_bob"),
        connect(url, "usr_alice")
      ])
      const next = reader(public_)
      for (const client of [mine, other]) {
        send(client, "subscribe", { channels: ["my"] })
        yield* client.received(1)
      }
      yield* pass(60_000)
      expect(stream.size()).toBe(3)
      door.withdrawn.add("usr_alice")
      yield* pass(5_000)
      expect(yield* mine.closed).toBe(4401)
      expect(stream.size()).toBe(2)
      commit(opening)
      yield* next(1)
      send(public_, "subscribe", { channels: ["my"] })
      expect((yield* next(1))[0]?.data).toMatchObject({ code: "unauthorized" })
    })
  )

  itLive("sends a heartbeat each 15 s to whom subscribed, with how far it was told", () =>
    Effect.gen(function* () {
      const { url, commit, pass } = yield* streamFixture({ isStill: true })
      const [plain, full, silent] = yield* Effect.all([connect(url), connect(url), connect(url)])
      const [nextPlain, nextFull] = [reader(plain), reader(full)]
      send(plain, "subscribe", { channels: ["settlements"] })
      send(full, "subscribe", { channels: ["orders"], sequence: true })
      yield* nextPlain(1)
      yield* nextFull(1)
      commit(opening, minted)
      yield* nextFull(2)
      yield* pass(14_999)
      expect([plain.messages.length, full.messages.length]).toEqual([1, 3])
      yield* pass(1)
      const beats = [...(yield* nextPlain(1)), ...(yield* nextFull(1))]
      expect(beats.map(({ data, type }) => [type, data])).toEqual([
        ["heartbeat", { epoch: EPOCH, seq: 2, prev: 0 }],
        ["heartbeat", { epoch: EPOCH, seq: 2, prev: 1 }]
      ])
      yield* pass(15_000)
      expect(typesOf([...(yield* nextPlain(1)), ...(yield* nextFull(1))])).toEqual(["heartbeat", "heartbeat"])
      commit(openingOfGpu)
      expect(typesOf(read(yield* silent.received(2)))).toEqual(["order_created", "order_created"])
    })
  )

  // Deno itself closes who answers no ping, after a time that a test's clock does not pass.
  const itPinged = OWN_RUNTIME === "bun" ? itLive : () => undefined
  itPinged("closes with 4408 who answers no ping, and keeps who does", () =>
    Effect.gen(function* () {
      const { url, pass, stream } = yield* streamFixture({ isStill: true })
      const client = yield* connect(url)
      const stalled = yield* connectStalled(url)
      const alive = () =>
        Effect.gen(function* () {
          yield* pass(5_000)
          const count = client.messages.length
          send(client, "ping")
          yield* client.received(count + 1)
        })
      for (let round = 0; round < 6; round++) yield* alive()
      expect(stream.size()).toBe(2)
      yield* alive()
      expect(stream.size()).toBe(1)
      expect((yield* stalled.drain).subarray(-256).includes(Buffer.from([4408 >> 8, 4408 & 255]))).toBe(true)
      for (let round = 0; round < 10; round++) yield* alive()
      expect(stream.size()).toBe(1)
    })
  )

  itLive("catches up when the log is back", () =>
    Effect.gen(function* () {
      const { url, commit, log } = yield* streamFixture()
      commit(opening, bid(1))
      const client = yield* connect(url)
      const next = reader(client)
      log.isAway = true
      send(client, "subscribe", { sequence: true, resume: { epoch: EPOCH, seq: 0 } })
      yield* next(1)
      commit(closed)
      log.isAway = false
      expect((yield* next(6)).map(({ seq }) => seq)).toEqual([1, 1, 2, 2, 2, 3])
    })
  )
})
