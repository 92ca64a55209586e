import type { Report } from "../LedgerAudit.ts"
import type { Wire } from "../NaiveOrder.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import type { SimulatedJournal } from "../SimulatedJournal.ts"
import { OutboxEvents } from "./OutboxEvents.ts"
import { ReadEvents } from "./ReadEvents.ts"
import type { KeptDelivery } from "./WebhookDesk.ts"
import type { WebhookReceivers } from "./WebhookReceivers.ts"

interface Hearing {
  readonly companyId: string
  events: ReadonlyArray<string>
  state: "on" | "off"
}

/** What of a world's webhooks is judged at the end. */
export interface EndedWebhooks {
  readonly journal: Pick<SimulatedJournal, "events" | "stream" | "tables">
  readonly deliveries: ReadonlyMap<string, KeptDelivery>
  readonly receivers: Pick<WebhookReceivers, "taken">
}

/**
 * Who had to be told what, told again by a list of webhooks alone: each of a company that was on and asked for the type gets
 * each message once, no other gets any, and what is called delivered was taken.
 */
export const auditDeliveries = (
  { deliveries, journal, receivers }: EndedWebhooks,
  report: Report,
  reads: ReadEvents = new ReadEvents()
): void => {
  const expected = new Set<string>()
  const webhooks = new Map<string, Hearing>()
  const { events } = new OutboxEvents(journal, reads).after(0, Number.MAX_SAFE_INTEGER)
  for (const { messages, recorded } of events) {
    hear(webhooks, recorded.event as unknown as Wire<PlatformEvent>)
    for (const { companyId, id, type } of messages) {
      for (const [webhookId, one] of webhooks) {
        const isAsked = one.events.includes(type) || one.events.includes("*")
        if (one.companyId === companyId && one.state === "on" && isAsked) expected.add(`${webhookId} of ${id}`)
      }
    }
  }
  for (const { deliveryId, eventId, state, webhookId } of deliveries.values()) {
    const name = `${webhookId} of ${eventId}`
    if (!expected.delete(name)) report("deliveries", `${name} was told, and did not have to be, or twice`)
    if (state.status === "delivered" && !receivers.taken.has(deliveryId)) {
      report("deliveries", `${deliveryId} is called delivered, and nobody took it`)
    }
  }
  const [lost] = expected
  if (lost !== undefined) report("deliveries", `${lost} was never told, and ${expected.size - 1} others`)
}

const hear = (webhooks: Map<string, Hearing>, event: Wire<PlatformEvent>): void => {
  if (event._tag === "WebhookCreated") {
    const { companyId, settings, webhookId } = event
    webhooks.set(webhookId, { companyId, events: settings.events, state: "on" })
    return
  }
  const known = "webhookId" in event ? webhooks.get(event.webhookId) : undefined
  if (known === undefined) return
  if (event._tag === "WebhookChanged") known.events = event.settings.events
  if (event._tag === "WebhookEnabled") known.state = "on"
  if (event._tag === "WebhookDisabled" || event._tag === "WebhookDeleted") known.state = "off"
}
