import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { SubscriptionReplay } from "../../../engine/replay/SubscriptionReplay.ts"
import { historyRow, subscriptionRow, subscriptions } from "../../../engine/subscriptions/SubscriptionRows.ts"
import { expectDerivedRows, rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { property } from "../../lib/Property.ts"
import { SubscriptionScenario } from "../../lib/SubscriptionScenario.ts"

const life = fc.record({
  every: fc.constantFrom("week" as const, "month" as const, "year" as const),
  periods: fc.option(fc.integer({ min: 1, max: 4 })),
  dollars: fc.constantFrom(25, 50, 75, 1_000),
  acts: fc.array(
    fc.oneof(
      fc.constantFrom("renew", "empty", "pay", "cancel", "end").map((act) => ({ act, days: 0 })),
      fc.integer({ min: 1, max: 9 }).map((days) => ({ act: "pass", days }))
    ),
    { maxLength: 8 }
  )
})

describe("the rows of subscriptions", () => {
  it("have a value for each column", () => {
    const play = new SubscriptionScenario({ periods: 3 })
    play.create()
    const row = subscriptionRow(play.state!, 5)
    expect(row.values).toHaveLength(STATE_COLUMNS.subscriptions.length)
    const valueOf = (column: (typeof STATE_COLUMNS)["subscriptions"][number]) =>
      row.values[STATE_COLUMNS.subscriptions.indexOf(column)]
    expect(valueOf("id")).toBe("sub_1")
    expect([valueOf("every"), valueOf("periods"), valueOf("paid_periods")]).toEqual(["month", "3", "1"])
    expect([valueOf("status"), valueOf("failed_at"), valueOf("event_seq")]).toEqual(["active", null, "5"])
  })

  it("keep of each act what is worth knowing", () => {
    const play = new SubscriptionScenario({ every: "week" }, 25)
    play.create()
    play.pass(20)
    const kept = (one: SubscriptionScenario) =>
      one.events.map((event) => {
        const [, , , act, , period, , reason] = historyRow(event, 5).values
        return [act, period, reason]
      })
    expect(kept(play)).toEqual([
      ["created", "1", null],
      ...Array.from({ length: 4 }, () => ["payment_failed", "2", "insufficient_funds"]),
      ["cancelled", null, "payment_failed"]
    ])
    const later = new SubscriptionScenario({ startAt: play.terms.startAt + 1 })
    later.create()
    expect(kept(later)).toEqual([["created", null, null]])
    expect(historyRow(later.events[0]!, 5).values).toHaveLength(STATE_COLUMNS.subscription_history.length)
  })

  it("leave what a replay derives", () => {
    fc.assert(
      fc.property(life, ({ acts, dollars, every, periods }) => {
        const play = new SubscriptionScenario({ every, periods }, dollars)
        play.create()
        for (const { act, days } of acts) {
          if (act === "pass") play.pass(days)
          if (act === "renew") play.renew()
          if (act === "empty") play.empty()
          if (act === "pay") play.pay(50)
          if (act === "cancel" || act === "end") play.cancel(act === "end")
        }
        const rows = rowsOfAggregate(
          subscriptions,
          play.events.map((event, index) => ({ event, seq: index + 1 }))
        )
        expectDerivedRows(
          play.events.map((event, index) => ({ event, stored: play.stored[index]!, rows: rows[index]! })),
          (sink) => new SubscriptionReplay(sink)
        )
      }),
      property()
    )
  })
})
