import { describe, expect } from "bun:test"
import { Clock, Deferred, Effect, type Fiber, Result, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { MarketFrame } from "../../../../engine/market/MarketFrame.ts"
import type { RefusedBid } from "../../../../engine/market/MarketReplay.ts"
import type { BidRequest } from "../../../../engine/market/ReplayedAuction.ts"
import { timeText } from "../../../../engine/wire/WireValue.ts"
import { bidOf } from "../../../../src/arena/ProgramBids.ts"
import { MAX_FAILURES, MEMORY_PAUSE, MIN_PAUSE, ProgramSession } from "../../../../src/bots/programs/ProgramSession.ts"
import { Unavailable } from "../../../../src/database/DatabaseError.ts"
import type { ToldMoment } from "../../../../src/bots/programs/MarketNews.ts"
import { ProgramFailed, type RunningProgram } from "../../../../src/bots/programs/ProgramThread.ts"
import { itEffect } from "../../../lib/Effects.ts"

const NOTHING = { commitments: [], wakeAt: undefined }

const request = { order_id: "ord_1", proposed_entry_price: 1, expected_exit_price: 2, quantity: 1 }

const price = (at: number): MarketFrame => ({
  type: "price_update",
  data: { asset_type: null, asset: "XAU", price: 1, safe: true },
  timestamp: timeText(at)
})

const told = (at: number) => ({ at, told: [{ frame: price(at) }] })

/** A session whose program is a function, and what came of it. */
class PlayedSession {
  readonly heard: Array<string> = []
  readonly bids: Array<BidRequest> = []
  readonly suspended: Array<string> = []
  readonly startedAt: Array<number> = []
  /** What is open when it starts. */
  open: ToldMoment["told"] = []
  running = 0
  /** What the next bid is refused for. */
  refusal: RefusedBid | undefined
  /** How many of the next bids meet a bot that does not answer. */
  away = 0
  readonly session: ProgramSession

  constructor(take: RunningProgram["take"], start: Effect.Effect<void, ProgramFailed> = Effect.void) {
    this.session = new ProgramSession(
      { botId: "bot_1", companyId: "cmp_1", module: "my.ts" },
      {
        start: Effect.gen({ self: this }, function* (): Effect.fn.Return<RunningProgram, ProgramFailed, Scope.Scope> {
          this.startedAt.push(yield* Clock.currentTimeMillis)
          yield* start
          yield* Effect.acquireRelease(
            Effect.sync(() => void (this.running += 1)),
            () => Effect.sync(() => void (this.running -= 1))
          )
          return {
            channels: new Set(["prices", "my"]),
            take: (moment, free) => {
              this.heard.push(`${moment.at} ${moment.events.map(({ type }) => type).join()}`)
              return take(moment, free)
            }
          }
        }),
        opening: Effect.map(Clock.currentTimeMillis, (at) => ({ at, told: this.open })),
        free: Effect.succeed(5),
        read: bidOf,
        bid: (bid) =>
          Effect.suspend(() => {
            this.bids.push(bid)
            this.away -= 1
            return this.away >= 0 ? Effect.fail(new Unavailable({ reason: "away" })) : Effect.succeed(this.refusal)
          }),
        suspend: (failure) => Effect.sync(() => void this.suspended.push(failure))
      }
    )
  }

  get starts(): number {
    return this.startedAt.length
  }

  get round(): Effect.Effect<void> {
    return this.session.round
  }

  /** As it runs in a process. */
  get forever(): Effect.Effect<Fiber.Fiber<never>, never, Scope.Scope> {
    return Effect.forkScoped(Effect.forever(Effect.andThen(this.session.round, this.session.called)))
  }
}

const broken = (message: string) => Effect.fail(new ProgramFailed({ message }))

describe("a program's session", () => {
  itEffect("tells what happens, and wakes at the time that was asked for", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(({ at }) =>
        Effect.succeed({ commitments: [], wakeAt: at === 10 ? 500 : undefined })
      )
      yield* played.forever
      yield* TestClock.adjust(10)
      played.session.hear(told(10))
      yield* TestClock.adjust(489)
      expect(played.heard).toEqual(["10 price_update"])
      yield* TestClock.adjust(1)
      expect(played.heard).toEqual(["10 price_update", "500 woken"])
    })
  )

  itEffect("passes on a bid, and tells why one is refused: by the bot, or because it is none", () =>
    Effect.gen(function* () {
      const commitments = [request, { ...request, quantity: "many" }, "a bid"]
      const played = new PlayedSession(({ events }) =>
        Effect.succeed({
          ...NOTHING,
          commitments: events.some(({ type }) => type === "price_update") ? commitments : []
        })
      )
      played.refusal = { order_id: "ord_1", code: "ARENA_003", message: "closed" }
      yield* played.round
      played.session.hear(told(0))
      yield* played.round
      expect(played.bids).toEqual([Result.getOrThrow(bidOf(request))])
      expect(played.heard).toEqual(["0 price_update", ...Array.from({ length: 3 }, () => "0 commitment_refused")])
      expect([played.suspended, played.running]).toEqual([[], 1])
    })
  )

  itEffect("starts a program again that fails, later each time, and suspends the bot in the end", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => broken("no luck"))
      yield* played.forever
      for (let at = 0; at < 60_000; at += 250) {
        yield* TestClock.adjust(250)
        played.session.hear(told(at))
      }
      const pauses = played.startedAt.slice(1).map((at, index) => at - (played.startedAt[index] ?? 0))
      const expected = Array.from({ length: MAX_FAILURES - 1 }, (_, index) => MIN_PAUSE * 2 ** index)
      expect(pauses.length).toBe(expected.length)
      for (const [index, pause] of pauses.entries()) expect(Math.abs(pause - (expected[index] ?? 0))).toBeLessThan(501)
      expect([played.running, played.suspended]).toEqual([0, ["no luck"]])
    })
  )

  itEffect("tells of an order once that opens while the program starts", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => Effect.succeed(NOTHING), Effect.sleep(10))
      const opens = (order: string) => ({ frame: price(0), opens: order })
      played.open = [opens("ord_1")]
      yield* played.forever
      yield* TestClock.adjust(5)
      played.session.hear({ at: 5, told: [opens("ord_1"), opens("ord_2")] })
      yield* TestClock.adjust(5)
      played.session.hear({ at: 10, told: [opens("ord_2")] })
      yield* TestClock.adjust(1)
      expect(played.heard).toEqual(["10 price_update", "10 price_update", "10 price_update"])
    })
  )

  itEffect("starts one that took too much memory again after a minute, and at last not at all", () =>
    Effect.gen(function* () {
      const tooMuch = new ProgramFailed({ message: "too much", isMemory: true })
      const played = new PlayedSession(() => Effect.succeed(NOTHING), Effect.fail(tooMuch))
      yield* played.forever
      yield* TestClock.adjust("10 minutes")
      expect(played.startedAt).toEqual(Array.from({ length: MAX_FAILURES }, (_, start) => start * MEMORY_PAUSE))
      expect(played.suspended).toEqual(["too much"])
    })
  )

  itEffect("forgives what failed before it ran for a minute", () =>
    Effect.gen(function* () {
      let broke = false
      const played = new PlayedSession(() => {
        broke = !broke
        return broke ? broken("once") : Effect.succeed(NOTHING)
      })
      yield* played.forever
      for (let minute = 0; minute < 3 * MAX_FAILURES; minute++) {
        played.session.hear(told(minute * 70_000))
        yield* TestClock.adjust(70_000)
      }
      expect(played.suspended).toEqual([])
      expect(played.starts).toBeGreaterThan(MAX_FAILURES)
    })
  )

  itEffect("forgives what failed ten minutes ago, also one that always fails", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => broken("no luck"))
      yield* played.forever
      for (let failure = 0; failure < 2 * MAX_FAILURES; failure++) {
        yield* TestClock.adjust("10 minutes")
        played.session.hear(told(failure * 600_000))
      }
      yield* TestClock.adjust("10 minutes")
      expect([played.heard.length, played.suspended]).toEqual([2 * MAX_FAILURES, []])
    })
  )

  itEffect("bids until the bot answers, and tells the program nothing of that", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => Effect.succeed({ ...NOTHING, commitments: [request] }))
      played.away = 3
      yield* played.forever
      yield* TestClock.adjust(1)
      played.session.hear(told(0))
      yield* TestClock.adjust("1 minute")
      expect([played.bids.length, played.heard]).toEqual([4, ["0 price_update"]])
    })
  )

  itEffect("takes what nobody foresaw for a failure, and tells the owner whom to ask", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => Effect.succeed(NOTHING), Effect.die("no thread"))
      yield* played.forever
      yield* TestClock.adjust("1 minute")
      expect([played.starts, played.suspended]).toEqual([
        MAX_FAILURES,
        ["The server could not go on with it: ask its operator, whose log says why."]
      ])
    })
  )

  itEffect("lets one that is late catch up, and be refused much that it does not repeat", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 100 }, () => request)
      const played = new PlayedSession(({ at, events }) =>
        Effect.succeed({
          commitments: events.some(({ type }) => type === "price_update") ? many : [],
          wakeAt: at === 0 || events.some(({ type }) => type === "woken") ? at + 10 : undefined
        })
      )
      played.refusal = { order_id: "ord_1", code: "conflict", message: "taken" }
      yield* played.round
      for (let at = 0; at < 3; at++) played.session.hear(told(at))
      yield* played.round
      yield* TestClock.adjust("20 seconds")
      yield* played.round
      expect([played.starts, played.running]).toEqual([1, 1])
      expect(played.heard.length).toBeGreaterThan(2_000)
    })
  )

  itEffect("ends one soon that repeats what was refused", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => Effect.succeed({ ...NOTHING, commitments: [request] }))
      played.refusal = { order_id: "ord_1", code: "conflict", message: "taken" }
      yield* played.round
      played.session.hear(told(0))
      yield* played.round
      expect([played.running, played.bids.length]).toEqual([0, 201])
    })
  )

  itEffect("takes who cannot be loaded for failed", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => Effect.succeed(NOTHING), broken("There is no file my.ts."))
      yield* played.forever
      yield* TestClock.adjust("1 minute")
      expect([played.starts, played.suspended]).toEqual([MAX_FAILURES, ["There is no file my.ts."]])
    })
  )

  itEffect("ends one that acts without end, asks for too much at once, or does not keep up", () =>
    Effect.gen(function* () {
      const failures = Effect.fnUntraced(function* (take: RunningProgram["take"], moments = 1) {
        const played = new PlayedSession(take)
        for (let failure = 0; failure < MAX_FAILURES; failure++) {
          yield* played.round
          for (let at = 0; at < moments; at++) played.session.hear(told(at))
          yield* played.round
          yield* TestClock.adjust("1 minute")
        }
        return played.suspended
      })
      expect(yield* failures(() => Effect.succeed({ commitments: [{}], wakeAt: undefined }))).toEqual([
        "It acts without end: wake it later, and do not repeat what was refused."
      ])
      expect(yield* failures(({ at }) => Effect.succeed({ commitments: [], wakeAt: at }))).toEqual([
        "It acts without end: wake it later, and do not repeat what was refused."
      ])
      const many = Array.from({ length: 101 }, () => request)
      expect(yield* failures(() => Effect.succeed({ ...NOTHING, commitments: many }))).toEqual([
        "It asked for more than 100 bids at once."
      ])
      expect(yield* failures(() => Effect.succeed(NOTHING), 10_001)).toEqual(["It does not keep up with the market."])
    })
  )

  itEffect("tells what failed in text that the database can store", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => Effect.succeed(NOTHING), broken(`a\u0000b\n\ud800${"😀".repeat(600)}`))
      yield* played.forever
      yield* TestClock.adjust("1 minute")
      const [told = ""] = played.suspended
      expect(told.startsWith("a b 😀")).toBe(true)
      expect(told).not.toMatch(/[\p{Cc}\p{Cs}]/u)
      expect(told.length).toBeLessThanOrEqual(1_000)
    })
  )

  itEffect("counts no failure that its own end makes", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<never, ProgramFailed>()
      const played = new PlayedSession(() => Deferred.await(ended))
      yield* played.forever
      yield* TestClock.adjust(1)
      played.session.hear(told(1))
      yield* TestClock.adjust(1)
      yield* played.session.close
      yield* Deferred.fail(ended, new ProgramFailed({ message: "It ended by itself." }))
      yield* TestClock.adjust("1 minute")
      expect([played.heard, played.starts, played.running]).toEqual([["1 price_update"], 1, 0])
    })
  )

  itEffect("ends its program when it is closed, also one that is just being loaded", () =>
    Effect.gen(function* () {
      const played = new PlayedSession(() => Effect.succeed(NOTHING))
      yield* played.round
      yield* played.session.close
      yield* played.round
      played.session.hear(told(1))
      expect([played.running, played.starts, played.heard]).toEqual([0, 1, []])
      const loading = new PlayedSession(() => Effect.succeed(NOTHING), Effect.sleep(1_000))
      const fiber = yield* loading.forever
      yield* TestClock.adjust(10)
      yield* loading.session.close
      yield* TestClock.adjust(2_000)
      expect([loading.running, loading.starts]).toEqual([0, 1])
      fiber.interruptUnsafe()
    })
  )
})
