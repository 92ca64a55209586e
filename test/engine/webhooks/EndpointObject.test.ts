import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import { endpointObject } from "../../../engine/webhooks/EndpointObject.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { after, type WebhookState } from "../../../engine/webhooks/Webhook.ts"
import type { WebhookEvent } from "../../../engine/webhooks/WebhookEvent.ts"
import { WebhookAnswer } from "../../../src/api/Webhooks.ts"
import { webhookAnswer } from "../../../src/webhooks/WebhookResponses.ts"

const encode = Schema.encodeSync(WebhookAnswer)

describe("endpointObject", () => {
  it("is what the endpoint's own address answers, but for what only its company's own eyes see", () => {
    const events = EXAMPLE_EVENTS["webhook.disabled"].events as ReadonlyArray<WebhookEvent>
    const state = events.reduce<WebhookState | undefined>(after, undefined)
    if (state === undefined) throw new Error("the first event creates it")
    const { created_by, disabled_at, failing_since, previous_secret_until, updated_at, ...answer } = encode(
      webhookAnswer({ state, failingSince: 1 })
    )
    expect(endpointObject(state) as unknown).toEqual({ ...answer, object: "webhook" })
    expect([created_by, disabled_at === null, failing_since, previous_secret_until]).toEqual([
      state.createdBy,
      false,
      "1970-01-01T00:00:00.001Z",
      null
    ])
    expect(updated_at).toMatch(/Z$/)
  })
})
