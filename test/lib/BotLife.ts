import { Result } from "effect"
import fc from "fast-check"
import { encodeEvent } from "../../engine/actor/EventChain.ts"
import type { Entry } from "../../engine/actor/Journal.ts"
import { after, type BotLifeEvent, type BotState } from "../../engine/bots/Bot.ts"
import {
  change,
  create,
  decided,
  fund,
  giveBack,
  move,
  suspended,
  withdraw
} from "../../engine/bots/BotLifeDecision.ts"
import { type BotProfile, decisionIdOf, streamOf } from "../../engine/bots/BotEvent.ts"
import { BOT_ACTS } from "../../engine/bots/BotLifecycle.ts"
import { type AskedBid, evaluate, type EvaluationInput } from "../../engine/bots/Evaluation.ts"
import { PRESETS } from "../../engine/bots/Strategy.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { Book } from "../../engine/ledger/Book.ts"
import { custodyOf, mint, walletOf } from "../../engine/ledger/Funding.ts"
import { lossAllowanceOf } from "../../engine/ledger/LossLimit.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"

const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)

const BOT = "bot_1"
export const USER = "usr_1"
export const COLLATERAL = walletOf(BOT, "USD")
export const ALLOWANCE = lossAllowanceOf(BOT)
const MAKER: AccountId = walletOf("maker", "USD")

const profile: BotProfile = {
  name: "Robot",
  capabilities: ["fx", "gpu"],
  strategy: { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: usd(50) },
  creditBudget: usd(100),
  autoTopUp: false
}

const BID: AskedBid = {
  module: "my.ts",
  digest: "00".repeat(32),
  proposedPrice: usd(101),
  exitPrice: usd(110),
  quantity: usd(1),
  tolerance: ZERO
}

/** What may happen to a bot. */
export const anyStep = fc.oneof(
  fc.record({ what: fc.constantFrom(...BOT_ACTS.filter((act) => act !== "terminate")) }),
  fc.record({ what: fc.constantFrom("fund" as const, "withdraw" as const), dollars: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ what: fc.constant("limit" as const), percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ what: fc.constantFrom("commit" as const), dollars: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ what: fc.constant("module" as const), named: fc.boolean() }),
  fc.record({ what: fc.constantFrom("bid" as const, "evaluate" as const) }),
  fc.record({ what: fc.constant("settle" as const), result: fc.integer({ min: -40, max: 40 }) }),
  fc.record({ what: fc.constantFrom("suspend" as const, "terminate" as const, "return" as const) })
)

type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never

/** A bot that lives by the engine's decisions on a ledger in memory. */
export class BotLife {
  readonly book = new Book()
  readonly stored: Array<StoredEvent> = []
  readonly held = new Map<string, Amount>()
  state: BotState
  lost = 0n
  #at = 0
  #commitments = 0

  constructor(amount = 100) {
    this.book.apply([mint({ id: "1", owner: USER, asset: "USD", amount: usd(1_000) })])
    this.book.apply([mint({ id: "2", owner: "maker", asset: "USD", amount: usd(1_000) })])
    const of = { botId: BOT, companyId: "cmp_1", userId: USER, walletAddress: "0x1", profile, amount: usd(amount) }
    const made = create(of, this.#by)
    this.state = after(undefined, made.event)
    this.#record(made, 1)
  }

  get #by() {
    this.#at += 1
    return { at: this.#at, by: USER }
  }

  get room() {
    const { held } = this.book.account(ALLOWANCE)
    return { collateral: this.book.available(COLLATERAL), allowance: this.book.available(ALLOWANCE), held }
  }

  /** Takes a step where the engine does; answers whether it did. */
  take(step: Step): boolean {
    switch (step.what) {
      case "commit":
        return this.#commit(usd(step.dollars))
      case "settle":
        return this.#settle(usd(step.result))
      case "fund":
        return this.#write(fund(this.state, usd(step.dollars), this.#by))
      case "withdraw":
        return this.#write(withdraw(this.state, usd(step.dollars), this.room, this.#by))
      case "limit": {
        const strategy = { ...profile.strategy, riskPreset: "custom" as const, maxLossPct: usd(step.percent) }
        return this.#write(change(this.state, { ...this.state.profile, strategy }, this.room, this.#by))
      }
      case "module": {
        const { strategyModule: _, ...others } = this.state.profile
        const next = { ...others, ...(step.named && { strategyModule: "my.ts" }) }
        return this.#write(change(this.state, next, this.room, this.#by))
      }
      case "bid":
      case "evaluate":
        return this.#decide(step.what === "bid")
      case "suspend":
        return this.#write(
          Result.succeed(
            this.state.profile.strategyModule === undefined
              ? suspended(this.state, "loss_limit", this.#by.at)
              : suspended(this.state, "module_failed", this.#by.at, "It gave no answer within 5s.")
          )
        )
      case "return":
        return this.#write(Result.succeed(giveBack(this.state, this.room, this.#by.at)))
      default:
        return this.#write(move(this.state, step.what, this.room, false, this.#by))
    }
  }

  /** A decision about an order of its own, as its module or its strategy makes it, where that is who decides. */
  #decide(asks: boolean): boolean {
    const { profile: current } = this.state
    if (asks !== (current.strategyModule !== undefined)) return false
    const { at } = this.#by
    const orderId = `ord_${at}`
    const input: EvaluationInput = {
      at,
      strategy: current.strategy,
      order: { orderId, assetType: "fx", entryPrice: usd(100), quantity: usd(10), expiryAt: at + 1 },
      prices: [],
      freeCollateral: this.room.collateral,
      lossBudget: this.room.allowance,
      capable: true,
      halted: false,
      shade: ZERO,
      ...(asks && { asked: BID })
    }
    const decision = evaluate(input)
    const made = { at, by: null, decisionId: decisionIdOf(BOT, orderId), orderId, dryRun: false, charge: null }
    return this.#write(Result.succeed(decided(this.state, { ...made, input, decision })))
  }

  #commit(amount: Amount): boolean {
    this.#commitments += 1
    const id = `${this.#commitments}`
    const of = { _tag: "Hold", amount } as const
    const applied = this.book.apply([
      { ...of, id: `allowance/${id}`, account: ALLOWANCE, into: ALLOWANCE },
      { ...of, id: `collateral/${id}`, account: COLLATERAL, into: "platform/USD/vault" }
    ])
    if (Result.isFailure(applied)) return false
    this.held.set(id, amount)
    return true
  }

  #settle(result: Amount): boolean {
    const [open] = this.held
    if (open === undefined) return false
    const [id, amount] = open
    this.held.delete(id)
    const holds = { collateral: `collateral/${id}`, allowance: `allowance/${id}` }
    if (result >= 0n) {
      this.book.apply([
        { _tag: "Release", hold: holds.collateral },
        { _tag: "Release", hold: holds.allowance }
      ])
      const profit = { id: `profit/${id}`, from: MAKER, to: COLLATERAL, amount: result, purpose: "settlement" } as const
      if (result > 0n) this.book.apply([{ _tag: "Transfer", ...profit }])
      return true
    }
    const loss = fromUnits(-result < amount ? -result : amount)
    this.lost += loss
    const allowance = { to: custodyOf("USD-ALLOWANCE"), amount: loss, purpose: "allowance" } as const
    this.book.apply([
      { _tag: "Capture", hold: holds.collateral, to: MAKER, amount: loss, purpose: "settlement" },
      { _tag: "Capture", hold: holds.allowance, ...allowance }
    ])
    return true
  }

  #write(decided: Result.Result<Entry<BotLifeEvent> | undefined, unknown>): boolean {
    if (Result.isFailure(decided) || decided.success === undefined) return false
    const entry = decided.success
    const next = after(this.state, entry.event)
    if (!this.#record(entry, next.version)) return false
    this.state = next
    return true
  }

  #record({ commands, event }: Entry<BotLifeEvent>, version: number): boolean {
    const applied = this.book.apply(commands)
    if (Result.isFailure(applied)) return false
    const data = encodeEvent(event)
    this.stored.push({
      seq: this.stored.length + 1,
      stream: streamOf(event),
      version,
      type: event._tag,
      data,
      hash: ""
    })
    return true
  }
}
