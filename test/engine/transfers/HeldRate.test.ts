import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { QUOTE_HELD_FOR } from "../../../engine/fx/FxDesk.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { fromUnits as amountOf, ONE } from "../../../engine/money/Amount.ts"
import { fromUnits, type Rate } from "../../../engine/money/Rate.ts"
import { checkQuote, decideQuote, type QuoteRequest, quoteSpent } from "../../../engine/transfers/HeldRate.ts"
import { quoted } from "../../lib/TransferEvents.ts"

const RATE = fromUnits(1_100_000_000_000n)

const request = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
  quoteId: "fxq_1",
  owner: "ada",
  pair: { base: "EUR", quote: "USD" },
  side: "Sell",
  quantity: amountOf(10n * ONE),
  ...change
})

describe("HeldRate", () => {
  it("holds a rate for a minute, with what it comes to", () => {
    expect(Result.getOrThrow(decideQuote(request(), RATE, 4)).event).toEqual(quoted())
    const bought = Result.getOrThrow(decideQuote(request({ side: "Buy" }), fromUnits(RATE + 1n), 4))
    expect(bought.event).toMatchObject({ value: amountOf(11_000_001n), expiresAt: 4 + QUOTE_HELD_FOR })
  })

  it("lets the ledger take one use of it and no other", () => {
    const book = new Book([])
    const refused = () => Result.getFailure(book.apply([quoteSpent("fxq_1", "again")]))
    expect(refused()).toMatchObject({ value: { _tag: "InsufficientFunds" } })
    expect(Result.isSuccess(book.apply(Result.getOrThrow(decideQuote(request(), RATE, 4)).commands))).toBe(true)
    expect(Result.isSuccess(book.apply([quoteSpent("fxq_1", "first")]))).toBe(true)
    expect(refused()).toMatchObject({ value: { _tag: "InsufficientFunds" } })
  })

  it.each<[string, Partial<QuoteRequest>, Rate, string]>([
    ["nothing", { quantity: amountOf(0n) }, RATE, "InvalidTransfer"],
    ["a currency for itself", { pair: { base: "USD", quote: "USD" } }, RATE, "InvalidTransfer"],
    ["a rate of nothing", {}, fromUnits(0n), "InvalidTransfer"],
    ["what pays nothing out", { quantity: amountOf(1n) }, fromUnits(1n), "NothingPaidOut"]
  ])("refuses %s", (_, change, rate, _tag) => {
    expect(Result.getFailure(decideQuote(request(change), rate, 4))).toMatchObject({ value: { _tag } })
  })

  it("serves its own pair and size until it ends", () => {
    expect(Result.isSuccess(checkQuote(quoted(), request(), 60_003))).toBe(true)
    expect(Result.getFailure(checkQuote(quoted(), request(), 60_004))).toMatchObject({ value: { reason: "expired" } })
    const other = [
      { pair: { base: "USD", quote: "EUR" } },
      { pair: { base: "EUR", quote: "GBP" } },
      { quantity: amountOf(10n * ONE + 1n) }
    ]
    for (const change of other) {
      expect(Result.getFailure(checkQuote(quoted(), request(change), 5))).toMatchObject({
        value: { _tag: "QuoteMismatch" }
      })
    }
  })
})
