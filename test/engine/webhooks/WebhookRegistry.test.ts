import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { EVERY_TYPE } from "../../../engine/webhooks/WantedEvents.ts"
import { WEBHOOK_EVENT_TYPES } from "../../../engine/webhooks/WebhookEventType.ts"
import { after, type WebhookState } from "../../../engine/webhooks/Webhook.ts"
import type { WebhookEvent } from "../../../engine/webhooks/WebhookEvent.ts"
import { WebhookRegistry } from "../../../engine/webhooks/WebhookRegistry.ts"
import { property } from "../../lib/Property.ts"

const ids = fc.constantFrom("whk_a", "whk_b", "whk_c", "whk_d")
const wanted = fc.subarray([...WEBHOOK_EVENT_TYPES.slice(0, 3), EVERY_TYPE], { minLength: 1 })
const steps = fc.array(
  fc.record({ id: ids, events: wanted, step: fc.constantFrom("change", "disable", "enable", "delete") }),
  { maxLength: 40 }
)

const companyOf = (id: string): string => (id < "whk_c" ? "cmp_1" : "cmp_2")

/** What a step is of a webhook as it stands; a first one creates it. */
const eventOf = (
  state: WebhookState | undefined,
  { events, id: webhookId, step }: { id: string; events: ReadonlyArray<string>; step: string }
): WebhookEvent | undefined => {
  const act = { at: 0, userId: "usr_1", webhookId, companyId: companyOf(webhookId) }
  const settings = { url: "https://a.example", events, description: null }
  if (state === undefined) return { ...act, _tag: "WebhookCreated", settings }
  if (state.status === "deleted") return undefined
  if (step === "change") return { ...act, _tag: "WebhookChanged", settings }
  if (step === "delete") return { ...act, _tag: "WebhookDeleted" }
  if (step === "enable") return { ...act, _tag: "WebhookEnabled" }
  return { ...act, _tag: "WebhookDisabled", cause: "requested", failingSince: null }
}

describe("the registry of webhooks", () => {
  it("knows who hears an event as the events before it say", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const registry = new WebhookRegistry()
        const states = new Map<string, WebhookState>()
        for (const step of list) {
          const before = states.get(step.id)
          const event = eventOf(before, step)
          if (event === undefined) continue
          registry.hear(event)
          states.set(step.id, after(before, event))
          const living = [...states.values()].filter(({ status }) => status !== "deleted")
          expect(registry.size).toBe(living.length)
          for (const companyId of ["cmp_1", "cmp_2", "cmp_3"]) {
            const own = living.filter((state) => state.companyId === companyId)
            expect(registry.has(companyId)).toBe(own.length > 0)
            for (const type of WEBHOOK_EVENT_TYPES.slice(0, 4)) {
              const hearing = own.filter(
                ({ settings, status }) =>
                  status === "enabled" && (settings.events.includes(type) || settings.events.includes(EVERY_TYPE))
              )
              expect(new Set(registry.hearing(companyId, type))).toEqual(
                new Set(hearing.map(({ webhookId }) => ({ webhookId, companyId })))
              )
            }
          }
        }
      }),
      property(2)
    )
  })

  it("takes no change of a webhook that nobody created", () => {
    const registry = new WebhookRegistry()
    expect(() =>
      registry.hear({ _tag: "WebhookDeleted", at: 0, userId: "usr_1", companyId: "cmp_1", webhookId: "whk_a" })
    ).toThrow("was not created")
  })
})
