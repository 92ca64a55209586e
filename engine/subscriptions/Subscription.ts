import { Amount, fromUnits } from "../money/Amount.ts"
import { dueDate } from "./Period.ts"
import type { CancelReason, SubscriptionEvent } from "./SubscriptionEvent.ts"
import type { SubscriptionTerms } from "./SubscriptionTerms.ts"

export const SUBSCRIPTION_STATUSES = ["active", "past_due", "completed", "cancelled"] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/** A subscription as its events make it. */
export interface SubscriptionState {
  readonly terms: SubscriptionTerms
  readonly createdAt: number
  /** The number of events recorded. */
  readonly version: number
  readonly status: SubscriptionStatus
  readonly paidPeriods: number
  /** How often the period that is due has failed, and when it did first. */
  readonly failures: number
  readonly failedAt: number | null
  /** When there is something to do next; null at the end. */
  readonly nextAt: number | null
  /** When it ends, where it was cancelled for the end of a period. */
  readonly endsAt: number | null
  readonly endedAt: number | null
  readonly endReason: CancelReason | null
}

/** When a period that failed is tried again, in days after its first failure. */
export const RETRY_DAYS: ReadonlyArray<number> = [1, 3, 5]

/** The stream of a subscription's events. */
export const subscriptionStream = (subscriptionId: string): string => `subscription/${subscriptionId}`

/** USD a period. */
export const priceOf = ({ quantity, unitPrice }: Pick<SubscriptionTerms, "quantity" | "unitPrice">): Amount =>
  fromUnits(unitPrice * BigInt(quantity))

/** When a period of a subscription is due. */
export const dueAt = ({ every, startAt }: SubscriptionTerms, period: number): number => dueDate(startAt, every, period)

/** What a subscription is after one more event; undefined is none yet. */
export const after = (state: SubscriptionState | undefined, event: SubscriptionEvent): SubscriptionState => {
  if (event._tag === "SubscriptionCreated") return created(event)
  if (state === undefined) throw new TypeError(`${event._tag} of a subscription that was not created`)
  const version = state.version + 1
  switch (event._tag) {
    case "SubscriptionRenewed": {
      const { at, nextAt, period } = event
      const paid = { ...state, version, paidPeriods: period, failures: 0, failedAt: null, nextAt }
      return nextAt === null ? { ...paid, status: "completed", endedAt: at } : { ...paid, status: "active" }
    }
    case "SubscriptionPaymentFailed": {
      const { at, failures, retryAt } = event
      const failedAt = state.failedAt ?? at
      return { ...state, version, status: "past_due", failures, failedAt, nextAt: retryAt ?? at }
    }
    case "SubscriptionEndSet":
      return { ...state, version, endsAt: event.endsAt, nextAt: event.endsAt }
    case "SubscriptionCancelled": {
      const { at, reason } = event
      return { ...state, version, status: "cancelled", nextAt: null, endedAt: at, endReason: reason }
    }
  }
}

const created = ({
  at,
  charged,
  nextAt,
  terms
}: Extract<SubscriptionEvent, { readonly _tag: "SubscriptionCreated" }>): SubscriptionState => ({
  terms,
  createdAt: at,
  version: 1,
  status: nextAt === null ? "completed" : "active",
  paidPeriods: charged ? 1 : 0,
  failures: 0,
  failedAt: null,
  nextAt,
  endsAt: null,
  endedAt: nextAt === null ? at : null,
  endReason: null
})
