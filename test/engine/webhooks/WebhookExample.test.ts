import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import { WebhookBody } from "../../../engine/webhooks/WebhookBody.ts"
import { WEBHOOK_EVENTS } from "../../../engine/webhooks/WebhookEventTypes.ts"
import { WEBHOOK_EVENT_TYPES } from "../../../engine/webhooks/WebhookEventType.ts"
import { exampleOf } from "../../../engine/webhooks/WebhookExample.ts"
import { bodyOf } from "../../../engine/webhooks/WebhookMessage.ts"

const read = Schema.decodeUnknownSync(WebhookBody, { onExcessProperty: "error" })

describe("exampleOf", () => {
  it("has an example of each type, of the object that the table names", () => {
    for (const type of WEBHOOK_EVENT_TYPES) {
      const body = read(JSON.parse(bodyOf(exampleOf(type))))
      expect(body.type).toBe(type)
      expect(body.data.object.object).toBe(WEBHOOK_EVENTS.find((facts) => facts.type === type)?.object ?? "order")
    }
  })

  it("has what happened, not only the object", () => {
    const object = (type: Parameters<typeof exampleOf>[0]) => exampleOf(type).object()
    expect(object("order.updated")).toMatchObject({ payment_status: "partially_paid", amount_due: 125 })
    expect(object("order.paid")).toMatchObject({ status: "paid", amount_due: 0 })
    expect(object("order.fulfilled")).toMatchObject({ status: "fulfilled", fulfilment_status: "fulfilled" })
    expect(object("order.cancelled")).toMatchObject({ status: "cancelled", payment_status: "refunded" })
    expect(object("payment.authorized")).toMatchObject({ status: "authorized", captured: 0 })
    expect(object("payment.captured")).toMatchObject({ status: "captured", captured: 250 })
    expect(object("payment.refunded")).toMatchObject({ status: "refunded", refunded: 250 })
    expect(object("payment.failed")).toMatchObject({ status: "failed", failure: "insufficient_funds" })
    expect(object("company.verified")).toMatchObject({ status: "verified" })
    expect(object("company.updated")).toMatchObject({ plan: "pro" })
    expect(object("subscription.payment_failed")).toMatchObject({ status: "past_due", failures: 1 })
    expect(object("subscription.cancelled")).toMatchObject({ end_reason: "requested" })
    expect(object("credit.limit_changed")).toMatchObject({ previous_amount: 0, amount: 18_000 })
    expect(object("webhook.disabled")).toMatchObject({ status: "disabled", disabled_cause: "failing" })
    expect(object("webhook.test")).toMatchObject({ status: "enabled", disabled_cause: null })
  })

  it("is sent as a new one under an id and a time of its own", () => {
    const id = "evt_0123456789abcdefghjkmnpq"
    expect(JSON.parse(bodyOf(exampleOf("order.paid", id, 1_000)))).toMatchObject({
      id,
      created_at: "1970-01-01T00:00:01.000Z"
    })
  })
})
