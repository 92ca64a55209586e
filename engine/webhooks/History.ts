import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"
import type { WebhookObject } from "./WebhookMessage.ts"

/** Streams of the journal up to and with the event that is told of, oldest first, by their names. */
export type History = ReadonlyMap<string, ReadonlyArray<PlatformEvent>>

/** A message without what its event alone decides. */
export interface Draft {
  readonly type: WebhookEventType
  readonly companyId: string
  readonly object: () => WebhookObject
}

/** What is told of an event, or the stream that has to be read first. */
export type Drafts =
  | { readonly _tag: "Drafted"; readonly drafts: ReadonlyArray<Draft> }
  | { readonly _tag: "Needs"; readonly stream: string }

export const drafted = (drafts: ReadonlyArray<Draft>): Drafts => ({ _tag: "Drafted", drafts })

/** The same to each company, of each as that one sees it. */
export const toEach = (
  companies: ReadonlyArray<string>,
  type: WebhookEventType,
  object: (companyId: string) => WebhookObject
): ReadonlyArray<Draft> => companies.map((companyId) => ({ type, companyId, object: () => object(companyId) }))

/** Goes on with a stream's events, or asks for them. */
export const reading = (
  history: History,
  stream: string,
  next: (events: ReadonlyArray<PlatformEvent>) => Drafts
): Drafts => {
  const events = history.get(stream)
  return events === undefined ? { _tag: "Needs", stream } : next(events)
}
