import { describe, expect, it } from "bun:test"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { bodyOf, envelopeOf } from "../../../engine/webhooks/WebhookMessage.ts"
import { messagesOf } from "../../lib/RenderedMessages.ts"

const [message] = messagesOf(EXAMPLE_EVENTS["order.created"].events[0]!)

describe("A body", () => {
  it("is the envelope of specification 2.15 in its order", () => {
    if (message === undefined) throw new Error("nothing is told")
    expect(Object.keys(envelopeOf(message))).toEqual(["id", "object", "type", "created_at", "data"])
    expect(envelopeOf(message)).toMatchObject({ object: "event", type: "order.created", id: message.id })
    expect(Object.keys(envelopeOf(message).data)).toEqual(["object"])
  })

  it("is the same bytes however often it is made", () => {
    if (message === undefined) throw new Error("nothing is told")
    expect(bodyOf(message)).toBe(bodyOf(message))
    expect(JSON.parse(bodyOf(message))).toEqual(envelopeOf(message))
  })
})
