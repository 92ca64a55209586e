import type { Recorded } from "../actor/Journal.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { WebhookMessage } from "./WebhookMessage.ts"
import type { Hearer, WebhookRegistry } from "./WebhookRegistry.ts"

/** A recorded event and what companies are told of it. */
export interface Rendered {
  readonly recorded: Pick<Recorded<PlatformEvent>, "event" | "seq">
  readonly messages: ReadonlyArray<WebhookMessage>
}

/** A message that somebody hears. */
export interface Told {
  readonly message: WebhookMessage
  /** The recorded event's place. */
  readonly seq: number
  readonly hearers: ReadonlyArray<Hearer>
}

export interface FanOut {
  readonly told: ReadonlyArray<Told>
  /** The last event that was gone through; undefined where there were none. */
  readonly to: number | undefined
}

/** The company that manages another one; null: nobody does. */
export type ManagerOf = (companyId: string) => string | null

/** The companies whose webhooks hear a message: the one that it is for, and the one that manages it. */
export const hearingCompanies = (companyId: string, managerOf: ManagerOf): ReadonlyArray<string> => {
  const manager = managerOf(companyId)
  return manager === null ? [companyId] : [companyId, manager]
}

/**
 * Goes through events in their order, and says who hears what: a webhook hears the events after its creation, while it
 * is enabled and asks for their type. Changes the registry. Stops after the event that brings the deliveries to `limit`.
 */
export const tell = (
  registry: WebhookRegistry,
  events: ReadonlyArray<Rendered>,
  managerOf: ManagerOf,
  limit: number
): FanOut => {
  const told: Array<Told> = []
  let deliveries = 0
  for (const { messages, recorded } of events) {
    registry.hear(recorded.event)
    for (const message of messages) {
      const companies = hearingCompanies(message.companyId, managerOf)
      const hearers = companies.flatMap((companyId) => registry.hearing(companyId, message.type))
      if (hearers.length > 0) told.push({ message, seq: recorded.seq, hearers })
      deliveries += hearers.length
    }
    if (deliveries >= limit) return { told, to: recorded.seq }
  }
  return { told, to: events.at(-1)?.recorded.seq }
}
