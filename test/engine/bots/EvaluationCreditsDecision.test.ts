import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  afterCharge,
  afterEvent,
  beforeCharge,
  type BudgetStanding,
  chargeOf,
  type ChargeStanding,
  turnOfMonth
} from "../../../engine/bots/EvaluationCreditsDecision.ts"
import {
  AUTO_TOP_UP,
  chargeCommands,
  creditBudgetOf,
  creditCommands,
  CREDITS,
  creditsOf,
  EVALUATION_PRICE,
  periodOf,
  priceOf
} from "../../../engine/bots/EvaluationCredits.ts"
import type { EvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { custodyOf, mint } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const credits = (whole: number): Amount => fromUnits(BigInt(whole) * ONE)

const DAY = 86_400_000

const START = Date.UTC(2026, 0, 20)

const BOTS = ["bot_a", "bot_b", "bot_c"] as const

type Step =
  | { readonly act: "evaluate"; readonly bot: number }
  | { readonly act: "wait"; readonly days: number }
  | { readonly act: "plan"; readonly monthly: number }
  | { readonly act: "change"; readonly bot: number; readonly budget: number; readonly autoTopUp: boolean }
  | { readonly act: "buy"; readonly bot: number; readonly credits: number }
  | { readonly act: "mint"; readonly cents: number }

const bot = fc.nat(BOTS.length - 1)

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ act: fc.constant("evaluate" as const), bot }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("plan" as const), monthly: fc.nat(6) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        act: fc.constant("change" as const),
        bot,
        budget: fc.nat(700),
        autoTopUp: fc.boolean()
      })
    },
    {
      weight: 1,
      arbitrary: fc.record({ act: fc.constant("buy" as const), bot, credits: fc.integer({ min: 1, max: 4 }) })
    },
    { weight: 2, arbitrary: fc.record({ act: fc.constant("mint" as const), cents: fc.integer({ min: 1, max: 600 }) }) }
  ),
  { maxLength: 80, size: "max" }
)

interface Settings {
  readonly budget: number
  readonly autoTopUp: boolean
}

/** A company and its bots, decided as the platform does, on the ledger's own figures. */
class Company {
  readonly book = new Book([])
  readonly #settings = new Map<string, Settings>(BOTS.map((id) => [id, { budget: 3, autoTopUp: false }]))
  readonly #budgets = new Map<string, Pick<BudgetStanding, "times" | "set" | "toppedUp">>()
  #at = START
  #monthly = 3
  #granted: string | null = null
  #count = 0
  /** What each bot used in each month. */
  readonly used = new Map<string, bigint>()
  granted = 0n
  lapsed = 0n
  bought = 0n
  captured = 0n

  step(step: Step): void {
    this.#count += 1
    if (step.act === "wait") this.#at += step.days * DAY
    else if (step.act === "plan") this.#monthly = step.monthly
    else if (step.act === "mint") this.#mint(step.cents)
    else if (step.act === "evaluate") this.#evaluate(BOTS[step.bot] ?? "")
    else if (step.act === "buy") this.#buy(BOTS[step.bot] ?? "", step.credits)
    else this.#settings.set(BOTS[step.bot] ?? "", { budget: step.budget, autoTopUp: step.autoTopUp })
  }

  check(): void {
    const { book } = this
    const [free, paid] = [book.account(creditsOf("cmp", "free")), book.account(creditsOf("cmp", "paid"))]
    expect(free.balance + paid.balance).toBe(fromUnits(this.granted + this.bought - this.lapsed - this.captured))
    expect(free.balance + paid.balance + book.account(custodyOf(CREDITS)).balance).toBe(ZERO)
    expect([free.held, paid.held]).toEqual([ZERO, ZERO])
  }

  #standing(botId: string): ChargeStanding {
    const period = periodOf(this.#at)
    const { autoTopUp, budget } = this.#settings.get(botId) ?? { autoTopUp: false, budget: 0 }
    const known = this.#budgets.get(`${botId}/${period}`) ?? { times: 0, set: ZERO, toppedUp: ZERO }
    return {
      credits: {
        companyId: "cmp",
        version: 0,
        monthly: credits(this.#monthly),
        granted: this.#granted,
        free: this.book.available(creditsOf("cmp", "free")),
        paid: this.book.available(creditsOf("cmp", "paid"))
      },
      budget: {
        botId,
        userId: "usr",
        monthly: credits(budget),
        autoTopUp,
        period,
        left: this.book.available(creditBudgetOf(botId, period)),
        ...known
      }
    }
  }

  #take(event: EvaluationCreditsEvent): boolean {
    const settled = "botId" in event ? afterEvent(this.#standing(event.botId), event).budget : undefined
    if (Result.isFailure(this.book.apply(creditCommands(event)))) {
      expect(event).toMatchObject({ _tag: "CreditsBought" })
      return false
    }
    if (event._tag === "CreditsGranted") {
      expect(event.period).not.toBe(this.#granted)
      this.#granted = event.period
      this.granted += event.credits
    } else if (event._tag === "CreditsLapsed") this.lapsed += event.credits
    else if (event._tag === "CreditsBought") this.bought += event.credits
    if (settled !== undefined) {
      const { set, times, toppedUp } = settled
      if (event._tag === "CreditsBought") expect(!event.automatic || toppedUp <= set).toBe(true)
      this.#budgets.set(`${settled.botId}/${settled.period}`, { set, times, toppedUp })
    }
    return true
  }

  #evaluate(botId: string): void {
    const before = this.#standing(botId)
    const events = beforeCharge(before, EVALUATION_PRICE, this.#at, `${this.#count}`)
    const standing = events.reduce((now, event) => (this.#take(event) ? afterEvent(now, event) : now), before)
    const { budget } = this.#standing(botId)
    expect(budget).toEqual(standing.budget)
    const key = `${botId}/${budget.period}`
    const used = this.used.get(key) ?? 0n
    const free = this.book.available(creditsOf("cmp", "free"))
    const charge = chargeOf(standing, EVALUATION_PRICE, `${this.#count}`)
    const reaches = used < budget.monthly && standing.credits.free + standing.credits.paid > 0n
    expect(Result.isSuccess(charge)).toBe(reaches)
    if (Result.isFailure(charge)) return
    Result.getOrThrow(this.book.apply(chargeCommands(charge.success)))
    expect(charge.success.free).toBe(free > 0n ? EVALUATION_PRICE : ZERO)
    expect(this.#standing(botId)).toMatchObject({ budget: { left: afterCharge(standing, charge.success).budget.left } })
    this.used.set(key, used + EVALUATION_PRICE)
    this.captured += EVALUATION_PRICE
  }

  #buy(botId: string, whole: number): void {
    const of = { at: this.#at, companyId: "cmp", period: periodOf(this.#at), botId, userId: "usr" }
    const paid = { usd: priceOf(credits(whole)), credits: credits(whole), automatic: false }
    this.#take({ _tag: "CreditsBought", ...of, topUpId: `${this.#count}`, ...paid })
  }

  #mint(cents: number): void {
    const amount = priceOf(credits(cents))
    Result.getOrThrow(this.book.apply([mint({ id: `${this.#count}`, owner: "usr", asset: "USD", amount })]))
  }
}

const standing = (given: Partial<ChargeStanding["credits"]>, budget: Partial<BudgetStanding> = {}): ChargeStanding => ({
  credits: { companyId: "cmp", version: 4, monthly: ZERO, granted: "2026-01", free: ZERO, paid: ZERO, ...given },
  budget: {
    botId: "bot",
    userId: "usr",
    monthly: credits(1_000),
    autoTopUp: true,
    period: "2026-01",
    times: 1,
    set: credits(1_000),
    left: credits(1_000),
    toppedUp: ZERO,
    ...budget
  }
})

const before = (given: ChargeStanding, at = START) => beforeCharge(given, EVALUATION_PRICE, at, "top")

describe("the charge of an evaluation", () => {
  it("conserves credits, takes free ones first, and passes no budget, whatever happens", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const company = new Company()
        for (const step of list) {
          company.step(step)
          company.check()
        }
      }),
      property()
    )
  })

  it("takes free credits before paid ones", () => {
    const two = (given: Partial<ChargeStanding["credits"]>) => chargeOf(standing(given), credits(2), "1")
    const charge = { chargeId: "1", companyId: "cmp", botId: "bot", period: "2026-01" }
    expect(two({ free: credits(3), paid: credits(3) })).toEqual(
      Result.succeed({ ...charge, free: credits(2), paid: ZERO })
    )
    expect(two({ free: credits(1), paid: credits(3) })).toEqual(
      Result.succeed({ ...charge, free: credits(1), paid: credits(1) })
    )
    expect(Result.isFailure(two({ free: credits(1) }))).toBe(true)
  })

  it("says why a bot cannot pay", () => {
    const spent = standing({ free: credits(9) }, { left: ZERO })
    expect(chargeOf(spent, EVALUATION_PRICE, "1")).toMatchObject({ failure: { cause: "budget" } })
    expect(chargeOf(standing({}), EVALUATION_PRICE, "1")).toMatchObject({ failure: { cause: "credits" } })
  })

  it("grants a month once and lapses what the one before left", () => {
    const at = Date.UTC(2026, 1, 1)
    const { credits: old } = standing({ monthly: credits(5), free: credits(2) })
    const of = { at, companyId: "cmp" }
    expect(turnOfMonth(old, at)).toEqual([
      { _tag: "CreditsLapsed", ...of, period: "2026-01", credits: credits(2) },
      { _tag: "CreditsGranted", ...of, period: "2026-02", credits: credits(5) }
    ])
    expect(turnOfMonth({ ...old, granted: "2026-02" }, at)).toEqual([])
    expect(turnOfMonth({ ...old, granted: "2026-03" }, at)).toEqual([])
    expect(turnOfMonth({ ...old, monthly: ZERO, free: ZERO }, at)).toEqual([])
  })

  it("buys by itself when none are left, a fixed amount and no more than the budget allows", () => {
    expect(before(standing({}))).toMatchObject([
      { _tag: "CreditsBought", automatic: true, credits: AUTO_TOP_UP, usd: credits(5) }
    ])
    expect(before(standing({ paid: ONE }))).toEqual([])
    expect(before(standing({}, { autoTopUp: false }))).toEqual([])
    expect(before(standing({}, { toppedUp: credits(990) }))).toMatchObject([{ credits: credits(10) }])
    expect(before(standing({}, { toppedUp: credits(1_000) }))).toEqual([])
    expect(before(standing({}, { left: credits(7) }))).toMatchObject([{ credits: credits(7) }])
    expect(before(standing({}, { left: ZERO }))).toEqual([])
  })

  it("sets a budget that changed, never below what was used", () => {
    const changed = (monthly: number) =>
      before(standing({ free: ONE }, { monthly: credits(monthly), left: credits(900) }))
    expect(changed(1_200)).toMatchObject([{ _tag: "CreditBudgetSet", times: 2, after: credits(1_200) }])
    expect(changed(50)).toMatchObject([{ _tag: "CreditBudgetSet", times: 2, after: credits(100) }])
    expect(changed(1_000)).toEqual([])
  })
})
