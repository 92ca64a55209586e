import { describe, expect, it } from "bun:test"
import { eventGroups, eventsSummary } from "../../../../../src/dashboard/app/webhooks/EventGroups.ts"

const types = (...names: ReadonlyArray<string>) => names.map((type) => ({ type }))

describe("Event types by subject", () => {
  it("keeps every type once, orders first", () => {
    const groups = eventGroups(types("payment.failed", "order.created", "order.paid", "weather.changed", "odd"))
    expect(groups).toEqual([
      { title: "Orders", types: types("order.created", "order.paid") },
      { title: "Payments", types: types("payment.failed") },
      { title: "Other", types: types("weather.changed", "odd") }
    ])
    expect(eventGroups([])).toEqual([])
  })
})

describe("What an endpoint gets", () => {
  it("is said in few words", () => {
    expect(eventsSummary(["order.paid", "*"])).toBe("All events")
    expect(eventsSummary([])).toBe("None")
    expect(eventsSummary(["a"])).toBe("a")
    expect(eventsSummary(["a", "b"])).toBe("a, b")
    expect(eventsSummary(["a", "b", "c"])).toBe("a and 2 more")
  })
})
