import { describe, expect, it } from "bun:test"
import { deliveriesOf } from "../../../engine/webhooks/NewDeliveries.ts"

const message = { id: "evt", type: "order.created", companyId: "c", createdAt: 1, object: () => ({}) as never } as const
const hearers = ["w1", "w2", "w3"].map((webhookId) => ({ webhookId, companyId: "c" }))

describe("deliveriesOf", () => {
  it("begins as many as the day has room for, and holds the others", () => {
    const room = new Map([["c", 2]])
    const made = deliveriesOf([{ message, seq: 7, hearers }], ["a", "b", "d"], room)
    expect(made.map(({ id, status }) => [id, status])).toEqual([
      ["a", "pending"],
      ["b", "pending"],
      ["d", "held"]
    ])
    expect(made[0]).toEqual({ id: "a", webhookId: "w1", companyId: "c", eventId: "evt", seq: 7, status: "pending" })
    expect(deliveriesOf([{ message, seq: 7, hearers }], ["a", "b", "d"], new Map())[0]?.status).toBe("held")
  })
})
