import { describe, expect, it } from "bun:test"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { historyOf, historyRow, SUBSCRIPTION_ACTS, subscriptionRow } from "../../../engine/replay/SubscriptionRows.ts"
import { SubscriptionPlay } from "../../lib/SubscriptionPlay.ts"

describe("SubscriptionRows", () => {
  it("has a value for each column", () => {
    const play = new SubscriptionPlay({ periods: 3 })
    play.create()
    const row = subscriptionRow(play.state!, 5)
    expect(row.values).toHaveLength(STATE_COLUMNS.subscriptions.length)
    const valueOf = (column: (typeof STATE_COLUMNS)["subscriptions"][number]) =>
      row.values[STATE_COLUMNS.subscriptions.indexOf(column)]
    expect(valueOf("id")).toBe("sub_1")
    expect([valueOf("every"), valueOf("periods"), valueOf("paid_periods")]).toEqual(["month", "3", "1"])
    expect([valueOf("status"), valueOf("failed_at"), valueOf("event_seq")]).toEqual(["active", null, "5"])
    for (const event of play.events) {
      expect(historyRow(event, 5).values).toHaveLength(STATE_COLUMNS.subscription_history.length)
    }
  })

  it("keeps of each act what is worth knowing", () => {
    const play = new SubscriptionPlay({ every: "week" }, 25)
    play.create()
    play.pass(20)
    expect(
      play.events.map((event) => [SUBSCRIPTION_ACTS[event._tag], historyOf(event).period, historyOf(event).reason])
    ).toEqual([
      ["created", 1, null],
      ...Array.from({ length: 4 }, () => ["payment_failed", 2, "insufficient_funds"]),
      ["cancelled", null, "payment_failed"]
    ])
    const later = new SubscriptionPlay({ startAt: play.terms.startAt + 1 })
    later.create()
    expect(later.events.map(historyOf)).toEqual([{ period: null, amount: null, reason: null }])
  })
})
