import type { BotDecided } from "../bots/BotEvent.ts"
import type { CreditBudgetSet, CreditsBought, EvaluationCreditsEvent } from "../bots/EvaluationCreditsEvent.ts"
import type { Report } from "./LedgerAudit.ts"
import type { NaiveBot } from "./NaiveBot.ts"
import type { Wire } from "./NaiveOrder.ts"

const CREDIT = 1_000_000n

/** 10⁻⁶ credits for 10⁻⁶ USD. */
const CREDITS_A_DOLLAR = 100n

const CENT = 10_000n

/** How the names of the accounts of credits end. */
const FREE = "/credits_free"
const PAID = "/credits_paid"

/** A company's credits as sums of all that was recorded. */
interface Purse {
  free: bigint
  paid: bigint
  /** The month of the last grant. */
  granted: string | null
}

/** What a bot may use in a month. */
interface Budget {
  set: bigint
  used: bigint
  toppedUp: bigint
  times: number
}

export interface CreditsAuditParts {
  readonly report: Report
  readonly bot: (botId: string) => NaiveBot | undefined
  /** The free credits of a company's plan, each month, in 10⁻⁶. */
  readonly monthly: (companyId: string) => bigint
}

/**
 * Credits counted again from the bytes of events: granted once a month, gone with it, free ones used before paid ones,
 * each evaluation paid with one, no bot beyond its budget, and nothing out of nowhere.
 */
export class CreditsAudit {
  readonly #parts: CreditsAuditParts
  readonly #purses = new Map<string, Purse>()
  readonly #budgets = new Map<string, Budget>()
  readonly #charges = new Set<string>()
  readonly #month = new Months()

  constructor(parts: CreditsAuditParts) {
    this.#parts = parts
  }

  /** What an account of credits must have; undefined for any other. */
  balance(account: string): bigint | undefined {
    const isFree = account.endsWith(FREE)
    if (!isFree && !account.endsWith(PAID)) return undefined
    const purse = this.#purses.get(account.slice(0, account.indexOf("/")))
    return (isFree ? purse?.free : purse?.paid) ?? 0n
  }

  event(event: Wire<EvaluationCreditsEvent>): void {
    const { monthly, report } = this.#parts
    const { companyId, period } = event
    const purse = this.#purse(companyId)
    switch (event._tag) {
      case "CreditsGranted": {
        const credits = BigInt(event.credits)
        const isNew = purse.granted === null || purse.granted < period
        if (!isNew || period !== this.#month.of(event.at)) report("grant", `${companyId} is granted ${period} again`)
        if (credits !== monthly(companyId)) report("grant", `${companyId} is granted ${credits}`)
        if (purse.free !== 0n) report("lapse", `${companyId} keeps ${purse.free} of another month`)
        purse.granted = period
        purse.free += credits
        return
      }
      case "CreditsLapsed": {
        const credits = BigInt(event.credits)
        if (period !== purse.granted || this.#month.of(event.at) <= period) {
          report("lapse", `${companyId} loses ${period} before its end`)
        }
        if (credits !== purse.free) report("lapse", `${companyId} loses ${credits} of ${purse.free}`)
        purse.free -= credits
        return
      }
      case "CreditsBought":
        return this.#bought(purse, event)
      case "CreditBudgetSet":
        return this.#budgeted(event)
    }
  }

  /** Each decision is paid with one credit, in its own entry. */
  decided({ at, botId, charge, decisionId }: Wire<BotDecided>): void {
    const { bot, report } = this.#parts
    const companyId = bot(botId)?.companyId ?? ""
    if (charge === null) return report("charge", `${decisionId} was not paid`)
    const [free, paid] = [BigInt(charge.free), BigInt(charge.paid)]
    const isItsOwn = charge.chargeId === decisionId && charge.botId === botId && charge.companyId === companyId
    if (!isItsOwn || this.#charges.has(charge.chargeId)) report("charge", `${decisionId} was paid by another charge`)
    this.#charges.add(charge.chargeId)
    if (free < 0n || paid < 0n || free + paid !== CREDIT) report("charge", `${decisionId} cost ${free} and ${paid}`)
    const purse = this.#purse(companyId)
    const available = purse.free < CREDIT ? purse.free : CREDIT
    if (free !== available) report("free_first", `${decisionId} took ${free} of ${purse.free} free credits`)
    if (paid > purse.paid) report("credits", `${decisionId} took ${paid} of ${purse.paid} paid credits`)
    const isStale = free > 0n && (purse.granted === null || purse.granted < this.#month.of(at))
    if (isStale) report("lapse", `${decisionId} took free credits of ${purse.granted}`)
    purse.free -= free
    purse.paid -= paid
    const budget = this.#budget(botId, charge.period)
    budget.used += free + paid
    if (budget.used > budget.set) report("budget", `${botId} used ${budget.used} of ${budget.set} in ${charge.period}`)
  }

  #bought(purse: Purse, event: Wire<CreditsBought>): void {
    const { bot, report } = this.#parts
    const { automatic, botId, companyId, period, topUpId } = event
    const [credits, usd] = [BigInt(event.credits), BigInt(event.usd)]
    const isPriced = credits > 0n && credits === usd * CREDITS_A_DOLLAR && usd % CENT === 0n
    if (!isPriced) report("topup", `${topUpId} gives ${credits} credits for ${usd}`)
    const buyer = bot(botId)
    if (buyer?.companyId !== companyId) report("topup", `${topUpId} is not of ${companyId}`)
    if (buyer?.status === "terminated") report("topup", `${topUpId} is for ${botId}, which is terminated`)
    if (automatic) {
      const budget = this.#budget(botId, period)
      if (buyer?.profile.autoTopUp !== true) report("topup", `${topUpId} was not wanted`)
      if (purse.free + purse.paid >= CREDIT) report("topup", `${topUpId} was not needed`)
      budget.toppedUp += credits
      if (budget.toppedUp > budget.set || credits > budget.set - budget.used) {
        report("budget", `${topUpId} brings ${botId} to ${budget.toppedUp} of ${budget.set}`)
      }
    }
    purse.paid += credits
  }

  #budgeted({ after, before, botId, period, times }: Wire<CreditBudgetSet>): void {
    const { bot, report } = this.#parts
    const budget = this.#budget(botId, period)
    const monthly = BigInt(bot(botId)?.profile.creditBudget ?? "0")
    const expected = monthly > budget.used ? monthly : budget.used
    if (BigInt(before) !== budget.set || times !== budget.times + 1 || BigInt(after) !== expected) {
      report("budget", `${botId} goes from ${before} to ${after} in ${period}, not from ${budget.set} to ${expected}`)
    }
    budget.set = BigInt(after)
    budget.times = times
  }

  #purse(companyId: string): Purse {
    const known = this.#purses.get(companyId)
    if (known !== undefined) return known
    const made: Purse = { free: 0n, paid: 0n, granted: null }
    this.#purses.set(companyId, made)
    return made
  }

  #budget(botId: string, period: string): Budget {
    const name = `${botId}/${period}`
    const known = this.#budgets.get(name)
    if (known !== undefined) return known
    const made: Budget = { set: 0n, used: 0n, toppedUp: 0n, times: 0 }
    this.#budgets.set(name, made)
    return made
  }
}

const DAY_MILLIS = 86_400_000
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The calendar month of a time, by counting days from 1970. */
class Months {
  #begin = 0
  #end = 0
  #name = ""

  of(at: number): string {
    if (at >= this.#begin && at < this.#end) return this.#name
    this.#end = 0
    for (let year = 1970; ; year++) {
      for (const [index, days] of DAYS.entries()) {
        const isLeap = index === 1 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
        this.#begin = this.#end
        this.#end += (days + (isLeap ? 1 : 0)) * DAY_MILLIS
        if (at >= this.#end) continue
        this.#name = `${year}-${String(index + 1).padStart(2, "0")}`
        return this.#name
      }
    }
  }
}
