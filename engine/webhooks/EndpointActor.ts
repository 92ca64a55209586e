/** The actor of one webhook endpoint: it begins attempts when they are due and records what came of them. */

import { Data, Deferred, Effect } from "effect"
import type { Behavior, Envelope } from "../actor/ActorHost.ts"
import { attempted, type AttemptOutcome, type DeliveryState } from "./Delivery.ts"
import { type EndpointHealth, isToBeDisabled, observed } from "./EndpointHealth.ts"

/** Attempts begun at the same time at an endpoint: those beyond it wait for one that ends, and so may be late. */
export const MAX_SENDING = 64

/** Deliveries that are read at once: of an endpoint whose last attempt failed fewer, since they wait long. */
export const PAGE = 256
export const PAGE_FAILING = MAX_SENDING

/** Deliveries of one endpoint in memory: read or told, under way, or waiting to be written. */
export const MAX_TAKEN = 2_048

/** How long what could not be read rests before it is read again, in milliseconds. */
export const READ_AGAIN_AFTER = 1_000

/** An endpoint as its actor needs it; `Secrets` are what signs. */
export interface Endpoint<Secrets> {
  readonly webhookId: string
  readonly url: string
  readonly isEnabled: boolean
  readonly secrets: Secrets
  readonly failingSince: number | null
}

/** A delivery whose next attempt is due. */
export interface DueDelivery {
  readonly deliveryId: string
  readonly eventId: string
  /** The recorded event's place in the journal. */
  readonly eventSeq: number
  /** Byte for byte as it is sent. */
  readonly body: string
  readonly round: number
  /** Attempts of this round until now. */
  readonly attempts: number
}

/** What a look at an endpoint's deliveries finds. */
export interface DueDeliveries {
  readonly deliveries: ReadonlyArray<DueDelivery>
  /** When the first of those becomes due that are due later; undefined where none is. */
  readonly nextAt: number | undefined
}

/** An attempt that ended. `Sent` is what else is kept of it. */
export interface EndedAttempt<Sent> {
  readonly delivery: DueDelivery
  readonly outcome: AttemptOutcome
  readonly sent: Sent
}

/** What an attempt made of its delivery, and of its endpoint's health. */
export interface AttemptRecord<Sent> extends EndedAttempt<Sent> {
  readonly webhookId: string
  readonly after: DeliveryState
  readonly health: EndpointHealth
}

export type EndpointMessage<Sent> =
  /** Look for what is due; `reload` where the endpoint itself changed. */
  | { readonly _tag: "Look"; readonly reload: boolean }
  /** New deliveries were written, all that one transaction wrote, in the order of their events. */
  | { readonly _tag: "Told"; readonly deliveries: ReadonlyArray<DueDelivery> }
  | { readonly _tag: "Ended"; readonly ended: ReadonlyArray<EndedAttempt<Sent>> }
  /** What was entered is durable. */
  | { readonly _tag: "Written"; readonly records: ReadonlyArray<AttemptRecord<Sent>> }

/** not_found: there is no such endpoint. */
export class EndpointNotFound extends Data.TaggedError("EndpointNotFound")<{ readonly webhookId: string }> {}

/** What an endpoint's actor reaches. Whatever begins here is told to the actor by a message when it ends. */
export interface DeliveryWorld<Secrets, Sent, Failure> {
  readonly now: () => number
  readonly endpoint: (webhookId: string) => Effect.Effect<Endpoint<Secrets> | undefined, Failure>
  /** The deliveries that are due, the longest due first, but for those that the actor has. */
  readonly due: (
    webhookId: string,
    now: number,
    except: ReadonlySet<string>,
    limit: number
  ) => Effect.Effect<DueDeliveries, Failure>
  /** Begins an attempt, at an endpoint whose last one may have failed; `Ended` follows. */
  readonly begin: (endpoint: Endpoint<Secrets>, delivery: DueDelivery, isFailing: boolean) => void
  /** Takes what is to be written; `Written` follows. */
  readonly enter: (record: AttemptRecord<Sent>) => void
  /** Lets the actor look at a time, or earlier: the earliest of the times that are asked for is enough. */
  readonly lookAt: (webhookId: string, at: number) => void
  /** Disables an endpoint whose attempts have failed since a time, unless it is not enabled or began anew since. */
  readonly disable: (webhookId: string, failingSince: number) => Effect.Effect<void, Failure>
}

/** What the actor knows. */
export interface EndpointMemory<Secrets> {
  endpoint: Endpoint<Secrets>
  health: EndpointHealth
  /** Deliveries that were read, in the order in which they are attempted. */
  readonly queue: Array<DueDelivery>
  /** The deliveries that are in the queue, under way, or waiting to be written. */
  readonly taken: Set<string>
  sending: number
  /** Whether more may be due than is in memory. */
  mayBeMore: boolean
  /** The last event of which a delivery was read or told. */
  lastSeq: number
  /** Whether the endpoint has to be read anew. */
  isStale: boolean
}

/**
 * The actor of one endpoint. It attempts what is due, a limited number at a time, and has what comes of it written; it
 * disables an endpoint that failed for five days. It waits for no receiver and for no write, and owns no timer: it looks
 * when it is told to. What a crash cuts short is due again, so an attempt may be made twice. Specification 6.3.
 */
export const endpointBehavior = <Secrets, Sent, Failure>(
  world: DeliveryWorld<Secrets, Sent, Failure>
): Behavior<EndpointMemory<Secrets>, EndpointMessage<Sent>, void, EndpointNotFound, Failure> => ({
  start: (webhookId) =>
    Effect.map(world.endpoint(webhookId), (endpoint) =>
      endpoint === undefined
        ? { _tag: "Refused", refusal: new EndpointNotFound({ webhookId }) }
        : { _tag: "Ready", state: remembered(endpoint) }
    ),
  receive: Effect.fnUntraced(function* (memory, batch) {
    const isOver = batch.map(({ message }) => take(world, memory, message)).includes(true)
    answerAll(batch)
    if (isOver) yield* disable(world, memory)
    if (memory.isStale) yield* reload(world, memory)
    if (!memory.isStale && memory.endpoint.isEnabled) yield* fill(world, memory)
  })
})

const remembered = <Secrets>(endpoint: Endpoint<Secrets>): EndpointMemory<Secrets> => ({
  endpoint,
  health: { failingSince: endpoint.failingSince },
  queue: [],
  taken: new Set(),
  sending: 0,
  mayBeMore: true,
  lastSeq: 0,
  isStale: false
})

const answerAll = <Sent>(batch: ReadonlyArray<Envelope<EndpointMessage<Sent>, void, EndpointNotFound>>): void => {
  for (const { reply } of batch) Deferred.doneUnsafe(reply, Effect.void)
}

/** Takes a message in. True where the endpoint is to be disabled. */
const take = <Secrets, Sent, Failure>(
  world: DeliveryWorld<Secrets, Sent, Failure>,
  memory: EndpointMemory<Secrets>,
  message: EndpointMessage<Sent>
): boolean => {
  switch (message._tag) {
    case "Look":
      memory.mayBeMore = true
      memory.isStale ||= message.reload
      return false
    case "Told":
      listen(memory, message.deliveries)
      return false
    case "Ended":
      return message.ended.map((ended) => end(world, memory, ended)).includes(true)
    case "Written":
      for (const { after, delivery } of message.records) {
        memory.taken.delete(delivery.deliveryId)
        if (after.dueAt !== null) world.lookAt(memory.endpoint.webhookId, after.dueAt)
        // It may have been retried by hand before this was heard.
        if (after.status === "failed") memory.mayBeMore = true
      }
      return false
  }
}

/**
 * Takes what was told where all that was due before is in memory and there is room; else it is read when its turn comes.
 * What is not later than something that was read was read with it: events are told in their order.
 */
const listen = <Secrets>(memory: EndpointMemory<Secrets>, deliveries: ReadonlyArray<DueDelivery>): void => {
  const { endpoint, lastSeq, taken } = memory
  const unread = deliveries.filter(({ eventSeq }) => eventSeq > lastSeq)
  const room = (isFailing(memory) ? PAGE_FAILING : MAX_TAKEN) - taken.size
  memory.mayBeMore ||= memory.isStale || !endpoint.isEnabled || unread.length > room
  if (!memory.mayBeMore) keep(memory, unread)
}

const keep = <Secrets>(memory: EndpointMemory<Secrets>, deliveries: ReadonlyArray<DueDelivery>): void => {
  for (const delivery of deliveries) {
    memory.taken.add(delivery.deliveryId)
    memory.lastSeq = Math.max(memory.lastSeq, delivery.eventSeq)
    memory.queue.push(delivery)
  }
}

const end = <Secrets, Sent, Failure>(
  world: DeliveryWorld<Secrets, Sent, Failure>,
  memory: EndpointMemory<Secrets>,
  ended: EndedAttempt<Sent>
): boolean => {
  const { delivery, outcome } = ended
  const { webhookId } = memory.endpoint
  // One that was begun before a restart of the actor is none of its own.
  if (memory.taken.has(delivery.deliveryId)) memory.sending = Math.max(0, memory.sending - 1)
  const isOver = isToBeDisabled(memory.health, outcome)
  memory.health = observed(memory.health, outcome)
  const before: DeliveryState = { status: "pending", attempts: delivery.attempts, dueAt: outcome.startedAt }
  world.enter({ ...ended, webhookId, after: attempted(before, outcome), health: memory.health })
  return isOver
}

const disable = Effect.fnUntraced(function* <Secrets, Sent, Failure>(
  world: DeliveryWorld<Secrets, Sent, Failure>,
  memory: EndpointMemory<Secrets>
) {
  const { failingSince } = memory.health
  if (!memory.endpoint.isEnabled || failingSince === null) return
  yield* world.disable(memory.endpoint.webhookId, failingSince).pipe(Effect.catch(() => rest(world, memory)))
  memory.isStale = true
})

const rest = <Secrets, Sent, Failure>(
  world: DeliveryWorld<Secrets, Sent, Failure>,
  { endpoint }: EndpointMemory<Secrets>
): Effect.Effect<void> => Effect.sync(() => world.lookAt(endpoint.webhookId, world.now() + READ_AGAIN_AFTER))

/** Reads the endpoint anew; one that cannot be read now is not sent to meanwhile. */
const reload = <Secrets, Sent, Failure>(
  world: DeliveryWorld<Secrets, Sent, Failure>,
  memory: EndpointMemory<Secrets>
): Effect.Effect<void> =>
  world.endpoint(memory.endpoint.webhookId).pipe(
    Effect.matchEffect({
      onFailure: () => rest(world, memory),
      onSuccess: (endpoint) =>
        Effect.sync(() => {
          memory.isStale = false
          memory.endpoint = endpoint ?? { ...memory.endpoint, isEnabled: false }
          memory.health = { failingSince: memory.endpoint.failingSince }
          if (!memory.endpoint.isEnabled) putBack(memory)
        })
    })
  )

/** Forgets what was read and is not under way. */
const putBack = <Secrets>(memory: EndpointMemory<Secrets>): void => {
  for (const { deliveryId } of memory.queue.splice(0)) memory.taken.delete(deliveryId)
  memory.mayBeMore = true
}

const isFailing = <Secrets>({ health }: EndpointMemory<Secrets>): boolean => health.failingSince !== null

/**
 * Begins attempts while there is room, and reads more where there may be more. Whoever has read all that is due looks
 * again when the next delivery is: each has its own time, which is kept where the delivery is.
 */
const fill = Effect.fnUntraced(function* <Secrets, Sent, Failure>(
  world: DeliveryWorld<Secrets, Sent, Failure>,
  memory: EndpointMemory<Secrets>
) {
  const { endpoint, queue, taken } = memory
  while (memory.sending < MAX_SENDING) {
    const next = queue.shift()
    if (next !== undefined) {
      memory.sending += 1
      world.begin(endpoint, next, isFailing(memory))
      continue
    }
    const limit = Math.min(isFailing(memory) ? PAGE_FAILING : PAGE, MAX_TAKEN - taken.size)
    if (!memory.mayBeMore || limit <= 0) return
    const { deliveries, nextAt } = yield* world
      .due(endpoint.webhookId, world.now(), taken, limit)
      .pipe(Effect.catch(() => Effect.as(rest(world, memory), NOTHING)))
    memory.mayBeMore = deliveries.length === limit
    if (!memory.mayBeMore && nextAt !== undefined) world.lookAt(endpoint.webhookId, nextAt)
    keep(memory, deliveries)
  }
})

const NOTHING: DueDeliveries = { deliveries: [], nextAt: undefined }
