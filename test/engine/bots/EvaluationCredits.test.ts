import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import {
  chargeCommands,
  creditBudgetOf,
  creditCommands,
  CREDITS,
  creditsFor,
  creditsOf,
  EVALUATION_PRICE,
  MONTHLY_CREDITS,
  periodEnd,
  periodOf,
  priceOf
} from "../../../engine/bots/EvaluationCredits.ts"
import type { Charge, EvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { custodyOf, mint, walletOf } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"

const credits = (whole: number): Amount => fromUnits(BigInt(whole) * ONE)

const of = { at: 1, companyId: "cmp", period: "2026-11" } as const

const granted: EvaluationCreditsEvent = { _tag: "CreditsGranted", ...of, credits: credits(3) }

const budgeted = (times: number, before: number, after: number): EvaluationCreditsEvent => ({
  _tag: "CreditBudgetSet",
  ...of,
  botId: "bot",
  times,
  before: credits(before),
  after: credits(after)
})

const charge = (chargeId: string, free: number, paid: number): Charge => ({
  chargeId,
  companyId: "cmp",
  botId: "bot",
  period: of.period,
  free: credits(free),
  paid: credits(paid)
})

const bookAfter = (...events: ReadonlyArray<EvaluationCreditsEvent>): Book => {
  const book = new Book([])
  for (const event of events) Result.getOrThrow(book.apply(creditCommands(event)))
  return book
}

describe("evaluation credits", () => {
  it("are taken by a charge once, from the credits and from the bot's budget", () => {
    const book = bookAfter(granted, budgeted(1, 0, 5))
    const commands = chargeCommands(charge("1", 2, 0))
    Result.getOrThrow(book.apply(commands))
    expect(Result.isFailure(book.apply(commands))).toBe(true)
    expect(book.account(creditsOf("cmp", "free"))).toMatchObject({ balance: credits(1), held: ZERO })
    expect(book.available(creditBudgetOf("bot", of.period))).toBe(credits(3))
    expect(book.holds.get("credits/1/free")?.state).toEqual({ _tag: "Captured", amount: credits(2) })
    expect(book.account(custodyOf(CREDITS)).balance).toBe(credits(-1))
  })

  it("are not taken where the credits or the budget do not reach, not even a part", () => {
    const book = bookAfter(granted, budgeted(1, 0, 2))
    for (const refused of [charge("1", 3, 0), charge("2", 1, 1), charge("3", 4, 0)]) {
      expect(Result.isFailure(book.apply(chargeCommands(refused)))).toBe(true)
    }
    expect(book.available(creditsOf("cmp", "free"))).toBe(credits(3))
    expect(book.available(creditBudgetOf("bot", of.period))).toBe(credits(2))
  })

  it("have a budget for each month, set again as often as it changes", () => {
    const book = bookAfter(budgeted(1, 0, 5), budgeted(2, 5, 2), budgeted(3, 2, 9))
    expect(book.available(creditBudgetOf("bot", of.period))).toBe(credits(9))
    expect(book.available(creditBudgetOf("bot", "2026-12"))).toBe(ZERO)
  })

  it("cost a hundredth of a dollar each, in whole cents", () => {
    expect(creditsFor(ONE)).toBe(credits(100))
    expect(creditsFor(fromUnits(10_000n))).toBe(credits(1))
    for (const bad of [0n, 1n, 9_999n, 10_001n]) expect(creditsFor(fromUnits(bad))).toBeUndefined()
    expect(creditsFor(priceOf(credits(7)))).toBe(credits(7))
    expect(EVALUATION_PRICE).toBe(credits(1))
    expect(MONTHLY_CREDITS).toEqual({ standard: ZERO, pro: credits(5_000), enterprise: credits(50_000) })
  })

  it("are sold for the buyer's USD", () => {
    const book = new Book([])
    const bought = { topUpId: "1", botId: "bot", userId: "usr", usd: ONE, credits: credits(100), automatic: true }
    const commands = creditCommands({ _tag: "CreditsBought", ...of, ...bought })
    expect(Result.isFailure(book.apply(commands))).toBe(true)
    Result.getOrThrow(book.apply([mint({ id: "1", owner: "usr", asset: "USD", amount: ONE }), ...commands]))
    expect(book.account(walletOf("usr", "USD")).balance).toBe(ZERO)
    expect(book.available(creditsOf("cmp", "paid"))).toBe(credits(100))
  })

  it("lapse with their month", () => {
    const book = bookAfter(granted, { _tag: "CreditsLapsed", ...of, credits: credits(3) })
    expect(book.available(creditsOf("cmp", "free"))).toBe(ZERO)
    expect(book.account(custodyOf(CREDITS)).balance).toBe(ZERO)
  })

  it("belong to a calendar month", () => {
    const at = Date.UTC(2026, 11, 31, 23, 59, 59, 999)
    expect(periodOf(at)).toBe("2026-12")
    expect(periodEnd(at)).toBe(at + 1)
    expect(periodOf(periodEnd(at))).toBe("2027-01")
  })
})
