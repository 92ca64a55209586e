import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import type { Entry } from "../../../engine/actor/Journal.ts"
import { LEAST_SPREAD, rateOf, type Side, SIDES } from "../../../engine/fx/FxDesk.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { custodyOf, walletOf } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits as amountOf, ONE } from "../../../engine/money/Amount.ts"
import { fromUnits, ONE as PARITY, type Rate } from "../../../engine/money/Rate.ts"
import {
  decideTransfer,
  decideWithdrawal,
  deskOf,
  type Offer,
  type TransferRequest
} from "../../../engine/transfers/TransferDecision.ts"
import type { TransferError } from "../../../engine/transfers/TransferError.ts"
import type { TransferEvent, TransferMode } from "../../../engine/transfers/TransferEvent.ts"
import { property } from "../../lib/Property.ts"

const OWNERS = ["ada", "bob", "cyd"] as const
const ASSETS = ["USD", "EUR", "JPY"] as const
const PRICES: Readonly<Record<string, Rate>> = {
  USD: PARITY,
  EUR: fromUnits(1_083_400_000_000n),
  JPY: fromUnits(6_600_000_000n)
}
const rateBetween = (base: string, quote: string, side: Side = "Sell"): Rate =>
  rateOf(side, PRICES[base] ?? PARITY, PRICES[quote] ?? PARITY, LEAST_SPREAD)

const now = (rate: Rate, side: Side = "Sell"): Offer => ({ side, rate, quoteId: null })

const request = (change: Partial<TransferRequest> = {}): TransferRequest => ({
  transferId: "trf_1",
  sender: "ada",
  recipient: "bob",
  payout: false,
  pair: { base: "EUR", quote: "USD" },
  mode: "international",
  quantity: amountOf(10n * ONE),
  worst: null,
  country: "BE",
  description: "rent",
  createdDate: 1,
  ...change
})

const owner = fc.constantFrom(...OWNERS)
const asset = fc.constantFrom(...ASSETS)
const step = fc.record({
  kind: fc.constantFrom<TransferMode | "withdrawal">("local", "international", "withdrawal"),
  sender: owner,
  recipient: owner,
  payout: fc.boolean(),
  side: fc.constantFrom(...SIDES),
  base: asset,
  quote: asset,
  quantity: fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 60n * ONE)).map(amountOf)
})

describe("TransferDecision", () => {
  it("loses and makes no money, and enriches nobody at the desk's prices", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: "max" }), (steps) => {
        const START = amountOf(100n * ONE)
        const ids = ASSETS.flatMap((name) => [deskOf(name), ...OWNERS.map((each) => walletOf(each, name))])
        const book = new Book(ids.map((id) => ({ id, balance: START, held: amountOf(0n), closed: false })))
        const before = new Map(OWNERS.map((each) => [each, worth(book, each)]))
        const expected = new Map(before)
        for (const [index, { base, kind, payout, quantity, quote, recipient, sender, side }] of steps.entries()) {
          const id = `move-${index}`
          const decided: Result.Result<Entry<TransferEvent>, TransferError> = kind === "withdrawal"
            ? decideWithdrawal({ at: index, withdrawalId: id, owner: sender, fundId: "f", asset: base, quantity })
            : decideTransfer(
                request({ transferId: id, sender, recipient, payout, pair: { base, quote }, mode: kind, quantity }),
                now(rateBetween(base, quote, side), side),
                index
              )
          if (Result.isFailure(decided)) continue
          if (Result.isFailure(book.apply(decided.success.commands))) continue
          const { event } = decided.success
          const gives = event._tag === "MoneyTransferred" && event.side === "Buy" ? quote : base
          const taken = event._tag === "MoneyTransferred" ? event.taken : quantity
          const value = taken * (PRICES[gives] ?? PARITY)
          expected.set(sender, (expected.get(sender) ?? 0n) - value)
          if (kind !== "withdrawal" && !payout) expected.set(recipient, (expected.get(recipient) ?? 0n) + value)
        }
        for (const name of ASSETS) {
          const inside = ids.filter((id) => id.split("/")[1] === name)
          const sum = inside.reduce((total, id) => total + book.account(id).balance, 0n)
          expect(sum + book.account(custodyOf(name)).balance).toBe(START * BigInt(OWNERS.length + 1))
          expect(inside.every((id) => book.account(id).balance >= 0n)).toBe(true)
        }
        for (const each of OWNERS) expect(worth(book, each) <= (expected.get(each) ?? 0n)).toBe(true)
      }),
      property()
    )
  })

  it("moves the base as it is, or sells it on the way", () => {
    const local = Result.getOrThrow(decideTransfer(request({ mode: "local" }), null, 5))
    expect(local.event).toMatchObject({ rate: null, received: amountOf(10n * ONE), at: 5 })
    expect(local.commands).toMatchObject([{ from: walletOf("ada", "EUR"), to: walletOf("bob", "EUR") }])
    const sold = Result.getOrThrow(decideTransfer(request(), now(fromUnits(1_082_316_600_000n)), 5))
    expect(sold.event.received).toBe(amountOf(10_823_166n))
    expect(sold.commands).toMatchObject([
      { from: walletOf("ada", "EUR"), to: deskOf("EUR"), amount: amountOf(10n * ONE) },
      { from: deskOf("USD"), to: walletOf("bob", "USD"), amount: amountOf(10_823_166n) }
    ])
  })

  it("takes the quote where the base is bought, rounded up", () => {
    const bought = Result.getOrThrow(decideTransfer(request(), now(fromUnits(1_084_483_400_001n), "Buy"), 5))
    expect(bought.event).toMatchObject({ taken: amountOf(10_844_835n), received: amountOf(10n * ONE) })
    expect(bought.commands).toMatchObject([
      { from: walletOf("ada", "USD"), to: deskOf("USD"), amount: amountOf(10_844_835n) },
      { from: deskOf("EUR"), to: walletOf("bob", "EUR"), amount: amountOf(10n * ONE) }
    ])
  })

  it("lets money for a beneficiary leave for the world outside", () => {
    const payout = { payout: true, recipient: "ben_1" }
    const local = Result.getOrThrow(decideTransfer(request({ ...payout, mode: "local" }), null, 5))
    expect(local.commands).toMatchObject([{ to: custodyOf("EUR"), purpose: "withdrawal" }])
    const sold = Result.getOrThrow(decideTransfer(request(payout), now(PARITY), 5))
    expect(sold.commands).toMatchObject([{ to: deskOf("EUR") }, { to: custodyOf("USD"), purpose: "withdrawal" }])
  })

  it("executes at the desk's rate, never at the caller's", () => {
    const rate = fromUnits(1_080_000_000_000n)
    const better = Result.getOrThrow(decideTransfer(request({ worst: fromUnits(1n) }), now(rate), 5))
    expect(better.event.rate).toBe(rate)
    const worse = decideTransfer(request({ worst: fromUnits(rate + 1n) }), now(rate), 5)
    expect(Result.getFailure(worse)).toMatchObject({ value: { _tag: "RateMoved", rate } })
  })

  it("refuses to take money and pay out nothing", () => {
    const refused = decideTransfer(
      request({ quantity: amountOf(151n), pair: { base: "JPY", quote: "USD" } }),
      now(rateBetween("JPY", "USD")),
      5
    )
    expect(Result.getFailure(refused)).toMatchObject({ value: { _tag: "NothingPaidOut", least: amountOf(152n) } })
    const paid = decideTransfer(
      request({ quantity: amountOf(152n), pair: { base: "JPY", quote: "USD" } }),
      now(rateBetween("JPY", "USD")),
      5
    )
    expect(Result.getOrThrow(paid).event.received).toBe(amountOf(1n))
  })

  it.each<[string, Partial<TransferRequest>, Rate | null, string]>([
    ["nothing", { quantity: amountOf(0n) }, PARITY, "quantity"],
    ["less than nothing", { quantity: amountOf(-1n) as Amount }, PARITY, "quantity"],
    ["an exchange of a currency for itself", { pair: { base: "USD", quote: "USD" } }, PARITY, "pair"],
    ["an exchange without a rate", {}, null, "pair"],
    ["a local transfer to oneself", { mode: "local", recipient: "ada" }, null, "to"],
    ["a rate where nothing is exchanged", { mode: "local", worst: PARITY }, null, "fxQuote"]
  ])("refuses %s", (_, change, sold, field) => {
    expect(Result.getFailure(decideTransfer(request(change), sold === null ? null : now(sold), 5))).toMatchObject({
      value: { _tag: "InvalidTransfer", field }
    })
  })

  it("refuses to withdraw nothing", () => {
    const nothing = decideWithdrawal({
      at: 1,
      withdrawalId: "w",
      owner: "ada",
      fundId: "f",
      asset: "USD",
      quantity: amountOf(0n)
    })
    expect(Result.isFailure(nothing)).toBe(true)
  })
})

/** What an owner has, at the prices between buying and selling, in 10⁻¹⁸ USD. */
const worth = (book: Book, owner: string): bigint =>
  ASSETS.reduce((sum, asset) => sum + book.account(walletOf(owner, asset)).balance * (PRICES[asset] ?? PARITY), 0n)
