import { describe, expect, it } from "bun:test"
import { EVERY_TYPE, isWanted, WANTED_EVENTS, wantedEvents } from "../../../engine/webhooks/WantedEvents.ts"
import { WEBHOOK_EVENT_TYPES } from "../../../engine/webhooks/WebhookEventType.ts"

describe("Wanted events", () => {
  it("are kept once each, in the order of the published list", () => {
    expect(wantedEvents(["order.paid", "order.created", "order.paid"])).toEqual(["order.created", "order.paid"])
    expect(wantedEvents(["unheard.of"])).toEqual([])
  })

  it("are all where every type is asked for, whatever else is", () => {
    expect(wantedEvents(["order.paid", EVERY_TYPE])).toEqual([EVERY_TYPE])
    for (const type of WEBHOOK_EVENT_TYPES) {
      expect(isWanted([EVERY_TYPE], type)).toBe(true)
      expect(isWanted([type], type)).toBe(true)
      expect(
        isWanted(
          WEBHOOK_EVENT_TYPES.filter((other) => other !== type),
          type
        )
      ).toBe(false)
    }
  })

  it("have names that need no quotes in a list of the database", () => {
    for (const type of WANTED_EVENTS) expect(type).toMatch(/^(\*|[a-z_]+\.[a-z_]+)$/)
  })
})
