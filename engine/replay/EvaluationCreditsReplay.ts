import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import {
  afterCharge,
  afterEvent,
  beforeCharge,
  chargeOf,
  type ChargeStanding,
  purchaseOf
} from "../bots/EvaluationCreditsDecision.ts"
import { creditCommands, creditsStream, EVALUATION_PRICE, periodOf } from "../bots/EvaluationCredits.ts"
import type { Charge, EvaluationCreditsEvent } from "../bots/EvaluationCreditsEvent.ts"
import type { Command } from "../ledger/Command.ts"
import { ZERO } from "../money/Amount.ts"
import {
  budgetRow,
  type CreditPeriod,
  movementOf,
  movementOfCharge,
  movementRow,
  periodRow
} from "../bots/EvaluationCreditsRows.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { PlatformEvent } from "./PlatformEvent.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

interface Budget {
  readonly standing: ChargeStanding["budget"]
  readonly companyId: string
  readonly last: StoredEvent
}

type Credits = ChargeStanding["credits"]

/**
 * Decides the movements of credits again: once a month, never more than was there, free before paid, no automatic
 * top-up and no charge beyond a budget. What a plan gives and what an owner lets a bot use is taken as it was recorded.
 */
export class EvaluationCreditsReplay implements FamilyReplay<EvaluationCreditsEvent> {
  readonly #sink: RowSink
  readonly #companies = new Map<string, Credits>()
  readonly #budgets = new Map<string, Budget>()
  readonly #periods = new Map<string, { readonly period: CreditPeriod; readonly last: StoredEvent }>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  /** Decides the event again: its commands to the ledger, or what is wrong with it. */
  decide(event: EvaluationCreditsEvent, { data, stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const expected = creditsStream(event.companyId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    return this.#again(event).some((again) => encodeEvent(again) === data)
      ? Result.succeed(creditCommands(event))
      : Result.fail("is not what the engine decides")
  }

  /** What is wrong with a charge that an event carries, or nothing. To be asked before the event is taken. */
  wrongWith(charge: Charge, at: number): string | undefined {
    if (charge.period !== periodOf(at)) return "charges another month than its own"
    const again = chargeOf(this.#standing(charge.companyId, charge.botId, at), EVALUATION_PRICE, charge.chargeId)
    const isSame = Result.isSuccess(again) && encodeEvent(again.success) === encodeEvent(charge)
    return isSame ? undefined : "charges other credits than the engine does"
  }

  /** Applies an event that was decided again: puts the rows that it changes. */
  evolve(event: EvaluationCreditsEvent, stored: StoredEvent): void {
    const botId = "botId" in event ? event.botId : ""
    const after = afterEvent(this.#standing(event.companyId, botId, event.at), event)
    this.#companies.set(event.companyId, after.credits)
    const movement = movementOf(event)
    if (movement !== undefined) this.#sink.put(movementRow(movement, stored.seq), stored)
    if (event._tag === "CreditBudgetSet" || (event._tag === "CreditsBought" && event.automatic)) {
      this.#keepBudget({ standing: after.budget, companyId: event.companyId, last: stored })
    }
    this.#keepPeriod(event, stored)
  }

  /** Hears of the charges that decisions carry. */
  hear(event: PlatformEvent, stored: StoredEvent): void {
    if (event._tag !== "BotDecided" || event.charge === null) return
    const { at, charge } = event
    const after = afterCharge(this.#standing(charge.companyId, charge.botId, at), charge)
    this.#companies.set(charge.companyId, after.credits)
    const key = keyOf(charge.botId, charge.period)
    const budget = this.#budgets.get(key)
    if (budget !== undefined) this.#budgets.set(key, { ...budget, standing: after.budget })
    this.#sink.put(movementRow(movementOfCharge(charge, at), stored.seq), stored)
  }

  /** Puts the budgets and months that may go on. */
  finish(): void {
    if (this.#sink.history) return
    for (const budget of this.#budgets.values()) this.#putBudget(budget)
    for (const { last, period } of this.#periods.values()) this.#sink.put(periodRow(period), last)
  }

  /** The events that could be decided where the recorded one was. */
  #again(event: EvaluationCreditsEvent): ReadonlyArray<EvaluationCreditsEvent> {
    const { at, companyId } = event
    switch (event._tag) {
      case "CreditsGranted": {
        const { budget, credits } = this.#standing(companyId, "", at)
        return beforeCharge({ budget, credits: { ...credits, monthly: event.credits } }, ZERO, at, "").slice(0, 1)
      }
      case "CreditsLapsed":
        return beforeCharge(this.#standing(companyId, "", at), ZERO, at, "").slice(0, 1)
      case "CreditBudgetSet": {
        const { budget, credits } = this.#standing(companyId, event.botId, at)
        return beforeCharge({ credits, budget: { ...budget, monthly: event.after } }, ZERO, at, "").slice(0, 1)
      }
      case "CreditsBought": {
        if (!event.automatic)
          return [purchaseOf(event, event.usd, at, event.topUpId)].filter((each) => each !== undefined)
        const { budget, credits } = this.#standing(companyId, event.botId, at)
        const asked = { ...budget, monthly: budget.set, autoTopUp: true, userId: event.userId }
        return beforeCharge({ credits, budget: asked }, EVALUATION_PRICE, at, event.topUpId).slice(0, 1)
      }
    }
  }

  #standing(companyId: string, botId: string, at: number): ChargeStanding {
    const period = periodOf(at)
    return {
      credits: this.#companies.get(companyId) ?? unmoved(companyId),
      budget: this.#budgets.get(keyOf(botId, period))?.standing ?? unset(botId, period)
    }
  }

  #keepBudget(budget: Budget): void {
    const { botId, period } = budget.standing
    this.#budgets.set(keyOf(botId, period), budget)
    if (this.#sink.history) this.#putBudget(budget)
  }

  #putBudget({ companyId, last, standing }: Budget): void {
    this.#sink.put(budgetRow({ ...standing, companyId, seq: last.seq }), last)
  }

  #keepPeriod(event: EvaluationCreditsEvent, stored: StoredEvent): void {
    const key = keyOf(event.companyId, event.period)
    const period = periodAfter(this.#periods.get(key)?.period, event)
    if (period === undefined) return
    this.#periods.set(key, { period, last: stored })
    if (this.#sink.history) this.#sink.put(periodRow(period), stored)
  }
}

const keyOf = (owner: string, period: string): string => `${owner}/${period}`

const unmoved = (companyId: string): Credits => ({
  companyId,
  version: 0,
  monthly: ZERO,
  granted: null,
  free: ZERO,
  paid: ZERO
})

const unset = (botId: string, period: string): ChargeStanding["budget"] => ({
  botId,
  userId: "",
  monthly: ZERO,
  autoTopUp: false,
  period,
  times: 0,
  set: ZERO,
  left: ZERO,
  toppedUp: ZERO
})

const periodAfter = (before: CreditPeriod | undefined, event: EvaluationCreditsEvent): CreditPeriod | undefined => {
  const { at, companyId, period } = event
  if (event._tag === "CreditsGranted") {
    return { companyId, period, granted: event.credits, grantedAt: at, lapsed: null }
  }
  if (event._tag !== "CreditsLapsed" || before === undefined) return undefined
  return { ...before, lapsed: { credits: event.credits, at } }
}
