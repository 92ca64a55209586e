import { Clock, Context, Duration, Effect, FiberSet, Layer, Metric, Semaphore } from "effect"
import { type ActorHost, type ActorUnavailable, makeActorHost } from "../../engine/actor/ActorHost.ts"
import {
  type DeliveryWorld,
  type DueDelivery,
  type Endpoint,
  endpointBehavior,
  type EndpointMessage,
  type EndpointNotFound
} from "../../engine/webhook/EndpointActor.ts"
import type { SigningSecrets } from "../../engine/webhook/SigningSecrets.ts"
import * as ActorRestarts from "../ActorRestarts.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { deliveryHeaders } from "./DeliveryHeaders.ts"
import { DeliveryRepository, type KeptAttempt, type KeptRecord } from "./DeliveryRepository.ts"
import { DeliveryTimes } from "./DeliveryTimes.ts"
import { DeliveryWriter } from "./DeliveryWriter.ts"
import { Endpoints } from "./Endpoints.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Attempts under way at the same time at all endpoints together: each holds a connection. */
const MAX_SENDING_IN_ALL = 4_096

/** Messages that may wait for one endpoint's actor. */
const MAILBOX_CAPACITY = 1_000

/** Messages that an actor takes at once. */
const BATCH_LIMIT = 256

const PASSIVATE_AFTER = Duration.minutes(1)
const MIN_BACKOFF = Duration.millis(100)
const MAX_BACKOFF = Duration.seconds(5)

/** The wait before an actor is told again what it could not take. */
const TELL_AGAIN = Duration.millis(100)

const failures = Metric.counter("emporion_webhook_actor_failures", {
  description: "Webhook actors that failed and were restarted",
  incremental: true
})

type Message = EndpointMessage<KeptAttempt>
type Host = ActorHost<Message, void, EndpointNotFound>

/** The actors of all endpoints in this process. One that is idle is out of memory within two minutes. */
export class DeliveryActors extends Context.Service<
  DeliveryActors,
  {
    /** Lets an endpoint look for what is due; `reload` where it changed itself. */
    readonly look: (webhookId: string, reload: boolean) => Effect.Effect<void, Unavailable>
    /** How many are in memory. */
    readonly size: () => number
  }
>()("emporion/webhooks/DeliveryActors") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fork = yield* FiberSet.makeRuntime<never>()
      const writer = yield* DeliveryWriter
      const made: { host: Host | undefined } = { host: undefined }

      /** Until the actor took it; after a stop what is lost is due again. */
      const tell = (webhookId: string, message: Message): Effect.Effect<void> =>
        Effect.suspend(() => made.host?.ask(webhookId, message) ?? Effect.void).pipe(
          Effect.catchTag("EndpointNotFound", () => Effect.void),
          Effect.catchTag("ActorUnavailable", ({ reason }) =>
            reason === "stopping"
              ? Effect.void
              : Effect.andThen(
                  Effect.sleep(TELL_AGAIN),
                  Effect.suspend(() => tell(webhookId, message))
                )
          )
        )

      const attempt = yield* makeAttempt
      const world: DeliveryWorld<SigningSecrets, KeptAttempt, Unavailable> = {
        ...(yield* makeReads),
        begin: (endpoint, delivery) =>
          void fork(
            Effect.flatMap(attempt(endpoint, delivery), (ended) => tell(endpoint.webhookId, { _tag: "Ended", ended }))
          ),
        enter: writer.enter
      }
      const host: Host = yield* makeActorHost(endpointBehavior(world), {
        mailboxCapacity: MAILBOX_CAPACITY,
        batchLimit: BATCH_LIMIT,
        passivateAfter: PASSIVATE_AFTER,
        minBackoff: MIN_BACKOFF,
        maxBackoff: MAX_BACKOFF,
        onFailure: ActorRestarts.counted("Webhook", failures)
      })
      made.host = host
      yield* writer.onWritten((records) => {
        for (const [webhookId, own] of byEndpoint(records)) fork(tell(webhookId, { _tag: "Written", records: own }))
      })

      return DeliveryActors.of({
        look: (webhookId, reload) =>
          host.ask(webhookId, { _tag: "Look", reload }).pipe(
            Effect.catchTag("EndpointNotFound", () => Effect.void),
            Effect.catchTag("ActorUnavailable", (error) => Effect.fail(unavailable(error)))
          ),
        size: host.size
      })
    })
  )
}

const unavailable = ({ reason }: ActorUnavailable): Unavailable =>
  new Unavailable({ reason: `the webhook's actor is ${reason.replace("_", " ")}` })

const byEndpoint = (records: ReadonlyArray<KeptRecord>): ReadonlyMap<string, ReadonlyArray<KeptRecord>> =>
  Map.groupBy(records, ({ webhookId }) => webhookId)

const makeReads = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const { due } = yield* DeliveryRepository
  const { disableFailing, find } = yield* Endpoints
  const times = yield* DeliveryTimes
  return {
    now: () => clock.currentTimeMillisUnsafe(),
    endpoint: find,
    due,
    lookAt: times.enter,
    disable: disableFailing
  }
})

/** How one attempt is made: signed at its time, and sent. */
const makeAttempt = Effect.gen(function* () {
  const { send } = yield* WebhookSender
  const room = yield* Semaphore.make(MAX_SENDING_IN_ALL)
  const attempt = Effect.fnUntraced(function* (
    { secrets, url }: Endpoint<SigningSecrets>,
    { body, eventId }: DueDelivery
  ) {
    const headers = deliveryHeaders(secrets, { eventId, body, at: yield* Clock.currentTimeMillis })
    const { answer, durationMs, error, startedAt, status } = yield* send({ url, headers, body })
    return {
      outcome: { startedAt, endedAt: startedAt + durationMs, status },
      sent: { url, headers: JSON.stringify(headers), error, answer }
    }
  })
  return (endpoint: Endpoint<SigningSecrets>, delivery: DueDelivery) =>
    Effect.map(room.withPermits(1)(attempt(endpoint, delivery)), (ended) => ({ delivery, ...ended }))
})
