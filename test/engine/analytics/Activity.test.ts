import { describe, expect, it } from "bun:test"
import { ACTIVITIES, activitiesOf, isCounted } from "../../../engine/analytics/Activity.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import type { MoneyTransferred } from "../../../engine/transfers/TransferEvent.ts"
import * as Rate from "../../../engine/money/Rate.ts"

const usd = (units: bigint) => fromUnits(units)
const wallet = accountId("u", "USD", "wallet")
const act = { at: 7, userId: "u", companyId: "cmp_a" }

const told = (event: PlatformEvent): ReadonlyArray<ReadonlyArray<unknown>> =>
  activitiesOf(event).map(({ at, by, name, volume }) => [
    name,
    "companyId" in by ? by.companyId : by.userId,
    at,
    volume
  ])

const transfer = (change: Partial<MoneyTransferred>): MoneyTransferred => ({
  _tag: "MoneyTransferred",
  at: 7,
  transferId: "t",
  sender: "s",
  recipient: "r",
  payout: false,
  pair: { base: "EUR", quote: "USD" },
  mode: "international",
  side: "Sell",
  quantity: usd(10n),
  worst: null,
  quoteId: null,
  rate: Rate.fromUnits(1n),
  taken: usd(10n),
  received: usd(11n),
  country: "BE",
  description: "",
  createdDate: 0,
  ...change
})

describe("activitiesOf", () => {
  it("counts an order for its buyer and once for each seller", () => {
    const share = { wallet, subtotal: usd(2n) }
    const terms = {
      orderId: "o",
      buyer: { companyId: "cmp_a", creditLimit: accountId("u", "USD-CREDIT", "credit_limit") },
      lines: [],
      sellers: ["cmp_b", "cmp_c", "cmp_b"].map((sellerId) => ({ ...share, sellerId })),
      total: usd(6n),
      paymentTerms: { type: "prepaid" as const },
      schedule: [],
      placedAt: 9
    }
    expect(told({ ...act, _tag: "PurchaseOrderPlaced", terms } as never)).toEqual([
      ["orders_placed", "cmp_a", 9, 6n],
      ["orders_received", "cmp_b", 9, 4n],
      ["orders_received", "cmp_c", 9, 2n]
    ])
  })

  it("counts what is paid, fulfilled, cancelled and assessed for who did it", () => {
    const amount = usd(5n)
    const payment = { paymentId: "p", from: wallet, amount, parts: [], to: [], instalments: [] }
    expect(told({ ...act, _tag: "PurchaseOrderPaid", orderId: "o", payment })).toEqual([
      ["orders_paid", "cmp_a", 7, 5n]
    ])
    expect(told({ ...act, _tag: "PurchaseOrderFulfilled", orderId: "o" })).toEqual([
      ["orders_fulfilled", "cmp_a", 7, ZERO]
    ])
    const assessed = { ...act, _tag: "CreditAssessed", granted: amount } as never
    expect(told(assessed)).toEqual([["credit_assessments", "cmp_a", 7, 5n]])
  })

  it("counts a charge of a subscription where there was one", () => {
    const created = { ...act, _tag: "SubscriptionCreated", terms: { quantity: 3, unitPrice: usd(2n) } }
    expect(told({ ...created, charged: false } as never)).toEqual([["subscriptions_created", "cmp_a", 7, ZERO]])
    expect(told({ ...created, charged: true } as never)).toEqual([
      ["subscriptions_created", "cmp_a", 7, ZERO],
      ["subscription_charges", "cmp_a", 7, 6n]
    ])
  })

  it("counts of a transfer what was in USD, on the side on which it was", () => {
    const sent = (volume: bigint) => ["transfers_sent", "s", 7, volume]
    const got = (volume: bigint) => ["transfers_received", "r", 7, volume]
    expect(told(transfer({}))).toEqual([sent(0n), got(11n)])
    expect(told(transfer({ side: "Buy" }))).toEqual([sent(10n), got(0n)])
    expect(told(transfer({ rate: null, pair: { base: "USD", quote: "EUR" } }))).toEqual([sent(10n), got(11n)])
    expect(told(transfer({ payout: true }))).toEqual([sent(0n)])
  })

  it("counts the credits of bots at what they cost", () => {
    const of = { at: 7, companyId: "cmp_a", period: "2026-11" }
    const credits = usd(3_000_000n)
    const charge = { ...of, chargeId: "1", botId: "b", free: usd(1_000_000n), paid: usd(2_000_000n) }
    const decided = { _tag: "BotDecided", at: 7, charge }
    expect(told(decided as never)).toEqual([["bot_evaluations", "cmp_a", 7, 30_000n]])
    expect(told({ ...decided, charge: null } as never)).toEqual([])
    expect(told({ _tag: "CreditsGranted", ...of, credits })).toEqual([["credit_grants", "cmp_a", 7, 30_000n]])
    expect(told({ _tag: "CreditsLapsed", ...of, credits })).toEqual([["credit_lapses", "cmp_a", 7, 30_000n]])
    const bought = { ...of, topUpId: "1", botId: "b", userId: "u", usd: usd(5n), credits, automatic: true }
    expect(told({ _tag: "CreditsBought", ...bought })).toEqual([["credit_topups", "cmp_a", 7, 5n]])
  })

  it("counts nothing of the arena, and names what it counts", () => {
    expect(isCounted("CommitmentSubmitted")).toBe(false)
    expect(told({ _tag: "AllowanceGranted", at: 1, traderId: "t", amount: usd(1n) })).toEqual([])
    expect(new Set(ACTIVITIES).size).toBe(ACTIVITIES.length)
  })
})
