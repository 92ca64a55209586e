import { priceOf, totalOf } from "../bots/EvaluationCredits.ts"
import type { PurchaseOrderTerms } from "../commerce/PurchaseOrderTerms.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { MoneyTransferred } from "../transfers/TransferEvent.ts"

/** What is counted of a company's doings. */
export const ACTIVITIES = [
  "orders_placed",
  "orders_received",
  "orders_paid",
  "orders_fulfilled",
  "orders_cancelled",
  "subscriptions_created",
  "subscription_charges",
  "subscription_failures",
  "transfers_sent",
  "transfers_received",
  "withdrawals",
  "credit_assessments",
  "bot_evaluations",
  "credit_grants",
  "credit_lapses",
  "credit_topups"
] as const

export type ActivityName = (typeof ACTIVITIES)[number]

/** Whose doing it is: a company's, or that of the company of a user. */
export type Party = { readonly companyId: string } | { readonly userId: string }

/** Something that happened once. */
export interface Activity {
  readonly name: ActivityName
  readonly by: Party
  /** Milliseconds since 1970. */
  readonly at: number
  /** What moved, in USD; nothing where it was in another asset. */
  readonly volume: Amount
}

const USD = "USD"

const inUsd = (asset: string, amount: Amount): Amount => (asset === USD ? amount : ZERO)

const received = ({ placedAt: at, sellers }: PurchaseOrderTerms): ReadonlyArray<Activity> => {
  const subtotals = new Map<string, bigint>()
  for (const { sellerId, subtotal } of sellers) subtotals.set(sellerId, (subtotals.get(sellerId) ?? 0n) + subtotal)
  return [...subtotals].map(([companyId, units]) => ({
    name: "orders_received",
    by: { companyId },
    at,
    volume: fromUnits(units)
  }))
}

const transferred = (event: MoneyTransferred): ReadonlyArray<Activity> => {
  const { at, pair, payout, rate, recipient, sender, side } = event
  const [given, got] =
    rate === null ? [pair.base, pair.base] : side === "Sell" ? [pair.base, pair.quote] : [pair.quote, pair.base]
  const sent: Activity = { name: "transfers_sent", by: { userId: sender }, at, volume: inUsd(given, event.taken) }
  const volume = inUsd(got, event.received)
  return payout ? [sent] : [sent, { name: "transfers_received", by: { userId: recipient }, at, volume }]
}

type Tag = PlatformEvent["_tag"]

type Counters = {
  readonly [T in Tag]?: (event: Extract<PlatformEvent, { readonly _tag: T }>) => ReadonlyArray<Activity>
}

interface OfCompany {
  readonly at: number
  readonly companyId: string
}

const once = (name: ActivityName, { at, companyId }: OfCompany, volume: Amount = ZERO): Activity => ({
  name,
  by: { companyId },
  at,
  volume
})

const COUNTERS: Counters = {
  PurchaseOrderPlaced: ({ terms }) => [
    once("orders_placed", { at: terms.placedAt, companyId: terms.buyer.companyId }, terms.total),
    ...received(terms)
  ],
  PurchaseOrderPaid: (event) => [once("orders_paid", event, event.payment.amount)],
  PurchaseOrderFulfilled: (event) => [once("orders_fulfilled", event)],
  PurchaseOrderCancelled: (event) => [once("orders_cancelled", event)],
  SubscriptionCreated: (event) => {
    const { quantity, unitPrice } = event.terms
    const charge = once("subscription_charges", event, fromUnits(unitPrice * BigInt(quantity)))
    return [once("subscriptions_created", event), ...(event.charged ? [charge] : [])]
  },
  SubscriptionRenewed: (event) => [once("subscription_charges", event, event.amount)],
  SubscriptionPaymentFailed: (event) => [once("subscription_failures", event, event.amount)],
  MoneyTransferred: transferred,
  MoneyWithdrawn: ({ asset, at, owner, quantity }) => [
    { name: "withdrawals", by: { userId: owner }, at, volume: inUsd(asset, quantity) }
  ],
  CreditAssessed: (event) => [once("credit_assessments", event, event.granted)],
  BotDecided: ({ at, charge }) =>
    charge === null ? [] : [once("bot_evaluations", { at, companyId: charge.companyId }, priceOf(totalOf(charge)))],
  CreditsGranted: (event) => [once("credit_grants", event, priceOf(event.credits))],
  CreditsLapsed: (event) => [once("credit_lapses", event, priceOf(event.credits))],
  CreditsBought: (event) => [once("credit_topups", event, event.usd)]
}

const counters: ReadonlyMap<string, (event: never) => ReadonlyArray<Activity>> = new Map(Object.entries(COUNTERS))

/** Whether events of a type are counted at all, so that the others need not be read. */
export const isCounted = (type: string): boolean => counters.has(type)

/** What an event is counted as; most are counted as nothing. */
export const activitiesOf = (event: PlatformEvent): ReadonlyArray<Activity> =>
  counters.get(event._tag)?.(event as never) ?? []
