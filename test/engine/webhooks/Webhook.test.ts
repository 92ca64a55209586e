import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { after, webhookStream } from "../../../engine/webhooks/Webhook.ts"
import type { WebhookDeleted } from "../../../engine/webhooks/WebhookEvent.ts"
import { runs } from "../../lib/Property.ts"
import { anyAct, CREATED_AT, SETTINGS, webhookCase } from "../../lib/WebhookCases.ts"

describe("Webhook", () => {
  it("is enabled with its first secret at first", () => {
    expect(webhookCase([]).states).toEqual([
      {
        webhookId: "whk_1",
        companyId: "cmp_1",
        createdBy: "usr_0",
        settings: SETTINGS,
        status: "enabled",
        disabled: null,
        secretNumber: 1,
        previousUntil: null,
        earlierUntil: [],
        createdAt: CREATED_AT,
        countsFrom: CREATED_AT,
        updatedAt: CREATED_AT,
        version: 1
      }
    ])
    expect(webhookStream("whk_1")).toBe("webhook/whk_1")
  })

  it("is whose it was, older with each event, and says why it is disabled exactly while it is", () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 12 }), (acts) => {
        const { events, states } = webhookCase(acts)
        for (const [index, state] of states.entries()) {
          expect(state).toMatchObject({ webhookId: "whk_1", companyId: "cmp_1", createdBy: "usr_0" })
          expect(state.version).toBe(index + 1)
          expect(state.updatedAt).toBe(events[index]?.at as number)
          expect(state.disabled !== null).toBe(state.status === "disabled")
          expect(state.previousUntil !== null).toBe(state.secretNumber > 1)
          expect(state.status === "deleted").toBe(
            index === states.length - 1 && events.at(-1)?._tag === "WebhookDeleted"
          )
        }
      }),
      { numRuns: runs() }
    )
  })

  it("has no event before its creation", () => {
    const gone: WebhookDeleted = {
      _tag: "WebhookDeleted",
      at: 1,
      userId: "u",
      companyId: "cmp_1",
      webhookId: "whk_1"
    }
    expect(() => after(undefined, gone)).toThrow("WebhookDeleted of a webhook that was not created")
  })
})
