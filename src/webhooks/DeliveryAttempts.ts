import { Clock, Effect, FiberSet } from "effect"
import type { DueDelivery, EndedAttempt, Endpoint } from "../../engine/webhook/EndpointActor.ts"
import type { SigningSecrets } from "../../engine/webhook/SigningSecrets.ts"
import { deliveryHeaders } from "./DeliveryHeaders.ts"
import type { KeptAttempt } from "./DeliveryRepository.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Attempts under way at the same time at all endpoints together: each holds a connection. */
const MAX_SENDING_IN_ALL = 4_096

/** Is told of an endpoint's attempts that ended at about the same time. Must not wait. */
export type EndedListener = (webhookId: string, ended: ReadonlyArray<EndedAttempt<KeptAttempt>>) => void

export interface DeliveryAttempts {
  /** Signs a delivery at its time, and sends it; it waits where too many are under way. */
  readonly begin: (endpoint: Endpoint<SigningSecrets>, delivery: DueDelivery) => void
}

/** Attempts without a fiber for each: what ends in one turn of the event loop is told together. */
export const makeAttempts = Effect.fnUntraced(function* (onEnded: EndedListener) {
  const clock = yield* Clock.Clock
  const sender = yield* WebhookSender
  const fork = yield* FiberSet.makeRuntime<never>()
  const waiting: Array<() => void> = []
  const ended = new Map<string, Array<EndedAttempt<KeptAttempt>>>()
  let underWay = 0

  const tell = Effect.sync(() => {
    const groups = [...ended]
    ended.clear()
    for (const [webhookId, group] of groups) onEnded(webhookId, group)
  })

  const end = (webhookId: string, one: EndedAttempt<KeptAttempt>): void => {
    underWay -= 1
    waiting.shift()?.()
    if (ended.size === 0) fork(Effect.andThen(Effect.yieldNow, tell))
    const group = ended.get(webhookId)
    if (group === undefined) ended.set(webhookId, [one])
    else group.push(one)
  }

  const send = ({ secrets, url, webhookId }: Endpoint<SigningSecrets>, delivery: DueDelivery): void => {
    underWay += 1
    const { body, eventId } = delivery
    const headers = deliveryHeaders(secrets, { eventId, body, at: clock.currentTimeMillisUnsafe() })
    sender.begin({ url, headers, body }, ({ answer, durationMs, error, startedAt, status }) => {
      const outcome = { startedAt, endedAt: startedAt + durationMs, status }
      end(webhookId, { delivery, outcome, sent: { url, headers: JSON.stringify(headers), error, answer } })
    })
  }

  return {
    begin: (endpoint, delivery) => {
      if (underWay < MAX_SENDING_IN_ALL) send(endpoint, delivery)
      else waiting.push(() => send(endpoint, delivery))
    }
  } satisfies DeliveryAttempts
})
