import { describe, expect, it } from "bun:test"
import { MOST_PERIODS as ENFORCED } from "../../../../../engine/subscriptions/SubscriptionDecision.ts"
import { FAILURE_REASONS } from "../../../../../engine/subscriptions/SubscriptionEvent.ts"
import {
  isPeriods,
  MOST_PERIODS,
  remedyOf,
  standingOf,
  subscriptionSentence,
  type SubscriptionFacts,
  type SubscriptionAct
} from "../../../../../src/dashboard/app/subscriptions/SubscriptionStory.ts"

const standing = (change: Partial<SubscriptionFacts>): SubscriptionFacts => ({
  status: "active",
  paid_periods: 1,
  periods: null,
  failures: 0,
  next_at: "2026-12-22T12:00:00Z",
  cancel_at: null,
  end_reason: null,
  ...change
})

const act = (change: Partial<SubscriptionAct>): SubscriptionAct => ({
  event: "created",
  user_id: "usr_1",
  period: null,
  amount: null,
  reason: null,
  ...change
})

describe("A subscription's story", () => {
  it("says what comes next", () => {
    expect(standingOf(standing({}))).toBe("Paid up. The next period is due on 22 Dec 2026.")
    expect(standingOf(standing({ paid_periods: 0 }))).toBe("The first period is due on 22 Dec 2026.")
    expect(standingOf(standing({ cancel_at: "2026-12-22T12:00:00Z" }))).toBe(
      "It ends on 22 Dec 2026. Nothing more is charged."
    )
    expect(standingOf(standing({ status: "past_due", failures: 1 }))).toBe(
      "Period 2 could not be charged. It is tried again on 22 Dec 2026."
    )
    expect(standingOf(standing({ status: "completed", periods: 12, next_at: null }))).toBe("All 12 periods are paid.")
    expect(standingOf(standing({ status: "cancelled", end_reason: "requested" }))).toBe("It was cancelled.")
  })

  it("says who did what", () => {
    const said = (change: Partial<SubscriptionAct>) => subscriptionSentence(act(change), "usr_1")
    expect(said({ amount: "$5.00", period: 1 })).toBe("You subscribed and paid $5.00 for the first period.")
    expect(said({})).toBe("You subscribed.")
    expect(said({ event: "renewed", user_id: null, period: 2, amount: "$5.00" })).toBe(
      "Renewed: $5.00 was paid for period 2."
    )
    expect(said({ event: "payment_failed", user_id: null, period: 3, reason: "out_of_stock" })).toBe(
      "Period 3 could not be charged: the seller had too few pieces left."
    )
    expect(said({ event: "cancelled", user_id: "usr_2" })).toBe("Somebody else cancelled it.")
    expect(said({ event: "cancelled", reason: "payment_failed" })).toBe("It was cancelled: the last try failed too.")
  })

  it("has a remedy for every reason", () => {
    const unknown = remedyOf(null)
    for (const reason of FAILURE_REASONS) expect([reason, remedyOf(reason)]).not.toEqual([reason, unknown])
  })

  it("takes as many periods as the platform does", () => {
    expect(MOST_PERIODS).toEqual(ENFORCED)
    expect([isPeriods("", "year"), isPeriods("10", "year"), isPeriods("11", "year")]).toEqual([true, true, false])
    expect([isPeriods("0", "week"), isPeriods("1.5", "week")]).toEqual([false, false])
  })
})
