import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { MAX_WAITING_EVENTS, SequencedFeed } from "../../../src/stream/SequencedFeed.ts"
import { Subscription } from "../../../src/stream/Subscription.ts"
import { commitment, OPENING, terms } from "../../lib/ArenaArbitraries.ts"
import { itEffect } from "../../lib/Effects.ts"
import { MemoryLog, replayer } from "../../lib/StreamFixture.ts"

const opening: PlatformEvent = { _tag: "OrderOpened", at: OPENING, terms: terms() }
const bids = (count: number): ReadonlyArray<PlatformEvent> =>
  Array.from({ length: count }, (_, index) => ({
    _tag: "CommitmentSubmitted",
    at: OPENING,
    commitment: commitment(index + 1)
  }))

const everything = Subscription.of({ sequence: true }, null)

/** A feed on a log in memory, and one who listens to it: the sequences of the events it was told. */
const fixtureOf = Effect.fnUntraced(function* (isRead: boolean) {
  const log = new MemoryLog()
  const told: Array<number> = []
  const heard = (text: string): void => {
    const { frame, frames, seq }: Readonly<Record<string, number>> = JSON.parse(text)
    if (frame === frames && seq !== undefined) told.push(seq)
  }
  const full = new SequencedFeed(
    "full",
    yield* replayer(log),
    0,
    (_, text) => heard(text),
    () => {}
  )
  log.listeners.push((events) => full.offer(isRead ? undefined : events, log.events.length))
  yield* Effect.forkScoped(full.run)
  const listener = { send: heard, subscribe: () => {}, unsubscribe: () => {} }
  const join = (position: number) => full.join(listener, everything, { position, prev: position })
  return { log, full, told, join, listener }
})

const fixture = fixtureOf(false)

/** Lets the feed's fiber go on until it waits. */
const settle = TestClock.adjust("1 second")

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe("the sequenced feed", () => {
  itEffect("does nothing while nobody listens, and stands where the log ends", () =>
    Effect.gen(function* () {
      const { full, join, log, told } = yield* fixture
      log.commit(opening, ...bids(10))
      yield* settle
      expect([full.feed.position, log.reads, told]).toEqual([11, 0, []])
      join(11)
      log.commit(...bids(2))
      yield* settle
      expect(told).toEqual([12, 13])
    })
  )

  itEffect("reads from the log what it is told of by its place alone", () =>
    Effect.gen(function* () {
      const { join, log, told } = yield* fixtureOf(true)
      join(0)
      log.commit(opening, ...bids(10))
      log.commit(...bids(2))
      yield* settle
      expect(told).toEqual(upTo(1, 13))
      expect(log.reads).toBeGreaterThan(0)
    })
  )

  itEffect("stops when its last listener goes, also in the middle", () =>
    Effect.gen(function* () {
      const { full, join, listener, log, told } = yield* fixture
      const group = join(0)
      log.commit(opening)
      full.feed.leave(listener, group)
      log.commit(...bids(3))
      yield* settle
      expect([full.feed.position, told]).toEqual([4, []])
    })
  )

  itEffect("never goes back, whoever goes while it reads", () =>
    Effect.gen(function* () {
      const { full, join, listener, log } = yield* fixture
      const group = join(0)
      log.commit(opening)
      yield* settle
      log.commit(...bids(1))
      yield* Effect.yieldNow
      full.feed.leave(listener, group)
      log.commit(...bids(2))
      const positions = [full.feed.position]
      for (let round = 0; round < 20; round++) {
        yield* Effect.yieldNow
        positions.push(full.feed.position)
      }
      expect(positions).toEqual(positions.toSorted((one, other) => one - other))
      expect(positions.at(-1)).toBe(4)
    })
  )

  itEffect("runs for those who catch up", () =>
    Effect.gen(function* () {
      const { full, log } = yield* fixture
      yield* full.feed.expected(
        Effect.gen(function* () {
          log.commit(opening, ...bids(3))
          yield* settle
          expect(full.feed.after(0)?.map(({ frames, seq }) => [seq, frames.length])).toEqual([
            [1, 2],
            [2, 3],
            [3, 2],
            [4, 2]
          ])
        })
      )
      log.commit(...bids(1))
      expect([full.feed.position, full.feed.after(4)]).toEqual([5, undefined])
    })
  )

  itEffect("holds a bounded number of events, and reads the rest again", () =>
    Effect.gen(function* () {
      const { full, join, log, told } = yield* fixture
      join(0)
      log.commit(opening)
      yield* settle
      log.isAway = true
      log.commit(...bids(1))
      yield* settle
      expect(told).toEqual([1])
      for (let round = 0; round < 3; round++) {
        log.commit(...bids(MAX_WAITING_EVENTS / 2))
        expect(full.waiting).toBeLessThanOrEqual(MAX_WAITING_EVENTS)
      }
      log.commit(...bids(1))
      log.isAway = false
      for (let round = 0; round < 500 && full.feed.position < log.events.length; round++) yield* settle
      log.commit(...bids(1))
      yield* settle
      expect(told).toEqual(upTo(1, log.events.length))
    })
  )
})
