import { describe, expect, it } from "bun:test"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { webhookStream } from "../../../engine/webhooks/Webhook.ts"
import { outlineOf, messagesOf, wrongWith } from "../../lib/RenderedMessages.ts"

const { events } = EXAMPLE_EVENTS["webhook.disabled"]
const [, disabled] = events
const STREAM = webhookStream("whk_example0000000000000000000")

describe("What is told when an endpoint is disabled", () => {
  it("goes to its company, with why, and never a secret", () => {
    if (disabled === undefined) throw new Error("there is no example")
    const messages = messagesOf(disabled, { [STREAM]: events })
    expect(wrongWith(disabled, messages)).toEqual([])
    expect(outlineOf(messages)).toEqual(["webhook.disabled to cmp_example0buyer0000000000000"])
    expect(messages[0]?.object()).toEqual({
      id: "whk_example0000000000000000000",
      object: "webhook",
      company_id: "cmp_example0buyer0000000000000",
      status: "disabled",
      created_at: "2026-01-31T12:00:00.000Z",
      url: "https://example.com/hook",
      events: ["order.created", "order.paid"],
      description: "Orders",
      metadata: {},
      disabled_cause: "failing"
    })
  })

  it("is nothing where the stream is empty", () => {
    if (disabled === undefined) throw new Error("there is no example")
    expect(messagesOf(disabled)).toEqual([])
  })
})
