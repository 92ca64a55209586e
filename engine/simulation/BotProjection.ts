import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import type { AskedMachine } from "../arena/TraderStatus.ts"
import { after, type BotLifeEvent, type BotState } from "../bots/Bot.ts"
import type { BotDecided } from "../bots/BotEvent.ts"
import type { BotGuard } from "../bots/BotGuard.ts"
import type { RecordedDecision } from "../bots/BotWorld.ts"
import { afterCharge, afterEvent, type ChargeStanding } from "../bots/EvaluationCreditsDecision.ts"
import type { EvaluationCreditsEvent } from "../bots/EvaluationCreditsEvent.ts"
import { ZERO } from "../money/Amount.ts"
import type { SimulatedMachines } from "./FactsPorts.ts"

interface Span {
  readonly owner: string
  readonly capabilities: ReadonlyArray<AssetType>
  readonly from: number
  until: number | null
}

type Credits = ChargeStanding["credits"]
type Budget = ChargeStanding["budget"]

/** The bots, their companies' credits and the orders that take commitments, as the committed events make them. */
export class BotProjection implements SimulatedMachines {
  readonly bots = new Map<string, BotState>()
  /** Orders that were opened and not closed, oldest first. */
  readonly open = new Map<string, OrderTerms>()
  /** By company. */
  readonly guards = new Map<string, BotGuard>()
  /** How often each bot decided by itself, and was asked to. */
  readonly tallies = new Map<string, { decisions: number; evaluations: number }>()
  readonly #decisions = new Map<string, Map<string, RecordedDecision>>()
  readonly #spans: Array<Span> = []
  readonly #current = new Map<string, Span>()
  readonly #credits = new Map<string, Credits>()
  readonly #budgets = new Map<string, Budget>()

  apply(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    for (const { event, version } of recorded) {
      if (event._tag === "BotGuardSet") this.guards.set(event.companyId, { deadlineAt: event.deadlineAt, version })
      else this.#event(event)
    }
  }

  /** A company's active bots, newest first. */
  active(companyId: string): ReadonlyArray<BotState> {
    return [...this.bots.values()]
      .filter((bot) => bot.companyId === companyId && bot.standing.status === "active")
      .toSorted((one, other) => other.createdAt - one.createdAt || (one.botId < other.botId ? 1 : -1))
  }

  /** A bot as whoever commits as it is checked. */
  machine(botId: string): AskedMachine | undefined {
    const bot = this.bots.get(botId)
    if (bot === undefined) return undefined
    const { companyId: owner, standing, userId, walletAddress: address } = bot
    return { id: botId, owner, userId, address, isBot: true, isActive: standing.status === "active" }
  }

  /** What a bot decided by itself about orders that take commitments. */
  decisions(botId: string): ReadonlyArray<RecordedDecision> {
    return [...(this.#decisions.get(botId)?.values() ?? [])]
  }

  credits(companyId: string): Omit<Credits, "monthly"> {
    return this.#credits.get(companyId) ?? { companyId, version: 0, granted: null, free: ZERO, paid: ZERO }
  }

  budget(botId: string, period: string): Pick<Budget, "times" | "set" | "left" | "toppedUp"> {
    return this.#budgets.get(`${botId}/${period}`) ?? { times: 0, set: ZERO, left: ZERO, toppedUp: ZERO }
  }

  activeOwners(assetType: AssetType, from: number, to: number): ReadonlyArray<string> {
    return this.#spans
      .filter(
        (span) => span.capabilities.includes(assetType) && span.from < to && (span.until === null || span.until > from)
      )
      .map(({ owner }) => owner)
  }

  capableCount(assetType: AssetType): number {
    let count = 0
    for (const { capabilities } of this.#current.values()) if (capabilities.includes(assetType)) count += 1
    return count
  }

  #event(event: PlatformEvent): void {
    switch (event._tag) {
      case "OrderOpened":
        this.open.set(event.terms.orderId, event.terms)
        return
      case "OrderClosed":
      case "OrderSettled":
      case "OrderVoided":
        this.#close(event.orderId)
        return
      case "CreditsGranted":
      case "CreditsLapsed":
      case "CreditsBought":
      case "CreditBudgetSet":
        return this.#moved(event)
      case "BotDecided":
        this.#decided(event)
        return this.#live(event)
      case "BotCreated":
      case "BotChanged":
      case "BotStarted":
      case "BotPaused":
      case "BotResumed":
      case "BotSuspended":
      case "BotTerminated":
      case "BotFunded":
      case "BotWithdrawn":
      case "BotReturned":
        return this.#live(event)
      default:
    }
  }

  #close(orderId: string): void {
    if (!this.open.delete(orderId)) return
    for (const decisions of this.#decisions.values()) decisions.delete(orderId)
  }

  #live(event: BotLifeEvent): void {
    const before = this.bots.get(event.botId)
    const state = after(before, event)
    this.bots.set(event.botId, state)
    const isSame = before?.standing.status === state.standing.status && before.profile === state.profile
    if (isSame) return
    const last = this.#current.get(event.botId)
    if (last !== undefined) last.until = Math.max(last.from, event.at)
    this.#current.delete(event.botId)
    if (state.standing.status !== "active") return
    const { companyId: owner, profile } = state
    const span: Span = { owner, capabilities: profile.capabilities, from: event.at, until: null }
    this.#spans.push(span)
    this.#current.set(event.botId, span)
  }

  #decided({ at: _at, botId, charge, decision, dryRun, input, orderId }: BotDecided): void {
    const tally = this.tallies.get(botId) ?? { decisions: 0, evaluations: 0 }
    tally[dryRun ? "evaluations" : "decisions"] += 1
    this.tallies.set(botId, tally)
    if (!dryRun) {
      const decisions = this.#decisions.get(botId) ?? new Map<string, RecordedDecision>()
      this.#decisions.set(botId, decisions)
      if (this.open.has(orderId)) decisions.set(orderId, { orderId, expiryAt: input.order.expiryAt, decision })
    }
    if (charge === null) return
    this.#keep(charge.companyId, afterCharge(this.#standing(charge.companyId, botId, charge.period), charge))
  }

  #moved(event: EvaluationCreditsEvent): void {
    const botId = "botId" in event ? event.botId : ""
    this.#keep(event.companyId, afterEvent(this.#standing(event.companyId, botId, event.period), event))
  }

  #standing(companyId: string, botId: string, period: string): ChargeStanding {
    return {
      credits: { ...this.credits(companyId), monthly: ZERO },
      budget: { botId, userId: "", monthly: ZERO, autoTopUp: false, period, ...this.budget(botId, period) }
    }
  }

  #keep(companyId: string, { budget, credits }: ChargeStanding): void {
    this.#credits.set(companyId, credits)
    if (budget.botId !== "") this.#budgets.set(`${budget.botId}/${budget.period}`, budget)
  }
}
