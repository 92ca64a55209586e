import { Schema } from "effect"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { WebhookBody } from "../../engine/webhooks/WebhookBody.ts"
import { WEBHOOK_EVENTS } from "../../engine/webhooks/WebhookEventTypes.ts"
import { bodyOf, type WebhookMessage } from "../../engine/webhooks/WebhookMessage.ts"
import { companiesToldOf, MOST_STREAMS, render, typesOf } from "../../engine/webhooks/WebhookRendering.ts"

export const HASH = "8f14e45fceea167a5a36dedd4bea2543a5b1c2d3e4f5061728394a5b6c7d8e9f"

/** What an event is told as, where streams are read as they are given here, only when asked for. */
export const messagesOf = (
  event: PlatformEvent,
  streams: Readonly<Record<string, ReadonlyArray<PlatformEvent>>> = {}
): ReadonlyArray<WebhookMessage> => {
  const history = new Map<string, ReadonlyArray<PlatformEvent>>()
  for (let reads = 0; reads <= MOST_STREAMS; reads += 1) {
    const rendering = render({ event, hash: HASH }, history)
    if (rendering._tag === "Rendered") return rendering.messages
    history.set(rendering.stream, streams[rendering.stream] ?? [])
  }
  throw new Error(`more than ${MOST_STREAMS} streams are read for ${event._tag}`)
}

const readBody = Schema.decodeUnknownSync(WebhookBody, { onExcessProperty: "error" })

/** What is wrong with messages, of what is promised of all of them. */
export const wrongWith = (event: PlatformEvent, messages: ReadonlyArray<WebhookMessage>): ReadonlyArray<string> => {
  const told = companiesToldOf(event)
  const ids = new Set(messages.map(({ id }) => id))
  return [
    ...(ids.size === messages.length ? [] : ["two messages have one id"]),
    ...messages.flatMap((message) => {
      const read = readBody(JSON.parse(bodyOf(message)))
      const { object } = read.data
      const facts = WEBHOOK_EVENTS.find(({ type }) => type === message.type)
      const isEmitted = facts?.emissions.some(({ recorded }) => recorded === event._tag) === true
      return [
        ...(read.type === message.type && read.id === message.id ? [] : ["the body says something else"]),
        ...(facts?.object === object.object ? [] : [`${message.type} tells of a ${object.object}`]),
        ...(isEmitted ? [] : [`the table has no ${message.type} of ${event._tag}`]),
        ...(typesOf(event).includes(message.type) ? [] : [`${message.type} was not foretold`]),
        ...(told === undefined || told.includes(message.companyId) ? [] : ["a company was not foretold"])
      ]
    })
  ]
}

/** Each message as its type and company, in their order. */
export const outlineOf = (messages: ReadonlyArray<WebhookMessage>): ReadonlyArray<string> =>
  messages.map(({ companyId, type }) => `${type} to ${companyId}`)
