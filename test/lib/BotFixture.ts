import { Data, Duration, Effect, Exit, Result, Scope } from "effect"
import { type ActorHost, makeActorHost } from "../../engine/actor/ActorHost.ts"
import { AlreadyCommitted, type ArenaError, OrderNotFound } from "../../engine/arena/ArenaError.ts"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { after, type BotState } from "../../engine/bots/Bot.ts"
import { botBehavior, type BotMessage, type BotReply } from "../../engine/bots/BotActor.ts"
import { type BotDecided, type BotEvent, type BotProfile, botStream } from "../../engine/bots/BotEvent.ts"
import { decodeBotEvent } from "../../engine/bots/BotEvent.ts"
import type { BotBalances, BotError, BotWorld, Carried, Recalled } from "../../engine/bots/BotWorld.ts"
import { CreditsGone } from "../../engine/bots/EvaluationCreditsDecision.ts"
import { creditBudgetOf, creditsOf, creditsStream, EVALUATION_PRICE } from "../../engine/bots/EvaluationCredits.ts"
import { PRESETS } from "../../engine/bots/Strategy.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { terms, usd } from "./ArenaArbitraries.ts"
import { MemoryJournal } from "./MemoryJournal.ts"

export const BOT = "bot_1"

/** The world does not answer now. */
class Away extends Data.TaggedError("Away")<{ readonly what: string }> {}

/** The answer to a commitment: lost before or after the order took it. */
export type CommitFault = "before" | "after"

export const offered = (orderId: string, change: Partial<OrderTerms> = {}): OrderTerms =>
  terms({ orderId, openedAt: 0, expiryAt: 1_000, settlementAt: 2_000, ...change })

const ACT = { at: 0, by: "usr_1", botId: BOT }

const DEEP: BotBalances = { freeCollateral: usd("1000"), lossBudget: usd("100"), lossLocked: ZERO }

/** One active bot with credits, in a world of plain values that fails on demand. */
export class BotFixture implements BotWorld<Away> {
  readonly journal: MemoryJournal<BotEvent>
  readonly orders: Array<OrderTerms> = []
  readonly halted = new Set<AssetType>()
  /** What orders took, by decision. */
  readonly committed = new Map<string, Carried>()
  /** Everything that was sent to orders. */
  readonly sent: Array<string> = []
  /** How often it was read anew. */
  recalls = 0
  /** What the next commitments meet, in turn. */
  commitFaults: Array<CommitFault> = []
  refusal: ArenaError | undefined
  /** The file of its module, where it has one. */
  module: string | undefined
  /** Runs before the journal is written the next time. */
  meanwhile: (() => void) | undefined
  funds = DEEP
  /** 5 % under the mean of the prices, so that any preset commits. */
  history: ReadonlyArray<Amount> = ["106", "105", "106", "105", "106", "100"].map(usd)

  constructor(credits = 100) {
    const account = (id: ReturnType<typeof creditsOf>) => ({
      id,
      balance: fromUnits(BigInt(credits) * ONE),
      held: ZERO,
      closed: false
    })
    this.journal = new MemoryJournal<BotEvent>(decodeBotEvent, [
      account(creditsOf("cmp_1", "free")),
      account(creditBudgetOf(BOT, "1970-01"))
    ])
  }

  /** Records an act of the owner. */
  act(event: BotEvent): void {
    const version = this.journal.history(botStream(BOT)).length
    Effect.runSync(this.journal.append({ stream: botStream(BOT), version, entries: [{ commands: [], event }] }))
  }

  get bot(): BotState {
    const profile: BotProfile = {
      name: "One",
      capabilities: ["fx"],
      strategy: { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: usd("50") },
      creditBudget: usd("100"),
      autoTopUp: false,
      ...(this.module !== undefined && { strategyModule: this.module })
    }
    const owner = { companyId: "cmp_1", userId: "usr_1", walletAddress: "0x1" }
    const events = this.journal.history(botStream(BOT)).filter((event) => event._tag !== "BotGuardSet")
    const made = after(undefined, {
      _tag: "BotCreated",
      ...ACT,
      turn: 1,
      allowance: ZERO,
      ...owner,
      profile,
      amount: ZERO
    })
    return events.reduce(after, { ...made, standing: { status: "active", cause: null } })
  }

  /** What it decided, by itself or asked. */
  get decided(): ReadonlyArray<BotDecided> {
    return this.journal.history(botStream(BOT)).filter((event) => event._tag === "BotDecided")
  }

  get creditsLeft(): number {
    return Number(this.journal.book.available(creditsOf("cmp_1", "free")) / ONE)
  }

  readonly append: MemoryJournal<BotEvent>["append"] = (batch) =>
    Effect.suspend(() => {
      const { meanwhile } = this
      this.meanwhile = undefined
      meanwhile?.()
      return this.journal.append(batch)
    })

  readonly recall = (botId: string): Effect.Effect<Recalled | undefined, Away> =>
    Effect.sync(() => {
      this.recalls += 1
      return botId === BOT
        ? {
            bot: this.bot,
            decisions: this.decided
              .filter(({ dryRun }) => !dryRun)
              .map(({ decision, input, orderId }) => ({ orderId, decision, expiryAt: input.order.expiryAt }))
          }
        : undefined
    })

  readonly open = () => this.orders

  readonly find: BotWorld<Away>["find"] = (orderId) => {
    const found = this.orders.find((order) => order.orderId === orderId)
    return Effect.succeed(found === undefined ? Result.fail(new OrderNotFound({ orderId })) : Result.succeed(found))
  }

  readonly prices = () => Effect.succeed(this.history)

  readonly balances = () => Effect.sync(() => this.funds)

  readonly halt: BotWorld<Away>["halt"] = (assetType) =>
    this.halted.has(assetType) ? { scope: "asset_type", retryAfterSeconds: 1 } : null

  readonly shade = () => ZERO

  readonly charge: BotWorld<Away>["charge"] = ({ botId, companyId }, chargeId) =>
    Effect.sync(() =>
      this.creditsLeft < 1
        ? Result.fail(new CreditsGone({ botId, cause: "credits" }))
        : Result.succeed({
            charge: { chargeId, companyId, botId, period: "1970-01", free: EVALUATION_PRICE, paid: ZERO },
            precondition: { stream: creditsStream(companyId), version: 0 }
          })
    )

  readonly commit = (carried: Carried): Effect.Effect<Result.Result<void, ArenaError>, Away> =>
    Effect.suspend((): Effect.Effect<Result.Result<void, ArenaError>, Away> => {
      const { decisionId } = carried
      this.sent.push(decisionId)
      const fault = this.commitFaults.shift()
      if (fault === "before") return Effect.fail(new Away({ what: "the order" }))
      if (this.refusal !== undefined) return Effect.succeed(Result.fail(this.refusal))
      if (this.committed.has(decisionId)) return Effect.succeed(Result.fail(new AlreadyCommitted({ decisionId })))
      this.committed.set(decisionId, carried)
      return fault === "after" ? Effect.fail(new Away({ what: "the answer" })) : Effect.succeed(Result.void)
    })

  /** The actors' host; a new one has nothing of the one before in memory. */
  readonly host: Effect.Effect<ActorHost<BotMessage, BotReply, BotError>, never, Scope.Scope> = Effect.suspend(() =>
    makeActorHost(botBehavior<Away>({ ...this.#ports(), journal: { append: this.append } }), {
      mailboxCapacity: 10,
      batchLimit: 10,
      passivateAfter: Duration.hours(1),
      minBackoff: Duration.zero,
      maxBackoff: Duration.zero,
      onFailure: () => Effect.void
    })
  )

  /** Wakes the bot in a process of its own, which ends after its answer. */
  readonly wakeOnce: Effect.Effect<Exit.Exit<BotReply, unknown>> = Effect.suspend(() =>
    Effect.scoped(Effect.flatMap(this.host, (host) => Effect.exit(host.ask(BOT, WAKE))))
  )

  #ports() {
    const { balances, charge, commit, find, halt, open, prices, recall, shade } = this
    return { balances, charge, commit, find, halt, open, prices, recall, shade }
  }
}

export const WAKE: BotMessage = { _tag: "Wake", reload: false }

export const RELOAD: BotMessage = { _tag: "Wake", reload: true }

export const paused = { _tag: "BotPaused", ...ACT } as const

export const resumed = { _tag: "BotResumed", ...ACT } as const

export const terminated: BotEvent = { _tag: "BotTerminated", ...ACT, turn: 2, allowance: ZERO, amount: ZERO }

/** Has its owner name a module, or none. */
export const naming = (fixture: BotFixture, strategyModule: string | undefined): BotEvent => {
  const { strategyModule: _, ...profile } = fixture.bot.profile
  const named = strategyModule === undefined ? profile : { ...profile, strategyModule }
  return { _tag: "BotChanged", ...ACT, turn: 2, allowance: ZERO, profile: named }
}

export const trading = (fixture: BotFixture, capabilities: ReadonlyArray<AssetType>): BotEvent => ({
  _tag: "BotChanged",
  ...ACT,
  turn: 2,
  allowance: ZERO,
  profile: { ...fixture.bot.profile, capabilities }
})
