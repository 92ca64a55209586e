import { Clock, Context, Duration, Effect, FiberSet, Layer, Metric } from "effect"
import { type ActorHost, type ActorUnavailable, makeActorHost } from "../../engine/actor/ActorHost.ts"
import { sealedInJson } from "../../engine/erasure/SealedJson.ts"
import {
  type DeliveryWorld,
  type DueDelivery,
  endpointBehavior,
  type EndpointMessage,
  type EndpointNotFound
} from "../../engine/webhooks/EndpointActor.ts"
import type { SigningSecrets } from "../../engine/webhooks/SigningSecrets.ts"
import * as ActorRestarts from "../ActorRestarts.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { makeAttempts } from "./DeliveryAttempts.ts"
import { PersonalText } from "../identity/secrets/PersonalText.ts"
import { DeliveryRepository, type KeptAttempt, type KeptRecord } from "./DeliveryRepository.ts"
import { DeliveryTimes, type Look } from "./DeliveryTimes.ts"
import { DeliveryWriter } from "./DeliveryWriter.ts"
import { Endpoints } from "./Endpoints.ts"

/** Messages that may wait for one endpoint's actor. */
const MAILBOX_CAPACITY = 1_000

/** Messages that an actor takes at once. */
const BATCH_LIMIT = 256

const PASSIVATE_AFTER = Duration.minutes(1)
const MIN_BACKOFF = Duration.millis(100)
const MAX_BACKOFF = Duration.seconds(5)

/** The pause before an actor is told again what it could not take. */
const TELL_AGAIN = Duration.millis(100)

const failures = Metric.counter("emporion_webhook_actor_failures", {
  description: "Webhook actors that failed and were restarted",
  incremental: true
})

type Message = EndpointMessage<KeptAttempt>
type Host = ActorHost<Message, void, EndpointNotFound>

/** The actors of all endpoints in this process. An idle one leaves memory within two minutes. */
export class DeliveryActors extends Context.Service<
  DeliveryActors,
  {
    /** Lets an endpoint look for what is due, or take what is new. */
    readonly look: (look: Look) => Effect.Effect<void, Unavailable>
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

      /** Completes once the actor has taken it. After a stop, lost messages are due again. */
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

      const attempts = yield* makeAttempts((webhookId, ended) => {
        fork(tell(webhookId, { _tag: "Ended", ended }))
      })
      const world: DeliveryWorld<SigningSecrets, KeptAttempt, Unavailable> = {
        ...(yield* makeReads),
        begin: attempts.begin,
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

      const opened = yield* makeOpening

      return DeliveryActors.of({
        look: ({ reload, told, webhookId }) =>
          (told === undefined
            ? host.ask(webhookId, { _tag: "Look", reload })
            : Effect.flatMap(opened(told), (deliveries) => host.ask(webhookId, { _tag: "Told", deliveries }))
          ).pipe(
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

/** Deliveries with their bodies as they are sent: the tables have what is sealed in them, which most have nothing of. */
const makeOpening = Effect.map(
  PersonalText,
  ({ openIn }) =>
    (deliveries: ReadonlyArray<DueDelivery>): Effect.Effect<ReadonlyArray<DueDelivery>, Unavailable> =>
      deliveries.every(({ body }) => sealedInJson(body).size === 0)
        ? Effect.succeed(deliveries)
        : Effect.forEach(deliveries, (delivery) => Effect.map(openIn(delivery.body), (body) => ({ ...delivery, body })))
)

const makeReads = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const opened = yield* makeOpening
  const { due } = yield* DeliveryRepository
  const { disableFailing, find } = yield* Endpoints
  const times = yield* DeliveryTimes
  return {
    now: () => clock.currentTimeMillisUnsafe(),
    endpoint: find,
    due: Effect.fnUntraced(function* (...asked: Parameters<typeof due>) {
      const found = yield* due(...asked)
      return { ...found, deliveries: yield* opened(found.deliveries) }
    }),
    lookAt: times.enter,
    disable: disableFailing
  }
})
