/** Decides on subscriptions: creating, charging, renewing and cancelling. */

import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import { piecesOf, productAsset, stockOf } from "../commerce/Stock.ts"
import type { Command } from "../ledger/Command.ts"
import { custodyOf, walletOf } from "../ledger/Funding.ts"
import { MAX } from "../money/Amount.ts"
import type { Interval } from "./Period.ts"
import { dueAt, priceOf, RETRY_DAYS, type SubscriptionState } from "./Subscription.ts"
import { type SubscriptionTerms } from "./SubscriptionTerms.ts"
import { IllegalSubscriptionAct, InvalidSubscription, NotAllowed } from "./SubscriptionError.ts"
import type {
  FailureReason,
  SubscriptionCancelled,
  SubscriptionCreated,
  SubscriptionEndSet,
  SubscriptionEvent,
  SubscriptionPaymentFailed,
  SubscriptionRenewed
} from "./SubscriptionEvent.ts"

/** The most pieces a period. */
export const MOST_PIECES = 1_000_000

/** The most periods of each length: ten years. */
export const MOST_PERIODS: Readonly<Record<Interval, number>> = { week: 520, month: 120, year: 10 }

const MILLIS_A_DAY = 86_400_000

/** How long before its first period a subscription can be made: a year, in milliseconds. */
export const LONGEST_AHEAD = 366 * MILLIS_A_DAY

/** Who acts, for which company, and when. */
export interface ActingUser {
  readonly userId: string
  readonly companyId: string
  readonly at: number
}

/** Agrees on terms, and charges the first period where it is due now. */
export const create = (
  terms: SubscriptionTerms,
  at: number
): Result.Result<Entry<SubscriptionCreated>, InvalidSubscription> => {
  const wrong = faultOf(terms, at)
  if (wrong !== undefined) return Result.fail(wrong)
  const { buyer, subscriptionId } = terms
  const charged = terms.startAt === at
  const nextAt = charged ? dueAfter(terms, 1) : terms.startAt
  const { companyId, userId } = buyer
  return Result.succeed({
    commands: charged ? charge(terms, 1) : [],
    event: { _tag: "SubscriptionCreated", at, userId, companyId, subscriptionId, terms, charged, nextAt }
  })
}

/**
 * Charges the next period on its buyer's request: what is owed, or the coming period before it is due. Never further
 * ahead than that.
 */
export const renew = (
  state: SubscriptionState,
  { at, userId }: ActingUser
): Result.Result<Entry<SubscriptionRenewed>, NotAllowed | IllegalSubscriptionAct> => {
  const { paidPeriods, terms } = state
  if (userId !== terms.buyer.userId) return Result.fail(new NotAllowed({ act: "renew" }))
  const refused = (because: IllegalSubscriptionAct["because"]) =>
    Result.fail(new IllegalSubscriptionAct({ act: "renew", status: state.status, because }))
  if (state.nextAt === null) return refused("ended")
  if (state.endsAt !== null) return refused("ends")
  if (paidPeriods === 0 && at < terms.startAt) return refused("not_started")
  if (paidPeriods > 0 && at < dueAt(terms, paidPeriods)) return refused("ahead")
  return Result.succeed(renewal(state, at, userId))
}

/** What is to be done with a subscription at a time by itself, if anything. */
export const dueStep = (
  state: SubscriptionState,
  now: number
): Entry<SubscriptionRenewed> | Entry<SubscriptionCancelled> | undefined => {
  const { endsAt, failures, nextAt } = state
  if (nextAt === null || now < nextAt) return undefined
  if (endsAt !== null && now >= endsAt) return cancellation(state, "period_end", null, now)
  if (failures > RETRY_DAYS.length) return cancellation(state, "payment_failed", null, now)
  return renewal(state, now, null)
}

/** Records that the period that is due could not be charged, and when it is tried again. */
export const failed = (
  state: SubscriptionState,
  reason: FailureReason,
  at: number
): Entry<SubscriptionPaymentFailed> => {
  const { failedAt, paidPeriods, terms } = state
  const failures = state.failures + 1
  const days = RETRY_DAYS[failures - 1]
  const retryAt = days === undefined ? null : Math.max(at, (failedAt ?? at) + days * MILLIS_A_DAY)
  return {
    commands: [],
    event: {
      _tag: "SubscriptionPaymentFailed",
      at,
      userId: null,
      companyId: terms.buyer.companyId,
      subscriptionId: terms.subscriptionId,
      period: paidPeriods + 1,
      amount: priceOf(terms),
      reason,
      failures,
      retryAt
    }
  }
}

/** Ends a subscription on request of either side: at once, or with the period that was paid last. */
export const cancel = (
  state: SubscriptionState,
  atPeriodEnd: boolean,
  { at, companyId, userId }: ActingUser
): Result.Result<Entry<SubscriptionCancelled> | Entry<SubscriptionEndSet>, NotAllowed | IllegalSubscriptionAct> => {
  const { paidPeriods, status, terms } = state
  if (companyId !== terms.buyer.companyId && companyId !== terms.seller.companyId) {
    return Result.fail(new NotAllowed({ act: "cancel" }))
  }
  const refused = (because: IllegalSubscriptionAct["because"]) =>
    Result.fail(new IllegalSubscriptionAct({ act: "cancel", status, because }))
  if (state.nextAt === null) return refused("ended")
  if (atPeriodEnd && state.endsAt !== null) return refused("ends")
  const endsAt = dueAt(terms, paidPeriods + 1)
  if (!atPeriodEnd || paidPeriods === 0 || at >= endsAt) {
    return Result.succeed(cancellation(state, "requested", userId, at))
  }
  const { subscriptionId } = terms
  const buyer = terms.buyer.companyId
  return Result.succeed({
    commands: [],
    event: { _tag: "SubscriptionEndSet", at, userId, companyId: buyer, subscriptionId, endsAt }
  })
}

/** What an event asks of the ledger. The state is as it was before; undefined before the creation. */
export const commandsOf = (state: SubscriptionState | undefined, event: SubscriptionEvent): ReadonlyArray<Command> => {
  if (event._tag === "SubscriptionCreated") return event.charged ? charge(event.terms, 1) : []
  return event._tag === "SubscriptionRenewed" && state !== undefined ? charge(state.terms, event.period) : []
}

/** The price to the seller and the pieces out of its stock, under ids that a period has once. */
const charge = (terms: SubscriptionTerms, period: number): ReadonlyArray<Command> => {
  const { buyer, productId, quantity, seller, subscriptionId } = terms
  return [
    {
      _tag: "Transfer",
      id: `subscription/${subscriptionId}/${period}`,
      from: walletOf(buyer.userId, "USD"),
      to: walletOf(seller.userId, "USD"),
      amount: priceOf(terms),
      purpose: "purchase"
    },
    {
      _tag: "Transfer",
      id: `subscription-goods/${subscriptionId}/${period}`,
      from: stockOf(seller.companyId, productId),
      to: custodyOf(productAsset(productId)),
      amount: piecesOf(quantity),
      purpose: "goods"
    }
  ]
}

/** When the period after one is due; null after the last. */
const dueAfter = (terms: SubscriptionTerms, period: number): number | null =>
  terms.periods !== null && period >= terms.periods ? null : dueAt(terms, period + 1)

const renewal = (
  { paidPeriods, terms }: SubscriptionState,
  at: number,
  userId: string | null
): Entry<SubscriptionRenewed> => {
  const period = paidPeriods + 1
  return {
    commands: charge(terms, period),
    event: {
      _tag: "SubscriptionRenewed",
      at,
      userId,
      companyId: terms.buyer.companyId,
      subscriptionId: terms.subscriptionId,
      period,
      amount: priceOf(terms),
      nextAt: dueAfter(terms, period)
    }
  }
}

const cancellation = (
  { terms }: SubscriptionState,
  reason: SubscriptionCancelled["reason"],
  userId: string | null,
  at: number
): Entry<SubscriptionCancelled> => ({
  commands: [],
  event: {
    _tag: "SubscriptionCancelled",
    at,
    userId,
    companyId: terms.buyer.companyId,
    subscriptionId: terms.subscriptionId,
    reason
  }
})

const faultOf = (terms: SubscriptionTerms, at: number): InvalidSubscription | undefined => {
  const { buyer, every, periods, quantity, seller, startAt } = terms
  const wrong = (field: InvalidSubscription["field"], expected: string) => new InvalidSubscription({ field, expected })
  if (buyer.companyId === seller.companyId) return wrong("product_id", "a product of another company")
  if (!isWhole(quantity, MOST_PIECES)) return wrong("quantity", `a whole number from 1 to ${MOST_PIECES}`)
  if (priceOf(terms) > MAX) return wrong("quantity", "pieces that cost at most 8000000000 USD together")
  const most = MOST_PERIODS[every]
  if (periods !== null && !isWhole(periods, most)) {
    return wrong("periods", `a whole number from 1 to ${most} for interval ${every}`)
  }
  return startAt < at || startAt > at + LONGEST_AHEAD
    ? wrong("start", "a time from now on, at most 366 days ahead")
    : undefined
}

const isWhole = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most
