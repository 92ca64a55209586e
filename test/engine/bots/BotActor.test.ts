import { describe, expect, it } from "bun:test"
import { Clock, Effect, Exit, Layer } from "effect"
import fc from "fast-check"
import { TestClock } from "effect/testing"
import { InsufficientCollateral, VaultClosed } from "../../../engine/arena/ArenaError.ts"
import { isHalted } from "../../../engine/bots/BotActor.ts"
import { evaluate } from "../../../engine/bots/Evaluation.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import {
  BOT,
  BotFixture,
  type CommitFault,
  offered,
  paused,
  RELOAD,
  resumed,
  terminated,
  trading,
  WAKE
} from "../../lib/BotFixture.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { quiet } from "../../lib/Quiet.ts"

const DECISION = `dec_${BOT}_ord_1`

const fixture = (credits?: number) => {
  const made = new BotFixture(credits)
  made.orders.push(offered("ord_1"))
  return made
}

const ask = (orderId = "ord_1") => ({ _tag: "Evaluate", orderId, by: "usr_1" }) as const

const refusalOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>) =>
  Exit.isFailure(exit) ? exit.cause.reasons.map((reason) => ("error" in reason ? reason.error._tag : "")) : "answered"

describe("a bot by itself", () => {
  itEffect("decides about each order once, records it with its charge, and commits it", () =>
    Effect.gen(function* () {
      const world = fixture()
      const host = yield* world.host
      yield* host.ask(BOT, WAKE)
      yield* host.ask(BOT, WAKE)
      world.orders.push(offered("ord_2"))
      yield* host.ask(BOT, WAKE)
      expect(world.decided.map(({ decisionId, dryRun, by }) => [decisionId, dryRun, by])).toEqual([
        [DECISION, false, null],
        [`dec_${BOT}_ord_2`, false, null]
      ])
      expect(world.sent).toEqual([DECISION, `dec_${BOT}_ord_2`])
      expect(world.creditsLeft).toBe(98)
    })
  )

  itEffect("leaves an order until there are prices, and pays nothing for it", () =>
    Effect.gen(function* () {
      const world = fixture()
      const prices = world.history
      const host = yield* world.host
      world.history = prices.slice(0, 4)
      yield* host.ask(BOT, WAKE)
      expect([world.decided, world.sent, world.creditsLeft]).toEqual([[], [], 100])
      const asked = yield* host.ask(BOT, ask())
      expect(asked).toMatchObject({ recorded: { event: { dryRun: true, decision: { code: "price_missing" } } } })
      world.history = prices
      yield* host.ask(BOT, WAKE)
      yield* host.ask(BOT, WAKE)
      expect(world.sent).toEqual([DECISION])
      expect(world.decided.map(({ dryRun }) => dryRun)).toEqual([true, false])
      expect(world.creditsLeft).toBe(98)
    })
  )

  itEffect("keeps with the decision all that it was decided on", () =>
    Effect.gen(function* () {
      const world = fixture()
      yield* world.wakeOnce
      const [decided] = world.decided
      expect(decided?.decision).toEqual(evaluate(decided!.input))
      expect(decided?.decision.code).toBe("commit")
      expect(decided?.charge).toMatchObject({ chargeId: DECISION, free: usd("1") })
      expect(world.committed.get(DECISION)?.decision).toEqual(decided!.decision)
    })
  )

  itEffect("commits nothing where the decision is not to", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.history = world.history.toReversed()
      yield* world.wakeOnce
      expect(world.decided.map(({ decision }) => decision.code)).toEqual(["roi_too_low"])
      expect(world.sent).toEqual([])
    })
  )

  itEffect("leaves orders that it does not trade, or that are closed", () =>
    Effect.gen(function* () {
      const world = new BotFixture()
      world.orders.push(offered("ord_1", { assetType: "gpu" }), offered("ord_2", { expiryAt: 0 }))
      yield* world.wakeOnce
      expect(world.decided).toEqual([])
      expect(world.creditsLeft).toBe(100)
    })
  )

  itEffect("does nothing while it is not active, and goes on when it is", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.act(paused)
      const host = yield* world.host
      yield* host.ask(BOT, WAKE)
      expect(world.decided).toEqual([])
      world.act(resumed)
      yield* host.ask(BOT, RELOAD)
      expect(world.decided).toHaveLength(1)
    })
  )

  itEffect("trades by its new profile without a restart", () =>
    Effect.gen(function* () {
      const world = new BotFixture()
      world.orders.push(offered("ord_1", { assetType: "gpu" }))
      const host = yield* world.host
      yield* host.ask(BOT, WAKE)
      world.act(trading(world, ["gpu"]))
      yield* host.ask(BOT, RELOAD)
      expect(world.sent).toEqual([DECISION])
    })
  )

  itEffect("takes a refusal for final while it runs", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.refusal = new InsufficientCollateral({ needed: usd("2"), available: usd("1") })
      const host = yield* world.host
      yield* host.ask(BOT, WAKE)
      world.refusal = undefined
      yield* host.ask(BOT, WAKE)
      expect(world.sent).toEqual([DECISION])
    })
  )

  itEffect("that is not there is refused", () =>
    Effect.gen(function* () {
      const host = yield* new BotFixture().host
      expect(refusalOf(yield* Effect.exit(host.ask("bot_2", WAKE)))).toEqual(["BotNotFound"])
    })
  )
})

describe("after a restart", () => {
  itEffect("what was decided and not committed is committed, and not decided again", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.commitFaults = ["before"]
      expect(Exit.isFailure(yield* world.wakeOnce)).toBe(true)
      yield* world.wakeOnce
      expect(world.sent).toEqual([DECISION, DECISION])
      expect(world.committed.has(DECISION)).toBe(true)
      expect(world.decided).toHaveLength(1)
      expect(world.creditsLeft).toBe(99)
    })
  )

  itEffect("what was committed without an answer is not committed twice", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.commitFaults = ["after"]
      yield* world.wakeOnce
      expect(Exit.isSuccess(yield* world.wakeOnce)).toBe(true)
      expect(world.committed.has(DECISION)).toBe(true)
    })
  )

  itEffect("nothing is committed by a bot that is not active any more, or to an order that closed", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.commitFaults = ["before", "before"]
      yield* world.wakeOnce
      world.act(paused)
      yield* world.wakeOnce
      expect(world.sent).toHaveLength(1)
      world.act(resumed)
      yield* TestClock.adjust(1_000)
      yield* world.wakeOnce
      expect(world.sent).toHaveLength(1)
    })
  )

  itEffect("a refusal that was not recorded is heard again", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.refusal = new VaultClosed()
      yield* world.wakeOnce
      world.refusal = undefined
      yield* world.wakeOnce
      expect(world.committed.has(DECISION)).toBe(true)
    })
  )
})

describe("where another writes first", () => {
  itEffect("it decides on what holds then, and is charged once", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.meanwhile = () => world.act(trading(world, ["fx", "gpu"]))
      yield* world.wakeOnce
      expect(world.decided).toHaveLength(1)
      expect(world.creditsLeft).toBe(99)
    })
  )

  itEffect("a pause keeps it from deciding, and from paying", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.meanwhile = () => world.act(paused)
      yield* world.wakeOnce
      expect(world.decided).toEqual([])
      expect(world.creditsLeft).toBe(100)
    })
  )

  itEffect("a suspension gives way to a pause", () =>
    Effect.gen(function* () {
      const world = fixture(0)
      world.meanwhile = () => world.act(paused)
      yield* world.wakeOnce
      expect(world.bot.standing).toEqual({ status: "paused", cause: null })
    })
  )
})

describe("it suspends itself", () => {
  itEffect("when its credits are gone, before it decides", () =>
    Effect.gen(function* () {
      const world = fixture(1)
      world.orders.push(offered("ord_2"), offered("ord_3"))
      yield* world.wakeOnce
      expect(world.bot.standing).toEqual({ status: "suspended", cause: "credits_gone" })
      expect(world.decided).toHaveLength(1)
      expect(world.sent).toEqual([DECISION])
    })
  )

  itEffect("when its loss limit is used up by losses, not by what it has locked", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.funds = { ...world.funds, lossBudget: usd("0"), lossLocked: usd("1") }
      yield* world.wakeOnce
      expect(world.bot.standing.status).toBe("active")
      world.orders.push(offered("ord_2"))
      world.funds = { ...world.funds, lossLocked: usd("0") }
      yield* world.wakeOnce
      expect(world.bot.standing).toEqual({ status: "suspended", cause: "loss_limit" })
      expect(world.decided.map(({ decision }) => decision.code)).toEqual(["loss_limit", "loss_limit"])
    })
  )

  itEffect("when breakers keep it from all that it trades, and then pays for nothing", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.act(trading(world, ["fx", "gpu"]))
      world.halted.add("fx")
      const host = yield* world.host
      yield* host.ask(BOT, WAKE)
      expect(world.bot.standing.status).toBe("active")
      expect(world.creditsLeft).toBe(100)
      world.halted.add("gpu")
      yield* host.ask(BOT, WAKE)
      expect(world.bot.standing).toEqual({ status: "suspended", cause: "breaker_open" })
      expect(isHalted(["fx", "gpu"], world.halt, 0)).toBe(true)
      expect(isHalted(["fx", "commodity"], world.halt, 0)).toBe(false)
      world.halted.clear()
      world.act(resumed)
      yield* host.ask(BOT, RELOAD)
      expect(world.sent).toEqual([DECISION])
    })
  )
})

describe("an evaluation that is asked for", () => {
  itEffect("is recorded for whoever asked, charged, and not acted on", () =>
    Effect.gen(function* () {
      const world = fixture()
      world.act(paused)
      const host = yield* world.host
      const first = yield* host.ask(BOT, ask())
      yield* host.ask(BOT, ask())
      expect(first).toMatchObject({ _tag: "Evaluated", recorded: { event: { dryRun: true, by: "usr_1" } } })
      const [one, two] = world.decided
      expect(new Set([one?.decisionId, two?.decisionId, DECISION]).size).toBe(3)
      expect(world.creditsLeft).toBe(98)
      expect(world.sent).toEqual([])
    })
  )

  itEffect("does not stand for the bot's own", () =>
    Effect.gen(function* () {
      const world = fixture()
      const host = yield* world.host
      yield* host.ask(BOT, ask())
      yield* host.ask(BOT, WAKE)
      expect(world.sent).toEqual([DECISION])
    })
  )

  itEffect("costs nothing where it fails", () =>
    Effect.gen(function* () {
      const world = fixture(1)
      const host = yield* world.host
      expect(refusalOf(yield* Effect.exit(host.ask(BOT, ask("ord_9"))))).toEqual(["OrderNotFound"])
      yield* host.ask(BOT, ask())
      expect(refusalOf(yield* Effect.exit(host.ask(BOT, ask())))).toEqual(["CreditsGone"])
      expect(world.bot.standing.status).toBe("active")
      world.act(terminated)
      yield* host.ask(BOT, RELOAD)
      expect(refusalOf(yield* Effect.exit(host.ask(BOT, ask())))).toEqual(["BotOver"])
      expect(world.creditsLeft).toBe(0)
    })
  )
})

type Step = "wake" | "order" | "pause" | "resume" | "evaluate" | "breaker" | "minute" | CommitFault

const STEPS: ReadonlyArray<Step> = [
  "wake",
  "wake",
  "order",
  "pause",
  "resume",
  "evaluate",
  "breaker",
  "minute",
  "before",
  "after"
]

const play = Effect.fnUntraced(function* (world: BotFixture, step: Step) {
  const { status } = world.bot.standing
  switch (step) {
    case "wake":
      return yield* world.wakeOnce
    case "order": {
      const now = yield* Clock.currentTimeMillis
      world.orders.push(offered(`ord_${world.orders.length + 1}`, { openedAt: now, expiryAt: now + 120_000 }))
      return
    }
    case "pause":
      return status === "active" ? world.act(paused) : undefined
    case "resume":
      return status === "paused" || status === "suspended" ? world.act(resumed) : undefined
    case "evaluate": {
      const asked = Effect.flatMap(world.host, (host) => Effect.exit(host.ask(BOT, ask())))
      return yield* Effect.scoped(asked)
    }
    case "breaker":
      return void (world.halted.delete("fx") || world.halted.add("fx"))
    case "minute":
      return yield* TestClock.adjust(60_000)
    case "before":
    case "after":
      return void world.commitFaults.push(step)
  }
})

describe("over any interleaving of its owner's acts, orders, restarts and lost answers", () => {
  const holds = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
    const world = fixture(8)
    for (const step of steps) {
      const before = world.sent.length
      const wasActive = world.bot.standing.status === "active"
      yield* play(world, step)
      if (!wasActive) expect(world.sent).toHaveLength(before)
    }
    const own = world.decided.filter(({ dryRun }) => !dryRun)
    expect(new Set(own.map(({ orderId }) => orderId)).size).toBe(own.length)
    const toCommit = own.flatMap(({ decision, decisionId }) => (decision.code === "commit" ? [decisionId] : []))
    expect(toCommit).toEqual(expect.arrayContaining([...world.committed.keys()]))
    expect(world.creditsLeft).toBe(8 - world.decided.length)
    for (const { decision, input } of world.decided) expect(evaluate(input)).toEqual(decision)
  })

  it("each order is decided about once, each decision costs its credit, and only an active bot commits", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 40 }), (steps) =>
        Effect.runPromise(Effect.scoped(holds(steps)).pipe(Effect.provide(Layer.merge(TestClock.layer(), quiet))))
      ),
      property(4)
    ))
})
