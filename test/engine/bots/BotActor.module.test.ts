import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { VaultClosed } from "../../../engine/arena/ArenaError.ts"
import type { AskedBid } from "../../../engine/bots/Evaluation.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { BOT, BotFixture, naming, offered, paused, WAKE } from "../../lib/BotFixture.ts"
import { itEffect } from "../../lib/Effects.ts"

const DECISION = `dec_${BOT}_ord_1`

const fixture = () => {
  const made = new BotFixture()
  made.orders.push(offered("ord_1"))
  return made
}

const ask = () => ({ _tag: "Evaluate", orderId: "ord_1", by: "usr_1" }) as const

const refusalOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>) =>
  Exit.isFailure(exit) ? exit.cause.reasons.map((reason) => ("error" in reason ? reason.error._tag : "")) : "answered"

const BID = {
  module: "my.ts",
  digest: "00".repeat(32),
  proposedPrice: usd("101"),
  exitPrice: usd("110"),
  quantity: usd("1"),
  tolerance: usd("0.01")
} as const

const bid = (asked: Partial<AskedBid> = {}, orderId = "ord_1", isAgain = false) =>
  ({ _tag: "Bid", orderId, asked: { ...BID, ...asked }, isAgain }) as const

const bidAgain = bid({}, "ord_1", true)

const modular = () => {
  const world = fixture()
  world.module = "my.ts"
  return world
}

describe("a bot with a module", () => {
  itEffect("decides nothing by its strategy, and cannot be asked what it would do", () =>
    Effect.gen(function* () {
      const world = modular()
      const host = yield* world.host
      yield* host.ask(BOT, WAKE)
      expect(refusalOf(yield* Effect.exit(host.ask(BOT, ask())))).toEqual(["ModuleDecides"])
      expect([world.decided, world.sent, world.creditsLeft]).toEqual([[], [], 100])
    })
  )

  itEffect("records what the module asked for with its charge, and commits that, once an order", () =>
    Effect.gen(function* () {
      const world = modular()
      const host = yield* world.host
      expect(yield* host.ask(BOT, bid())).toEqual({ _tag: "BidAnswered", refusal: undefined })
      expect(yield* host.ask(BOT, bid({ quantity: usd("2") }))).toMatchObject({ refusal: { _tag: "BidNotTaken" } })
      const [decided, ...others] = world.decided
      expect(others).toEqual([])
      expect(decided).toMatchObject({
        decisionId: DECISION,
        dryRun: false,
        by: null,
        input: { asked: BID, prices: [] }
      })
      expect(world.committed.get(DECISION)?.decision).toMatchObject({ bid: BID.proposedPrice, quantity: BID.quantity })
      expect(world.creditsLeft).toBe(99)
    })
  )

  itEffect("takes nothing, and pays nothing, of what no order could take", () =>
    Effect.gen(function* () {
      const world = modular()
      const host = yield* world.host
      const wrong = [{ quantity: usd("1000000") }, { proposedPrice: usd("50") }, { exitPrice: usd("101") }]
      for (const asked of wrong) {
        expect(yield* host.ask(BOT, bid(asked))).toMatchObject({ refusal: { _tag: "InvalidTerms" } })
      }
      expect(yield* host.ask(BOT, bid({}, "ord_9"))).toMatchObject({ refusal: { _tag: "OrderNotFound" } })
      expect(yield* host.ask(BOT, bid({ module: "other.ts" }))).toMatchObject({ refusal: { _tag: "BidNotTaken" } })
      expect([world.decided, world.sent, world.creditsLeft]).toEqual([[], [], 100])
      expect(yield* host.ask(BOT, bid())).toMatchObject({ refusal: undefined })
    })
  )

  itEffect("records what is beyond its limits, and does not commit it", () =>
    Effect.gen(function* () {
      const world = modular()
      world.funds = { ...world.funds, freeCollateral: usd("3") }
      const host = yield* world.host
      expect(yield* host.ask(BOT, bid())).toMatchObject({ refusal: { _tag: "BidBeyondLimits" } })
      expect(world.decided.map(({ decision }) => decision.code)).toEqual(["collateral_missing"])
      expect([world.sent, world.creditsLeft]).toEqual([[], 99])
    })
  )

  itEffect("is told what the order refuses, is suspended without credits, and bids nothing while it is paused", () =>
    Effect.gen(function* () {
      const world = modular()
      world.orders.push(offered("ord_2"))
      world.refusal = new VaultClosed()
      const host = yield* world.host
      expect(yield* host.ask(BOT, bid())).toMatchObject({ refusal: { _tag: "VaultClosed" } })
      world.act(paused)
      expect(yield* host.ask(BOT, bid({}, "ord_2"))).toMatchObject({ refusal: { _tag: "BidNotTaken" } })
      const poor = new BotFixture(0)
      poor.orders.push(offered("ord_1"))
      poor.module = "my.ts"
      expect(yield* (yield* poor.host).ask(BOT, bid())).toMatchObject({ refusal: { _tag: "CreditsGone" } })
      expect(poor.bot.standing).toEqual({ status: "suspended", cause: "credits_gone" })
    })
  )

  itEffect("cannot be asked once it has one, also where that is not known yet, and pays nothing", () =>
    Effect.gen(function* () {
      const world = fixture()
      const host = yield* world.host
      yield* host.ask(BOT, ask())
      world.act(naming(world, "my.ts"))
      expect(refusalOf(yield* Effect.exit(host.ask(BOT, ask())))).toEqual(["ModuleDecides"])
      expect([world.decided.length, world.creditsLeft]).toEqual([1, 99])
    })
  )

  itEffect("can be asked again once it has none, also where that is not known yet", () =>
    Effect.gen(function* () {
      const world = modular()
      const host = yield* world.host
      expect(refusalOf(yield* Effect.exit(host.ask(BOT, ask())))).toEqual(["ModuleDecides"])
      world.act(naming(world, undefined))
      expect(refusalOf(yield* Effect.exit(host.ask(BOT, ask())))).toBe("answered")
      expect([world.decided.map(({ input }) => input.asked), world.creditsLeft]).toEqual([[undefined], 99])
    })
  )

  itEffect("commits what it recorded when it is asked again, where nobody could tell what became of it", () =>
    Effect.gen(function* () {
      for (const fault of ["before", "after"] as const) {
        const world = modular()
        world.commitFaults = [fault]
        const host = yield* world.host
        expect(refusalOf(yield* Effect.exit(host.ask(BOT, bid())))).toEqual(["ActorUnavailable"])
        yield* TestClock.adjust(1)
        expect(yield* host.ask(BOT, bidAgain)).toEqual({ _tag: "BidAnswered", refusal: undefined })
        expect(yield* host.ask(BOT, bid())).toMatchObject({ refusal: { _tag: "BidNotTaken" } })
        expect([world.decided.length, world.committed.size, world.creditsLeft]).toEqual([1, 1, 99])
      }
    })
  )

  itEffect("tells what became of a bid that is sent again, whoever committed it meanwhile", () =>
    Effect.gen(function* () {
      const outcome = Effect.fnUntraced(function* (world: BotFixture, host: Effect.Success<BotFixture["host"]>) {
        expect(refusalOf(yield* Effect.exit(host.ask(BOT, bid())))).toEqual(["ActorUnavailable"])
        yield* TestClock.adjust(1)
        yield* host.ask(BOT, WAKE)
        const reply = yield* host.ask(BOT, bidAgain)
        expect([world.decided.length, world.creditsLeft]).toEqual([1, 99])
        return reply
      })
      for (const fault of ["before", "after"] as const) {
        const world = modular()
        world.commitFaults = [fault]
        expect(yield* outcome(world, yield* world.host)).toEqual({ _tag: "BidAnswered", refusal: undefined })
      }
      const refused = modular()
      refused.commitFaults = ["before"]
      refused.refusal = new VaultClosed()
      expect(yield* outcome(refused, yield* refused.host)).toMatchObject({ refusal: { _tag: "VaultClosed" } })
      const poor = modular()
      poor.funds = { ...poor.funds, freeCollateral: usd("3") }
      const host = yield* poor.host
      yield* host.ask(BOT, bid())
      expect(yield* host.ask(BOT, bidAgain)).toMatchObject({ refusal: { _tag: "BidBeyondLimits" } })
    })
  )

  itEffect("refuses after a restart what it committed before, whether or not it was woken", () =>
    Effect.gen(function* () {
      const world = modular()
      yield* Effect.scoped(Effect.flatMap(world.host, (host) => host.ask(BOT, bid())))
      const host = yield* world.host
      expect(yield* host.ask(BOT, bid())).toMatchObject({ refusal: { _tag: "BidNotTaken" } })
      expect([world.committed.size, world.creditsLeft]).toEqual([1, 99])
    })
  )

  itEffect("commits what it recorded, not another bid that comes after it", () =>
    Effect.gen(function* () {
      const world = modular()
      world.commitFaults = ["before"]
      const host = yield* world.host
      yield* Effect.exit(host.ask(BOT, bid()))
      yield* TestClock.adjust(1)
      expect(yield* host.ask(BOT, bid({ quantity: usd("2") }))).toMatchObject({ refusal: { _tag: "BidNotTaken" } })
      expect(world.committed.get(DECISION)?.decision).toMatchObject({ quantity: BID.quantity })
    })
  )

  itEffect("pays nothing while a breaker halts the order, which it can bid on after that", () =>
    Effect.gen(function* () {
      const world = modular()
      world.halted.add("fx")
      const host = yield* world.host
      expect(yield* host.ask(BOT, bid())).toMatchObject({ refusal: { _tag: "CircuitBreakerOpen" } })
      expect([world.decided, world.sent, world.creditsLeft]).toEqual([[], [], 100])
      world.halted.clear()
      world.commitFaults = ["before"]
      yield* Effect.exit(host.ask(BOT, bid()))
      yield* TestClock.adjust(1)
      world.halted.add("fx")
      expect(yield* host.ask(BOT, bid())).toMatchObject({ refusal: { _tag: "CircuitBreakerOpen" } })
      world.halted.clear()
      expect(yield* host.ask(BOT, bid())).toMatchObject({ refusal: undefined })
      expect([world.committed.size, world.creditsLeft]).toEqual([1, 99])
    })
  )

  itEffect("is not read anew for a bid on an order that it decided about", () =>
    Effect.gen(function* () {
      const world = modular()
      const host = yield* world.host
      yield* host.ask(BOT, bid())
      const { recalls } = world
      for (let again = 0; again < 5; again++) yield* host.ask(BOT, bid())
      expect(world.recalls).toBe(recalls)
    })
  )

  itEffect("commits after a restart what it recorded before, without its module", () =>
    Effect.gen(function* () {
      const world = modular()
      world.commitFaults = ["before"]
      yield* Effect.exit(Effect.scoped(Effect.flatMap(world.host, (host) => host.ask(BOT, bid()))))
      expect([world.decided.length, world.committed.size]).toEqual([1, 0])
      yield* world.wakeOnce
      expect(world.committed.get(DECISION)?.decision).toMatchObject({ bid: BID.proposedPrice })
    })
  )
})
