import { Cause, Duration, Effect, FiberSet, Scope } from "effect"
import { Clock } from "effect"
import { type ActorHost, makeActorHost } from "../../engine/actor/ActorHost.ts"
import { created, type DeliveryState } from "../../engine/webhooks/Delivery.ts"
import {
  type AttemptRecord,
  type DeliveryWorld,
  type DueDeliveries,
  type DueDelivery,
  type Endpoint,
  endpointBehavior,
  type EndpointMessage,
  type EndpointNotFound
} from "../../engine/webhooks/EndpointActor.ts"

/** How a receiver meets an attempt: its status, null for none, after so many milliseconds. */
export interface Meeting {
  readonly status: number | null
  readonly after: number
}

export interface PlayedDelivery {
  readonly webhookId: string
  readonly meetings: ReadonlyArray<Meeting>
}

interface Stored {
  readonly webhookId: string
  readonly eventSeq: number
  state: DeliveryState
}

/** An attempt as the receiver saw it begin. */
interface Begun {
  readonly deliveryId: string
  readonly n: number
  readonly at: number
}

type Message = EndpointMessage<string>
type Host = ActorHost<Message, void, EndpointNotFound>

const OPTIONS = {
  mailboxCapacity: 1_000,
  batchLimit: 100,
  passivateAfter: Duration.minutes(1),
  minBackoff: Duration.millis(100),
  maxBackoff: Duration.seconds(5),
  onFailure: (_: string, cause: Cause.Cause<unknown>) => Effect.die(Cause.squash(cause))
}

/** Endpoints' actors on deliveries in memory, which outlive them, under the time of the test. */
export class DeliveryScenario {
  readonly begun: Array<Begun> = []
  readonly records: Array<AttemptRecord<string>> = []
  readonly disabled: Array<{ readonly webhookId: string; readonly failingSince: number }> = []
  readonly failingSince = new Map<string, number | null>()
  readonly #stored = new Map<string, Stored>()
  readonly #meetings = new Map<string, ReadonlyArray<Meeting>>()
  readonly #sending = new Map<string, number>()
  /** The most attempts that were under way at an endpoint at the same time. */
  readonly most = new Map<string, number>()
  isAway = false
  /** How often deliveries were read, and how long that takes, in milliseconds. */
  reads = 0
  readFor = 0
  #host: Host | undefined

  constructor(deliveries: ReadonlyArray<PlayedDelivery>, at: number) {
    for (const delivery of deliveries) this.#store(delivery, at)
  }

  get states(): ReadonlyMap<string, DeliveryState> {
    return new Map([...this.#stored].map(([id, { state }]) => [id, state]))
  }

  get webhooks(): ReadonlyArray<string> {
    return [...new Set([...this.#stored.values()].map(({ webhookId }) => webhookId))]
  }

  /** Starts the actors, and lets all of them look; they end with the scope. */
  readonly start: Effect.Effect<void, never, Scope.Scope> = Effect.gen({ self: this }, function* () {
    const clock = yield* Clock.Clock
    const fork = yield* FiberSet.makeRuntime<never>()
    const tell = (webhookId: string, message: Message) =>
      Effect.ignore(Effect.suspend(() => this.#host?.ask(webhookId, message) ?? Effect.void))
    const now = () => clock.currentTimeMillisUnsafe()
    /** When each endpoint looks next: the earliest of the times that were asked for, as it ships. */
    const looks = new Map<string, number>()
    const world: DeliveryWorld<null, string, string> = {
      now,
      endpoint: (webhookId) => Effect.suspend(() => this.#read(this.#endpoint(webhookId))),
      due: (webhookId, at, except, limit) =>
        Effect.suspend(() => {
          this.reads += 1
          const found = this.#read(this.#due(webhookId, at, except, limit))
          return this.readFor === 0 ? found : Effect.andThen(Effect.sleep(this.readFor), found)
        }),
      begin: (endpoint, delivery) => void fork(this.#attempt(endpoint, delivery, now, tell)),
      enter: (record) => {
        this.#keep(record)
        fork(Effect.andThen(Effect.sleep(1), tell(record.webhookId, { _tag: "Written", records: [record] })))
      },
      lookAt: (webhookId, at) => {
        if ((looks.get(webhookId) ?? Infinity) <= at) return
        looks.set(webhookId, at)
        const look = Effect.suspend(() =>
          looks.get(webhookId) === at && looks.delete(webhookId)
            ? tell(webhookId, { _tag: "Look", reload: false })
            : Effect.void
        )
        fork(Effect.andThen(Effect.sleep(Math.max(0, at - now())), look))
      },
      disable: (webhookId, failingSince) => Effect.sync(() => void this.disabled.push({ webhookId, failingSince }))
    }
    this.#host = yield* makeActorHost(endpointBehavior(world), OPTIONS)
    for (const [, { state, webhookId }] of this.#stored) {
      if (state.dueAt !== null) world.lookAt(webhookId, state.dueAt)
    }
  })

  /** Writes new deliveries to an endpoint, and tells its actor of them, which takes a while. */
  readonly tell = Effect.fnUntraced(
    { self: this },
    function* (webhookId: string, count: number, after: number, lag = 0) {
      const at = yield* Clock.currentTimeMillis
      const meetings = [{ status: 200, after }]
      const made = Array.from({ length: count }, () => this.#store({ webhookId, meetings }, at))
      const deliveries = made.map((id) => this.#dueOf(id))
      yield* Effect.sleep(lag)
      yield* Effect.ignore(
        Effect.suspend(() => this.#host?.ask(webhookId, { _tag: "Told", deliveries }) ?? Effect.void)
      )
    }
  )

  /** Lets an endpoint's actor read what is due. */
  readonly look = (webhookId: string): Effect.Effect<void> =>
    Effect.ignore(Effect.suspend(() => this.#host?.ask(webhookId, { _tag: "Look", reload: false }) ?? Effect.void))

  #store({ meetings, webhookId }: PlayedDelivery, at: number): string {
    const eventSeq = this.#stored.size + 1
    const id = `whd_${this.#stored.size}`
    this.#stored.set(id, { webhookId, eventSeq, state: created(at) })
    this.#meetings.set(id, meetings)
    return id
  }

  #dueOf(deliveryId: string): DueDelivery {
    const stored = this.#stored.get(deliveryId)
    const eventSeq = stored?.eventSeq ?? 0
    return { deliveryId, eventId: "", eventSeq, body: "", round: 1, attempts: stored?.state.attempts ?? 0 }
  }

  #read<A>(value: A): Effect.Effect<A, string> {
    return this.isAway ? Effect.fail("away") : Effect.succeed(value)
  }

  #endpoint(webhookId: string): Endpoint<null> {
    const isEnabled = !this.disabled.some((one) => one.webhookId === webhookId)
    return { webhookId, url: "", isEnabled, secrets: null, failingSince: this.failingSince.get(webhookId) ?? null }
  }

  #due(webhookId: string, now: number, except: ReadonlySet<string>, limit: number): DueDeliveries {
    const own = [...this.#stored].filter(([, one]) => one.webhookId === webhookId)
    const isDue = ([id, { state }]: (typeof own)[number]) => !except.has(id) && (state.dueAt ?? Infinity) <= now
    const later = own.flatMap(([, { state }]) => (state.dueAt !== null && state.dueAt > now ? [state.dueAt] : []))
    return {
      deliveries: own
        .filter(isDue)
        .slice(0, limit)
        .map(([id]) => this.#dueOf(id)),
      nextAt: later.length === 0 ? undefined : Math.min(...later)
    }
  }

  #attempt(
    { webhookId }: Endpoint<null>,
    delivery: DueDelivery,
    now: () => number,
    tell: (webhookId: string, message: Message) => Effect.Effect<void>
  ): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { attempts, deliveryId } = delivery
      const startedAt = now()
      this.begun.push({ deliveryId, n: attempts + 1, at: startedAt })
      const under = (this.#sending.get(webhookId) ?? 0) + 1
      this.#sending.set(webhookId, under)
      this.most.set(webhookId, Math.max(under, this.most.get(webhookId) ?? 0))
      const { after, status } = this.#meetings.get(deliveryId)?.[attempts] ?? { status: 200, after: 0 }
      yield* Effect.sleep(after)
      this.#sending.set(webhookId, (this.#sending.get(webhookId) ?? 0) - 1)
      const outcome = { startedAt, endedAt: now(), status }
      yield* tell(webhookId, { _tag: "Ended", ended: [{ delivery, outcome, sent: "" }] })
    })
  }

  #keep(record: AttemptRecord<string>): void {
    const { after, delivery, health, webhookId } = record
    const stored = this.#stored.get(delivery.deliveryId)
    if (stored === undefined || stored.state.attempts !== delivery.attempts) return
    stored.state = after
    this.records.push(record)
    this.failingSince.set(webhookId, health.failingSince)
  }
}
