import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decodeWebhookEvent } from "../../../engine/webhooks/WebhookEvent.ts"
import { webhookCase } from "../../lib/WebhookCases.ts"

describe("decodeWebhookEvent", () => {
  it("reads what was written, byte for byte", () => {
    const { events } = webhookCase([
      { act: "change", patch: { url: "https://example.com/ü", description: "Ours", status: "disabled" } },
      { act: "change", patch: { status: "enabled" } },
      { act: "rotate" },
      { act: "fail" },
      { act: "remove" }
    ])
    expect(events.map(({ _tag }) => _tag)).toEqual([
      "WebhookCreated",
      "WebhookChanged",
      "WebhookDisabled",
      "WebhookEnabled",
      "WebhookSecretRotated",
      "WebhookDisabled",
      "WebhookDeleted"
    ])
    for (const event of events) {
      const data = encodeEvent(event)
      expect(encodeEvent(decodeWebhookEvent(data))).toBe(data)
    }
  })

  it("dies on other bytes", () => {
    expect(() => decodeWebhookEvent("{}")).toThrow()
    expect(() => decodeWebhookEvent(`{"_tag":"WebhookDeleted"}`)).toThrow()
  })
})
