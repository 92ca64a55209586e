import { describe, expect, it } from "bun:test"
import { Clock, Effect, Fiber, Semaphore, Stream } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { ApiError } from "../../../src/api/ApiError.ts"
import { HEARTBEAT_MILLIS } from "../../../src/api/ArenaStreamProtocol.ts"
import { StreamProgress } from "../../../packages/client/src/StreamProgress.ts"
import { readWireFrame } from "../../../packages/client/src/WireFrame.ts"
import { CatchUp } from "../../../src/stream/CatchUp.ts"
import { Feed } from "../../../src/stream/Feed.ts"
import { type FrameJson, PulledStream } from "../../../src/stream/PulledStream.ts"
import { SequencedFeed } from "../../../src/stream/SequencedFeed.ts"
import { SlowConsumers } from "../../../src/stream/SlowConsumers.ts"
import { priceFrame } from "../../../src/stream/StreamEvent.ts"
import { commitment, OPENING, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { EPOCH, MemoryLog, replayer } from "../../lib/StreamFixture.ts"

const opening: PlatformEvent = { _tag: "OrderOpened", at: OPENING, terms: terms() }
const bids = (count: number): ReadonlyArray<PlatformEvent> =>
  Array.from({ length: count }, (_, index) => ({
    _tag: "CommitmentSubmitted",
    at: OPENING,
    commitment: commitment(index + 1)
  }))

const settle = TestClock.adjust("1 second")

/** A log in memory, and the stream that is pulled from it. */
const fixture = Effect.gen(function* () {
  const log = new MemoryLog()
  const replay = yield* replayer(log)
  const publish = () => {}
  const full = new SequencedFeed("full", replay, 0, publish, () => {})
  const plain = new Feed("plain", 0, publish)
  log.listeners.push((events) => {
    const seq = events.at(-1)?.seq ?? plain.position
    plain.skipTo(seq)
    full.offer(events, seq)
  })
  yield* Effect.forkScoped(full.run)
  const slow = new SlowConsumers(() => {})
  const clock = yield* Clock.Clock
  const orders = undefined as never
  const prices = undefined as never
  const sources = { arrivalOf: undefined, clock, epoch: EPOCH, plain, full, replay, prices, orders, slow }
  return { log, full, pulled: new PulledStream(sources, new CatchUp(sources)) }
})

/** A reader that takes a frame for each permit it is given. */
const reading = <E>(stream: Stream.Stream<FrameJson, E>) =>
  Effect.gen(function* () {
    const frames: Array<FrameJson> = []
    const permits = yield* Semaphore.make(0)
    const fiber = yield* Effect.forkChild(
      Stream.runForEachArray(stream, (piece) =>
        Effect.forEach(piece, (frame) =>
          Effect.map(permits.take(1), () => {
            frames.push(frame)
          })
        )
      )
    )
    return { frames, fiber, allow: (count: number) => permits.release(count) }
  })

/** What a client makes of frames: the events that it was told, each whole, and what breaks the rules. */
const proven = (frames: ReadonlyArray<FrameJson>, from?: { readonly epoch: string; readonly seq: number }) => {
  const progress = new StreamProgress(false, from)
  progress.connect()
  const steps = frames.map((frame) => progress.take(readWireFrame(JSON.stringify(frame))!))
  return {
    events: steps.flatMap((step) => (step?.kind === "event" ? [step.position.seq] : [])),
    problems: steps.filter((step) => step?.kind === "breach")
  }
}

const sequence = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

describe("the pulled stream", () => {
  const anyAct = fc.record({ commit: fc.nat(40), allow: fc.nat(60), settles: fc.boolean() })

  it("tells every event once, in order, at any pace of commits and of the reader", () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyAct, { maxLength: 12 }), fc.nat(20), (acts, before) => {
        const play = Effect.gen(function* () {
          const { log, pulled } = yield* fixture
          log.commit(opening, ...bids(before))
          const { allow, fiber, frames } = yield* reading(pulled.subscribe({}, "usr_1", Effect.void))
          yield* settle
          for (const act of acts) {
            log.commit(...bids(act.commit))
            yield* allow(act.allow)
            if (act.settles) yield* settle
          }
          yield* allow(10_000)
          yield* Effect.repeat(settle, { times: 5 })
          const { events, problems } = proven(frames)
          expect(problems).toEqual([])
          expect(events).toEqual(sequence(before + 2, log.events.length))
          yield* Fiber.interrupt(fiber)
        })
        return Effect.runPromise(play.pipe(Effect.scoped, Effect.provide(TestClock.layer())))
      }),
      property(10)
    ))

  itEffect("reads from the log what a slow reader has missed, a piece at a time", () =>
    Effect.gen(function* () {
      const { log, pulled } = yield* fixture
      const { allow, fiber, frames } = yield* reading(pulled.subscribe({}, "usr_1", Effect.void))
      yield* settle
      log.commit(opening)
      for (let round = 0; round < 20; round++) {
        log.commit(...bids(250))
        yield* settle
      }
      expect(log.reads).toBeLessThan(3)
      expect(frames).toEqual([])
      yield* allow(100_000)
      while (frames.length < 10_000) yield* settle
      expect(log.reads).toBeGreaterThan(5)
      const { events, problems } = proven(frames)
      expect(problems).toEqual([])
      expect(events).toEqual(sequence(1, 5_001))
      yield* Fiber.interrupt(fiber)
    })
  )

  itEffect("goes on after a position, or says why it cannot", () =>
    Effect.gen(function* () {
      const { log, pulled } = yield* fixture
      log.commit(opening, ...bids(600))
      const from = { epoch: EPOCH, seq: 100 }
      const resumed = yield* reading(pulled.subscribe({ resume: from }, "usr_1", Effect.void))
      yield* resumed.allow(100_000)
      yield* Effect.repeat(settle, { times: 10 })
      expect(proven(resumed.frames, from)).toEqual({ events: sequence(101, 601), problems: [] })
      const elsewhere = yield* reading(pulled.subscribe({ resume: { epoch: "another", seq: 1 } }, "usr_1", Effect.void))
      yield* elsewhere.allow(2)
      yield* settle
      expect(elsewhere.frames.map(({ data, type }) => [type, (data as { readonly seq: number }).seq])).toEqual([
        ["resync_required", 601],
        ["subscribed", 601]
      ])
    })
  )

  itEffect("keeps the newest price of an asset for who reads slowly, and gives signs of life", () =>
    Effect.gen(function* () {
      const { full, pulled } = yield* fixture
      const { allow, frames } = yield* reading(pulled.subscribe({ channels: ["prices"] }, "usr_1", Effect.void))
      yield* allow(2)
      yield* settle
      const tell = (asset: string, dollars: string) =>
        full.feed.tellPrice(priceFrame({ assetType: "fx", asset, price: usd(dollars), source: "test", at: OPENING }))
      tell("EUR", "1")
      yield* settle
      for (const price of ["2", "3", "4"]) tell("EUR", price)
      tell("GBP", "5")
      yield* allow(4)
      yield* settle
      const pricesOf = () =>
        frames.flatMap(({ data, type }) =>
          type === "price_update" ? [(data as { readonly price: number }).price] : []
        )
      expect(pricesOf()).toEqual([1, 2, 4, 5])
      yield* TestClock.adjust(HEARTBEAT_MILLIS)
      expect(frames.map(({ type }) => type).at(-1)).toBe("heartbeat")
    })
  )

  itEffect("ends for whom may not go on, before it is told more", () =>
    Effect.gen(function* () {
      const { log, pulled } = yield* fixture
      let isAllowed = true
      const mayGoOn = Effect.suspend(() => (isAllowed ? Effect.void : Effect.fail(new ApiError("unauthorized"))))
      const { allow, fiber, frames } = yield* reading(pulled.subscribe({}, "usr_1", mayGoOn))
      yield* allow(100)
      log.commit(opening)
      yield* settle
      const { length } = frames
      isAllowed = false
      log.commit(...bids(1))
      const error = yield* Effect.flip(Fiber.join(fiber))
      expect(error).toMatchObject({ code: "unauthorized" })
      expect(frames).toHaveLength(length)
    })
  )
})
