import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import type { Entry } from "../../../engine/actor/Journal.ts"
import { after, type BotLifeEvent, type BotState } from "../../../engine/bots/Bot.ts"
import {
  type BotRoom,
  change,
  create,
  decided,
  fund,
  giveBack,
  move,
  suspended,
  withdraw
} from "../../../engine/bots/BotLifeDecision.ts"
import { BOT_ACTS } from "../../../engine/bots/BotLifecycle.ts"
import { PRESETS } from "../../../engine/bots/Strategy.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { custodyOf, mint, walletOf } from "../../../engine/ledger/Funding.ts"
import { lossAllowanceOf } from "../../../engine/ledger/LossLimit.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { asked, decided as decision } from "../../lib/BotCases.ts"
import { property } from "../../lib/Property.ts"

const BOT = "bot_1"
const WALLET = walletOf(BOT, "USD")
const ALLOWANCE = lossAllowanceOf(BOT)
const who = { at: 1, by: "usr_1" }

const profile = {
  name: "One",
  capabilities: ["fx" as const],
  strategy: { riskPreset: "balanced" as const, ...PRESETS.balanced, maxCollateralPerTrade: usd("50") },
  creditBudget: usd("10"),
  autoTopUp: false
}

/** A bot with its ledger, and commitments that lock, win and lose. */
class World {
  readonly book = new Book()
  readonly locks = new Map<string, bigint>()
  state: BotState
  lost = 0n
  #count = 0

  constructor(amount: Amount) {
    this.book.apply([mint({ id: "m", owner: "usr_1", asset: "USD", amount: usd("1000") })])
    const bot = { botId: BOT, companyId: "cmp_1", userId: "usr_1", walletAddress: "0x1", profile, amount }
    const entry = create(bot, who)
    expect(Result.isSuccess(this.book.apply(entry.commands))).toBe(true)
    this.state = after(undefined, entry.event)
  }

  get room(): BotRoom {
    return {
      collateral: this.book.available(WALLET),
      allowance: this.book.available(ALLOWANCE),
      held: this.book.account(ALLOWANCE).held
    }
  }

  take(made: Result.Result<Entry<BotLifeEvent> | undefined, unknown>): void {
    if (Result.isFailure(made) || made.success === undefined) return
    const { commands, event } = made.success
    if (Result.isSuccess(this.book.apply(commands))) this.state = after(this.state, event)
  }

  commit(amount: Amount): boolean {
    this.#count += 1
    const id = `com_${this.#count}`
    const taken = this.book.apply([
      { _tag: "Hold", id: `${id}/limit`, account: ALLOWANCE, into: ALLOWANCE, amount },
      { _tag: "Hold", id, account: WALLET, into: custodyOf("USD"), amount }
    ])
    if (Result.isSuccess(taken)) this.locks.set(id, amount)
    return Result.isSuccess(taken)
  }

  settle(loses: boolean): void {
    const [id, amount] = [...this.locks][0] ?? []
    if (id === undefined || amount === undefined) return
    this.locks.delete(id)
    const part = fromUnits(amount)
    const of = (hold: string, to: ReturnType<typeof custodyOf>) =>
      loses
        ? ({ _tag: "Capture", hold, to, amount: part, purpose: "settlement" } as const)
        : ({ _tag: "Release", hold } as const)
    const done = this.book.apply([of(`${id}/limit`, custodyOf("USD-ALLOWANCE")), of(id, custodyOf("USD"))])
    expect(Result.isSuccess(done)).toBe(true)
    if (loses) this.lost += amount
  }
}

const amount = fc.bigInt(0n, 300n * ONE).map(fromUnits)

const step = fc.oneof(
  fc.record({ tag: fc.constantFrom("fund" as const, "withdraw" as const, "commit" as const), amount }),
  fc.record({ tag: fc.constant("settle" as const), loses: fc.boolean() }),
  fc.record({ tag: fc.constant("limit" as const), percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({
    tag: fc.constant("act" as const),
    act: fc.constantFrom(...BOT_ACTS.filter((one) => one !== "terminate"))
  }),
  fc.record({ tag: fc.constantFrom("suspend" as const, "terminate" as const, "return" as const) })
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const play = (world: World, made: Step): void => {
  const { room, state } = world
  switch (made.tag) {
    case "fund":
      return world.take(fund(state, made.amount, who))
    case "withdraw":
      return world.take(withdraw(state, made.amount, room, who))
    case "limit": {
      const strategy = { ...profile.strategy, maxLossPct: fromUnits(BigInt(made.percent) * ONE) }
      return world.take(change(state, { ...profile, strategy }, room, who))
    }
    case "act":
      return world.take(move(state, made.act, room, false, who))
    case "terminate":
      return world.take(move(state, "terminate", room, false, who))
    case "suspend":
      return world.take(Result.succeed(suspended(state, "loss_limit", 1)))
    case "return":
      return world.take(Result.succeed(giveBack(state, room, 1)))
    case "settle":
      return world.settle(made.loses)
    case "commit": {
      const locked = [...world.locks.values()].reduce((sum, one) => sum + one, 0n)
      if (made.amount === ZERO || !world.commit(made.amount)) return
      expect(state.standing.status).toBe("active")
      const most = (state.netFunded * state.profile.strategy.maxLossPct) / (100n * ONE)
      expect(world.lost + locked + made.amount <= most).toBe(true)
    }
  }
}

const world = () => new World(usd("100"))

const failure = (made: Result.Result<unknown, { readonly _tag: string }>) =>
  Result.isFailure(made) ? made.failure._tag : "taken"

describe("What is decided about a bot", () => {
  it("lets it commit only while it is active and within its part of its funding, in any order of events", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const played = world()
        for (const one of [{ tag: "act", act: "start" } as const, ...steps]) {
          play(played, one)
          const { balance } = played.book.account(ALLOWANCE)
          expect(BigInt(balance) + played.lost).toBe(BigInt(played.state.allowance))
          const all = [WALLET, walletOf("usr_1", "USD"), custodyOf("USD")]
          expect(all.reduce((sum, id) => sum + played.book.account(id).balance, 0n)).toBe(0n)
        }
      }),
      property()
    )
  })

  it("takes nothing of a terminated bot but what is given back", () => {
    const over = world()
    over.take(move(over.state, "terminate", over.room, false, who))
    const { room, state } = over
    expect(over.book.account(walletOf("usr_1", "USD")).balance).toBe(usd("1000"))
    expect([
      failure(fund(state, usd("1"), who)),
      failure(withdraw(state, usd("1"), room, who)),
      failure(change(state, profile, room, who)),
      failure(move(state, "resume", room, false, who))
    ]).toEqual(["BotEnded", "BotEnded", "BotEnded", "IllegalBotAct"])
    expect(giveBack(state, room, 1)).toBeUndefined()
    expect(giveBack(state, { ...room, collateral: usd("2") }, 1)?.event).toMatchObject({ amount: usd("2") })
    expect(giveBack(world().state, { ...room, collateral: usd("2") }, 1)).toBeUndefined()
    expect(suspended(state, "loss_limit", 1)).toBeUndefined()
  })

  it("refuses what is nothing, more than is free, or would leave less to lose than is held", () => {
    const { room, state } = world()
    expect(failure(fund(state, ZERO, who))).toBe("InvalidBotAmount")
    expect(failure(withdraw(state, ZERO, room, who))).toBe("InvalidBotAmount")
    expect(failure(withdraw(state, usd("101"), room, who))).toBe("CollateralNotFree")
    const busy = { ...room, allowance: ZERO, held: usd("10") }
    expect(failure(withdraw(state, usd("50"), busy, who))).toBe("LossLimitHeld")
    const strategy = { ...profile.strategy, maxLossPct: ONE }
    expect(failure(change(state, { ...profile, strategy }, busy, who))).toBe("LossLimitHeld")
  })

  it("changes nothing where a bot is there already", () => {
    const { room, state } = world()
    const started = Result.getOrThrow(move(state, "start", room, false, who))
    expect(started?.event._tag).toBe("BotStarted")
    expect(Result.getOrThrow(move(after(state, started!.event), "start", room, false, who))).toBeUndefined()
  })

  it("lets only an active bot decide by itself, and any that is not over decide when asked", () => {
    const { state } = world()
    const { _tag, botId, ...own } = decision
    expect([_tag, botId]).toEqual(["BotDecided", BOT])
    expect(decided(state, own)).toBeUndefined()
    const dry = asked("dec_dry", ONE, 0n)
    expect(decided(state, dry)?.event.decisionId).toBe("dec_dry")
    const over = after(state, { _tag: "BotTerminated", ...who, botId, turn: 2, allowance: ZERO, amount: ZERO })
    expect(decided(over, dry)).toBeUndefined()
    const active = after(state, { _tag: "BotStarted", ...who, botId })
    expect(decided(active, own)?.commands.length).toBeGreaterThan(0)
  })
})
