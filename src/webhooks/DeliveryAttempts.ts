import { Clock, Effect, FiberSet } from "effect"
import { TimeLead } from "../../engine/journal/TimeLead.ts"
import type { DueDelivery, EndedAttempt, Endpoint } from "../../engine/webhooks/EndpointActor.ts"
import type { SigningSecrets } from "../../engine/webhooks/SigningSecrets.ts"
import { deliveryHeaders } from "./DeliveryHeaders.ts"
import type { KeptAttempt } from "./DeliveryRepository.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Attempts under way at all endpoints together. Each holds a connection. */
export const MAX_SENDING_IN_ALL = 4_096

/** Up to this total, an endpoint has as many attempts under way as it asks for. */
export const MAX_FREELY = 2_048

/** Attempts of one endpoint beyond that total, so that many hanging endpoints keep nobody waiting. */
export const FEW_SENDING = 16
export const FEW_SENDING_FAILING = 4

/** Hears of an endpoint's attempts that ended at about the same time. Must not wait. */
export type EndedListener = (webhookId: string, ended: ReadonlyArray<EndedAttempt<KeptAttempt>>) => void

export interface DeliveryAttempts {
  /** Signs a delivery at its time, and sends it. Waits while too many are under way. */
  readonly begin: (endpoint: Endpoint<SigningSecrets>, delivery: DueDelivery, isFailing: boolean) => void
}

/** The attempts of one endpoint. */
interface Lane {
  underWay: number
  readonly waiting: Array<() => void>
  /** Whether its last attempt failed. */
  isFailing: boolean
}

/** Says when an attempt may be sent: endpoints take turns if there is not room for all. */
class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #waiting = new Set<Lane>()
  #underWay = 0

  /** Sends now, or when one that is under way has ended. */
  enter(webhookId: string, isFailing: boolean, send: () => void): void {
    const lane = this.#lanes.get(webhookId) ?? { underWay: 0, waiting: [], isFailing }
    this.#lanes.set(webhookId, lane)
    lane.isFailing = isFailing
    if (lane.waiting.length === 0 && this.#hasRoom(lane)) return this.#send(lane, send)
    lane.waiting.push(send)
    this.#waiting.add(lane)
  }

  /** So many of an endpoint's attempts ended. */
  leave(webhookId: string, count: number): void {
    const lane = this.#lanes.get(webhookId)
    if (lane === undefined) return
    lane.underWay -= count
    this.#underWay -= count
    if (lane.underWay === 0 && lane.waiting.length === 0) this.#lanes.delete(webhookId)
    // One that sent goes behind the others.
    for (const one of this.#waiting) {
      if (this.#underWay >= MAX_SENDING_IN_ALL) return
      if (!this.#hasRoom(one)) continue
      this.#waiting.delete(one)
      const send = one.waiting.shift()
      if (one.waiting.length > 0) this.#waiting.add(one)
      if (send !== undefined) this.#send(one, send)
    }
  }

  #hasRoom({ isFailing, underWay }: Lane): boolean {
    if (this.#underWay < MAX_FREELY) return true
    return this.#underWay < MAX_SENDING_IN_ALL && underWay < (isFailing ? FEW_SENDING_FAILING : FEW_SENDING)
  }

  #send(lane: Lane, send: () => void): void {
    lane.underWay += 1
    this.#underWay += 1
    send()
  }
}

/** Attempts without a fiber for each. Those that end in one turn of the event loop are reported together. */
export const makeAttempts = Effect.fnUntraced(function* (onEnded: EndedListener) {
  const clock = yield* Clock.Clock
  // Receivers compare what is signed with clocks of their own.
  const lead = yield* TimeLead
  const sender = yield* WebhookSender
  const fork = yield* FiberSet.makeRuntime<never>()
  const lanes = new Lanes()
  const ended = new Map<string, Array<EndedAttempt<KeptAttempt>>>()

  const tell = Effect.sync(() => {
    const groups = [...ended]
    ended.clear()
    for (const [webhookId, group] of groups) {
      onEnded(webhookId, group)
      lanes.leave(webhookId, group.length)
    }
  })

  const end = (webhookId: string, one: EndedAttempt<KeptAttempt>): void => {
    if (ended.size === 0) fork(Effect.andThen(Effect.yieldNow, tell))
    const group = ended.get(webhookId)
    if (group === undefined) ended.set(webhookId, [one])
    else group.push(one)
  }

  const send = ({ secrets, url, webhookId }: Endpoint<SigningSecrets>, delivery: DueDelivery): void => {
    const { body, eventId } = delivery
    const headers = deliveryHeaders(secrets, { eventId, body, at: clock.currentTimeMillisUnsafe() - lead.millis })
    sender.begin({ url, headers, body }, ({ answer, durationMs, error, startedAt, status }) => {
      const outcome = { startedAt, endedAt: startedAt + durationMs, status }
      end(webhookId, { delivery, outcome, sent: { url, headers: JSON.stringify(headers), error, answer } })
    })
  }

  return {
    begin: (endpoint, delivery, isFailing) => lanes.enter(endpoint.webhookId, isFailing, () => send(endpoint, delivery))
  } satisfies DeliveryAttempts
})
