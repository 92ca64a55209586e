import { describe, expect } from "bun:test"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { after, type BotState } from "../../../../engine/bots/Bot.ts"
import type { BotLifeEvent } from "../../../../engine/bots/Bot.ts"
import { Unavailable } from "../../../../src/database/DatabaseError.ts"
import { MAX_LOADING, MAX_NEWS, MAX_PROGRAMS, ProgramRegistry } from "../../../../src/bots/programs/ProgramRegistry.ts"
import { MAX_FAILURES } from "../../../../src/bots/programs/ProgramSession.ts"
import { BotLife } from "../../../lib/BotLife.ts"
import { itEffect } from "../../../lib/Effects.ts"

const BOT = "bot_1"
const act = { at: 1, by: "usr_1", botId: BOT }
const started: BotLifeEvent = { _tag: "BotStarted", ...act }
const paused: BotLifeEvent = { _tag: "BotPaused", ...act }
const resumed: BotLifeEvent = { _tag: "BotResumed", ...act }

/** One bot with a module, in a world of plain values. */
class OneBot {
  state: BotState
  isAway = false
  readonly heard: Array<number> = []
  readonly suspended: Array<string> = []
  /** How many modules began to be loaded, which none comes to the end of. */
  loading = 0
  readonly registry: ProgramRegistry

  constructor(isOpen = true) {
    const { state } = new BotLife()
    this.state = { ...state, profile: { ...state.profile, strategyModule: "my.ts" } }
    const or = <A>(value: () => A) =>
      Effect.suspend(() => (this.isAway ? Effect.fail(new Unavailable({ reason: "away" })) : Effect.succeed(value())))
    this.registry = new ProgramRegistry({
      isOpen,
      find: () => or(() => this.state),
      momentsOf: (news) =>
        or(() => {
          this.heard.push(news.length)
          return []
        }),
      worldOf: () => ({
        start: Effect.suspend(() => {
          this.loading += 1
          return Effect.never
        }),
        opening: Effect.never,
        free: Effect.never,
        read: () => Result.fail({ order_id: "", code: "", message: "" }),
        bid: () => Effect.never,
        suspend: (failure) => Effect.sync(() => void this.suspended.push(failure))
      }),
      call: () => undefined
    })
  }

  record(...events: ReadonlyArray<BotLifeEvent>): void {
    for (const event of events) this.state = after(this.state, event)
    this.registry.hear(events.map((event) => ({ event, version: 1 })))
  }
}

describe("which programs there are", () => {
  itEffect("is one for each bot that is active and has a module", () =>
    Effect.gen(function* () {
      const one = new OneBot()
      const modules = Effect.map(one.registry.dispatch, () => one.registry.sessions.map(({ bot }) => bot.module))
      expect(yield* modules).toEqual([])
      one.record(started)
      expect(yield* modules).toEqual(["my.ts"])
      const [first] = one.registry.sessions
      const changed = { _tag: "BotChanged", ...act, turn: 2, allowance: one.state.allowance } as const
      one.record({ ...changed, profile: { ...one.state.profile, name: "Other" } })
      yield* one.registry.dispatch
      expect(one.registry.sessions[0]).toBe(first)
      one.record({ ...changed, profile: { ...one.state.profile, strategyModule: "other.ts" } })
      expect(yield* modules).toEqual(["other.ts"])
      one.record(paused)
      expect(yield* modules).toEqual([])
    })
  )

  itEffect("is another one where a bot was stopped and resumed between two looks", () =>
    Effect.gen(function* () {
      const one = new OneBot()
      one.record(started)
      yield* one.registry.dispatch
      const [first] = one.registry.sessions
      one.record(paused, resumed)
      yield* one.registry.dispatch
      expect(one.registry.sessions.length).toBe(1)
      expect(one.registry.sessions[0]).not.toBe(first)
    })
  )

  itEffect("is none where bots may have no modules, but for those that had one", () =>
    Effect.gen(function* () {
      const one = new OneBot(false)
      one.record(started)
      yield* one.registry.dispatch
      expect(one.registry.sessions).toEqual([])
      one.registry.mark(BOT, false)
      yield* one.registry.dispatch
      expect(one.registry.sessions.length).toBe(1)
    })
  )

  itEffect("are so many at most, and the next bot is suspended with that", () =>
    Effect.gen(function* () {
      const one = new OneBot()
      one.state = { ...one.state, standing: { status: "active", cause: null } }
      for (let bot = 0; bot <= MAX_PROGRAMS; bot++) one.registry.mark(`bot_${bot}`, false)
      yield* one.registry.dispatch
      const last = one.registry.sessions.at(-1)
      for (let failure = 0; failure < MAX_FAILURES; failure++) {
        yield* last?.round ?? Effect.void
        yield* TestClock.adjust("1 minute")
      }
      expect(one.suspended).toEqual([
        "This server runs at most 100 modules at once: try again later, or ask its operator."
      ])
    })
  )

  itEffect("load their modules a few at once", () =>
    Effect.gen(function* () {
      const one = new OneBot()
      one.state = { ...one.state, standing: { status: "active", cause: null } }
      for (let bot = 0; bot < 3 * MAX_LOADING; bot++) one.registry.mark(`bot_${bot}`, false)
      yield* one.registry.dispatch
      const fibers = yield* Effect.forEach(one.registry.sessions, ({ round }) => Effect.forkScoped(round))
      yield* TestClock.adjust("1 minute")
      expect(one.loading).toBe(MAX_LOADING)
      const [first] = fibers
      if (first !== undefined) yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 minute")
      expect(one.loading).toBe(MAX_LOADING + 1)
    })
  )

  itEffect("and what they are told outlives a database that is away, and is not more than there is room for", () =>
    Effect.gen(function* () {
      const one = new OneBot()
      one.registry.tell([{ medians: [] }])
      one.isAway = true
      one.record(started)
      expect(yield* Effect.flip(one.registry.dispatch)).toBeInstanceOf(Unavailable)
      one.isAway = false
      yield* one.registry.dispatch
      expect(one.heard).toEqual([0])
      one.registry.tell([{ medians: [] }, { medians: [] }])
      one.isAway = true
      yield* Effect.flip(one.registry.dispatch)
      one.isAway = false
      one.registry.tell([{ medians: [] }])
      yield* one.registry.dispatch
      expect(one.heard).toEqual([0, 3])
      const [first] = one.registry.sessions
      one.registry.tell(Array.from({ length: MAX_NEWS + 1 }, () => ({ medians: [] })))
      yield* one.registry.dispatch
      expect(one.heard).toEqual([0, 3, 0])
      expect(one.registry.sessions[0]).not.toBe(first)
    })
  )
})
