import type { AssetType } from "../arena/AssetType.ts"
import type { Commitment } from "../arena/Commitment.ts"
import type { BotDecided, BotEvent } from "../bots/BotEvent.ts"
import type { Command } from "../ledger/Command.ts"
import { type Asked, AskedCommitments } from "./AskedCommitments.ts"
import { auditDecision } from "./DecisionAudit.ts"
import { GuardAudit, type GuardAuditParts } from "./GuardAudit.ts"
import type { Report } from "./LedgerAudit.ts"
import { change, isLifecycle, move, type NaiveBot, type NaiveDecision, readBot, wasActive } from "./NaiveBot.ts"
import type { NaiveOrder, Wire } from "./NaiveOrder.ts"

const MILLION = 1_000_000n

/** A hundred percent of 10⁻⁶. */
const WHOLE = 100n * MILLION

const ALLOWANCE = "/USD-ALLOWANCE/allowance"

export interface BotAuditParts extends Pick<GuardAuditParts, "now" | "elapsed" | "isHalted"> {
  readonly report: Report
  readonly order: (orderId: string) => NaiveOrder | undefined
}

/**
 * The bots told again from the bytes of their events: how they live, what they decide, and that of each decision at
 * most one commitment comes, while they are active, within what they may lose.
 */
export class BotAudit {
  readonly #parts: BotAuditParts
  readonly #bots = new Map<string, NaiveBot>()
  readonly #decisions = new Map<string, NaiveDecision>()
  /** What bots decided by themselves, as `bot/order`. */
  readonly #own = new Set<string>()
  readonly #asked: AskedCommitments
  readonly #guards: GuardAudit
  #moment = 0

  constructor(parts: BotAuditParts) {
    this.#parts = parts
    this.#asked = new AskedCommitments(parts.report)
    const botsOf = (company: string) => [...this.#bots.values()].filter(({ companyId }) => companyId === company)
    this.#guards = new GuardAudit({ ...parts, botsOf })
  }

  /** An operator asks for a commitment as a bot. */
  asked(item: Asked): void {
    this.#asked.asked(item)
  }

  /** Somebody asks for all bots of a company to be paused; answers what to call once that is answered. */
  pausing(companyId: string): () => void {
    const moment = this.#moment
    return () => this.#guards.allPaused(companyId, moment)
  }

  bot(botId: string | null): NaiveBot | undefined {
    return botId === null ? undefined : this.#bots.get(botId)
  }

  /** How many decisions were made, and how many were committed. */
  get counts(): { readonly decisions: number; readonly commitments: number } {
    let commitments = 0
    for (const { isCommitted } of this.#decisions.values()) if (isCommitted) commitments += 1
    return { decisions: this.#decisions.size, commitments }
  }

  /** The companies that had an active bot for a type at any moment from one time to another. */
  owners(assetType: AssetType, from: number, to: number): ReadonlyArray<string> {
    return [...this.#bots.values()]
      .filter((bot) => wasActive(bot, assetType, from, to))
      .map(({ companyId }) => companyId)
  }

  /** How many are active for a type now. */
  capable(assetType: AssetType): number {
    return [...this.#bots.values()].filter(
      ({ profile, status }) => status === "active" && profile.capabilities.includes(assetType)
    ).length
  }

  event(event: Wire<BotEvent>, commands: ReadonlyArray<Command>): void {
    const { report } = this.#parts
    this.#moment += 1
    if (event._tag === "BotGuardSet") return this.#guards.set(event, this.#moment)
    if (event._tag === "BotCreated") {
      if (this.#bots.has(event.botId)) report("bot_status", `${event.botId} was made before`)
      const made = readBot(event)
      this.#bots.set(event.botId, made)
      return this.#funds(made, BigInt(event.amount), commands)
    }
    const bot = this.#bots.get(event.botId)
    if (bot === undefined) return report("bot_status", `${event.botId} was never made`)
    if (event._tag === "BotDecided") return this.#decided(bot, event)
    const before = bot.status
    if (isLifecycle(event) && !move(bot, event._tag, event.at)) {
      report("bot_status", `${bot.id} was ${before} at ${event._tag}`)
    }
    if (bot.status === "active" && before !== "active") bot.activeFrom = this.#moment
    if (event._tag === "BotPaused" && event.by === null) this.#guards.paused(bot, event.at)
    if ("turn" in event) this.#moved(bot, event, commands)
  }

  /** A commitment of a bot, before it counts. */
  committed(one: Wire<Commitment>): void {
    const { report } = this.#parts
    const bot = this.bot(one.trader.botId)
    if (bot === undefined) return
    if (bot.status !== "active") report("bot_active", `${one.commitmentId} is of ${bot.id}, which is ${bot.status}`)
    const collateral = BigInt(one.collateral)
    const most = bot.funded * BigInt(bot.profile.strategy.maxLossPct)
    if ((bot.lost + bot.locked + collateral) * WHOLE > most) {
      report("loss_limit", `${bot.id} lost ${bot.lost}, locks ${bot.locked} and ${collateral}, funded ${bot.funded}`)
    }
    const { account, allowance, owner, type, userId } = one.trader
    const isItself =
      owner === bot.companyId &&
      userId === bot.userId &&
      type === "machine" &&
      account === `${bot.id}/USD/wallet` &&
      allowance === `${bot.id}${ALLOWANCE}`
    if (!isItself) report("bot_terms", `${one.commitmentId} is not on the accounts of ${bot.id}`)
    bot.locked += collateral
    this.#guards.committing(bot)
    if (one.decisionId === undefined) this.#asked.made(bot.companyId, one)
    else this.#carriedOut(bot, one)
  }

  /** A commitment set its collateral free, after this profit or loss. */
  released(botId: string | null, collateral: bigint, profit: bigint): void {
    const bot = this.bot(botId)
    if (bot === undefined) return
    bot.locked -= collateral
    if (profit < 0n) bot.lost -= profit
  }

  /** What the account of what a bot may still lose must be: open while it is active only; undefined for any other. */
  allowance(account: string): { readonly balance: bigint; readonly closed: boolean } | undefined {
    if (!account.endsWith(ALLOWANCE)) return undefined
    const bot = this.#bots.get(account.slice(0, -ALLOWANCE.length))
    return bot === undefined ? undefined : { balance: bot.limit - bot.lost, closed: bot.status !== "active" }
  }

  /** What must hold at the end: a terminated bot has nothing left. */
  end(free: (botId: string) => bigint): void {
    this.#guards.end()
    for (const { id, locked, status } of this.#bots.values()) {
      if (locked !== 0n) this.#parts.report("settles", `${id} still locks ${locked} at the end`)
      const left = free(id)
      if (status === "terminated" && left !== 0n) this.#parts.report("terminated", `${id} ended and keeps ${left}`)
    }
  }

  #decided(bot: NaiveBot, event: Wire<BotDecided>): void {
    const { report } = this.#parts
    const { decision, decisionId, dryRun, input, orderId } = event
    const order = this.#parts.order(orderId)
    if (order === undefined) return report("decision", `${decisionId} is about no order`)
    const isAlive = dryRun ? bot.status !== "terminated" : bot.status === "active"
    if (!isAlive) report("bot_active", `${decisionId} was made while ${bot.status}`)
    if (this.#decisions.has(decisionId)) report("decision", `${decisionId} was made before`)
    if (!dryRun) {
      const name = `${bot.id}/${orderId}`
      if (this.#own.has(name) || decisionId !== `dec_${bot.id}_${orderId}`)
        report("decided_once", `${decisionId} again`)
      this.#own.add(name)
    }
    const { terms } = order
    const isOfOrder =
      input.order.orderId === orderId &&
      input.order.assetType === terms.assetType &&
      input.order.entryPrice === terms.entryPrice &&
      input.order.quantity === terms.quantity &&
      input.order.expiryAt === terms.expiryAt &&
      input.order.makerDiscount === terms.makerDiscount
    if (!isOfOrder) report("decision", `${decisionId} is about another order than ${orderId}`)
    const { capabilities, strategy } = bot.profile
    if (input.capable !== capabilities.includes(terms.assetType)) report("decision", `${decisionId} errs in its types`)
    if (JSON.stringify(input.strategy) !== JSON.stringify(strategy)) {
      report("decision", `${decisionId} follows another strategy than its bot's`)
    }
    // By itself a bot does as its module asks where it has one, and as its strategy says where it has none.
    if (!dryRun && input.asked?.module !== bot.profile.strategyModule) {
      report("decision", `${decisionId} is not of what decides for ${bot.id}`)
    }
    auditDecision(event, report)
    this.#decisions.set(decisionId, {
      orderId,
      botId: bot.id,
      dryRun,
      code: decision.code,
      bid: BigInt(decision.bid),
      tolerance: BigInt(decision.tolerance ?? 0),
      exit: BigInt(decision.exitPrice),
      quantity: BigInt(decision.quantity),
      collateral: BigInt(decision.collateral),
      isCommitted: false
    })
  }

  /** Each commitment carries out one decision, which says so in its very terms, and no other commitment does. */
  #carriedOut(bot: NaiveBot, one: Wire<Commitment>): void {
    const { report } = this.#parts
    const decision = this.#decisions.get(one.decisionId ?? "")
    if (decision === undefined) return report("decision", `${one.commitmentId} carries out no decision`)
    if (decision.isCommitted) report("committed_twice", `${one.decisionId} was committed before`)
    decision.isCommitted = true
    const isSame =
      decision.botId === bot.id &&
      decision.orderId === one.orderId &&
      !decision.dryRun &&
      decision.code === "commit" &&
      decision.bid === BigInt(one.proposedPrice) &&
      decision.tolerance === BigInt(one.slippage) &&
      decision.exit === BigInt(one.exitPrice) &&
      decision.quantity === BigInt(one.quantity) &&
      decision.collateral === BigInt(one.collateral)
    if (!isSame) report("decision", `${one.commitmentId} is not what ${one.decisionId} decided`)
  }

  #moved(
    bot: NaiveBot,
    event: Wire<Exclude<Extract<BotEvent, { readonly turn: number }>, { readonly _tag: "BotCreated" }>>,
    commands: ReadonlyArray<Command>
  ): void {
    const { report } = this.#parts
    if (event.turn !== bot.turn + 1) report("bot_turn", `${bot.id} goes from ${bot.turn} to ${event.turn}`)
    bot.turn = event.turn
    bot.limit += BigInt(event.allowance)
    if (event._tag === "BotChanged") change(bot, event.profile, event.at)
    else {
      const sign = event._tag === "BotFunded" ? 1n : -1n
      if (event._tag === "BotReturned" && bot.status !== "terminated") {
        report("bot_status", `${bot.id} gives back what it has while ${bot.status}`)
      }
      this.#funds(bot, sign * BigInt(event.amount), commands)
      const funded = bot.funded + sign * BigInt(event.amount)
      bot.funded = funded < 0n ? 0n : funded
    }
  }

  /** What moves between a bot and its user is what its event says: above 0 to the bot. */
  #funds(bot: NaiveBot, amount: bigint, commands: ReadonlyArray<Command>): void {
    const [own, users] = [`${bot.id}/USD/wallet`, `${bot.userId}/USD/wallet`]
    let moved = 0n
    for (const command of commands) {
      if (command._tag !== "Transfer") continue
      if (command.from === users && command.to === own) moved += command.amount
      if (command.from === own && command.to === users) moved -= command.amount
    }
    if (moved !== amount) this.#parts.report("bot_funds", `${bot.id} is told ${amount}, and gets ${moved}`)
  }
}
