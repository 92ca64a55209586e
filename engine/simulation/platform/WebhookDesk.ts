import { type Cause, Clock, Duration, Effect, Exit, Result, Scope } from "effect"
import { type ActorHost, makeActorHost } from "../../actor/ActorHost.ts"
import { retryStale } from "../../actor/StaleRetry.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import { type DeliveryState, retried } from "../../webhooks/Delivery.ts"
import { dayOf, roomOf } from "../../webhooks/DeliveryQuota.ts"
import { DueTimes } from "../../webhooks/DueTimes.ts"
import {
  type AttemptRecord,
  type DeliveryWorld,
  type DueDeliveries,
  type DueDelivery,
  endpointBehavior,
  type EndpointMessage,
  type EndpointNotFound,
  READ_AGAIN_AFTER
} from "../../webhooks/EndpointActor.ts"
import { tell } from "../../webhooks/FanOut.ts"
import { deliveriesOf, type NewDelivery } from "../../webhooks/NewDeliveries.ts"
import { webhookStream, type WebhookState } from "../../webhooks/Webhook.ts"
import * as Decision from "../../webhooks/WebhookDecision.ts"
import type { WebhookEvent } from "../../webhooks/WebhookEvent.ts"
import { bodyOf } from "../../webhooks/WebhookMessage.ts"
import { WebhookRegistry } from "../../webhooks/WebhookRegistry.ts"
import { InjectedFault } from "../FaultyJournal.ts"
import type { FaultBoard } from "../FaultBoard.ts"
import { isExpected } from "../SimulatedArena.ts"
import type { SimulatedJournal } from "../SimulatedJournal.ts"
import type { VirtualClock } from "../VirtualClock.ts"
import type { Fork } from "../VirtualScheduler.ts"
import type { CompanyRequest } from "./CompanyPlan.ts"
import { type Caller, counted, type DeskWorld, FirstMeanings, type Served, type WriteFailure } from "./DeskWorld.ts"
import { OutboxEvents } from "./OutboxEvents.ts"
import { nameOfRefusal } from "./RefusalCatalogue.ts"
import type { WebhookReceivers } from "./WebhookReceivers.ts"

type Asked = Extract<CompanyRequest, { readonly act: "webhook" }>

type Message = EndpointMessage<null>
type Record = AttemptRecord<null>

/** A delivery as its table has it. */
export interface KeptDelivery {
  readonly deliveryId: string
  readonly webhookId: string
  readonly eventId: string
  readonly eventSeq: number
  readonly body: string
  round: number
  state: DeliveryState
}

export interface WebhookDeskParts {
  readonly world: DeskWorld
  readonly clock: VirtualClock
  readonly board: FaultBoard
  readonly journal: SimulatedJournal
  readonly fork: Fork
  readonly receivers: WebhookReceivers
  /** Hears of what cannot be. */
  readonly report: (invariant: string, detail: string) => void
  /** Stands between what is to be delivered and the table. */
  readonly planted?: ((made: ReadonlyArray<NewDelivery>) => ReadonlyArray<NewDelivery>) | undefined
}

const HOST_OPTIONS = {
  mailboxCapacity: 1_000,
  batchLimit: 256,
  passivateAfter: Duration.minutes(1),
  minBackoff: Duration.millis(100),
  maxBackoff: Duration.seconds(5)
}

/** Events that are told at once, and the deliveries after which that is full. */
const MAX_PAGE = 500
const MAX_DELIVERIES = 2_000

/** Milliseconds until what came of an attempt is written. */
const WRITE_MILLIS = 5

/** What changes an endpoint for who sends to it. */
const CHANGING: ReadonlySet<string> = new Set([
  "WebhookChanged",
  "WebhookSecretRotated",
  "WebhookDisabled",
  "WebhookEnabled",
  "WebhookDeleted"
])

/** Where deliveries go. Nobody looks: what becomes of one depends on the webhook alone. */
const URLS = ["https://receiver.example/", "https://receiver.example/moved"] as const

/** Companies' webhooks: what is asked of them, who is told what, and the actors that ship, which send it. */
export class WebhookDesk {
  /** The tables, which outlive a process. */
  readonly deliveries = new Map<string, KeptDelivery>()
  readonly #failingSince = new Map<string, number | null>()
  readonly #begun = new Map<string, number>()
  readonly #parts: WebhookDeskParts
  /** The webhook or the delivery that a request means. */
  readonly #meant = new FirstMeanings<string | undefined>()
  readonly #events: OutboxEvents
  /** The last event that was told. */
  #position = 0
  #registry = new WebhookRegistry()
  #times = new DueTimes()
  #stale = new Set<string>()
  #scope: Scope.Closeable | undefined
  #starts = 0
  #host: ActorHost<Message, void, EndpointNotFound> | undefined

  constructor(parts: WebhookDeskParts) {
    this.#parts = parts
    this.#events = new OutboxEvents(parts.journal)
  }

  /** Whether something is recorded that nobody was told of yet. */
  get isOwing(): boolean {
    return this.#position < this.#parts.journal.lastSeq
  }

  /** Starts the actors of a process; ends those of the one before with everything in their memory. */
  start(): void {
    this.#registry = this.#events.registryAt(this.#position)
    this.#times = new DueTimes()
    this.#stale = new Set()
    for (const { state, webhookId } of this.deliveries.values()) {
      if (state.dueAt !== null) this.#times.enter(webhookId, state.dueAt)
    }
    this.#parts.fork(
      Effect.gen({ self: this }, function* () {
        const number = ++this.#starts
        const scope = yield* Scope.make()
        const onFailure = (id: string, cause: Cause.Cause<unknown>) =>
          Effect.sync(() => {
            if (!cause.reasons.every(isExpected)) this.#parts.report("supervision", `the actor of ${id} failed`)
          })
        const host = yield* Scope.provide(
          makeActorHost(endpointBehavior(this.#world(scope)), { ...HOST_OPTIONS, onFailure }),
          scope
        )
        // A process that ended while it started never serves.
        if (number !== this.#starts) return yield* Scope.close(scope, Exit.void)
        const before = this.#scope
        this.#scope = scope
        this.#host = host
        if (before !== undefined) yield* Scope.close(before, Exit.void)
      })
    )
  }

  /** The process hears what it wrote. */
  hear(events: Iterable<PlatformEvent>, now: number): void {
    for (const event of events) {
      if (!CHANGING.has(event._tag) || !("webhookId" in event)) continue
      this.#stale.add(event.webhookId)
      this.#times.enter(event.webhookId, now)
    }
  }

  /** Tells what is recorded, and lets the endpoints look whose time has come. */
  round(now: number): void {
    while (this.#tell(now));
    for (const webhookId of this.#times.take(now)) {
      this.#send(webhookId, { _tag: "Look", reload: this.#stale.delete(webhookId) })
    }
  }

  /** Tells the next events in one step, as a transaction does. False where there are none. */
  #tell(now: number): boolean {
    const { planted = (made) => made, world } = this.#parts
    const { events, to } = this.#events.after(this.#position, MAX_PAGE)
    if (to <= this.#position) return false
    const fanOut = tell(this.#registry, events, () => null, MAX_DELIVERIES)
    const isWhole = fanOut.to === events.at(-1)?.recorded.seq
    this.#position = isWhole ? to : (fanOut.to ?? to)
    const owners = new Set(fanOut.told.flatMap(({ hearers }) => hearers.map(({ companyId }) => companyId)))
    const day = dayOf(now)
    const begunBy = (owner: string): number => this.#begun.get(`${owner}/${day}`) ?? 0
    const room = new Map(Array.from(owners, (owner) => [owner, roomOf("standard", begunBy(owner))] as const))
    const ids = fanOut.told.flatMap(({ hearers }) => hearers.map(() => world.newId("whd")))
    const bodies = new Map(fanOut.told.map(({ message }) => [message.id, bodyOf(message)]))
    for (const { companyId, eventId, id, seq, status, webhookId } of planted(deliveriesOf(fanOut.told, ids, room))) {
      const isBegun = status === "pending"
      const state: DeliveryState = { status, attempts: 0, dueAt: isBegun ? now : null }
      const body = bodies.get(eventId) ?? ""
      this.deliveries.set(id, { deliveryId: id, webhookId, eventId, eventSeq: seq, body, round: 1, state })
      if (isBegun) this.#begun.set(`${companyId}/${day}`, begunBy(companyId) + 1)
      this.#times.enter(webhookId, now)
    }
    return true
  }

  #send(webhookId: string, message: Message): void {
    const host = this.#host
    if (host === undefined) return
    const { clock, fork } = this.#parts
    fork(
      host.ask(webhookId, message).pipe(
        Effect.catchTag("EndpointNotFound", () => Effect.void),
        Effect.catchTag("ActorUnavailable", () =>
          Effect.sync(() => {
            // What was said is looked for again: the tables have it.
            if (host !== this.#host) return
            this.#stale.add(webhookId)
            this.#times.enter(webhookId, clock.currentTimeMillisUnsafe() + READ_AGAIN_AFTER)
          })
        )
      )
    )
  }

  #world(scope: Scope.Closeable): DeliveryWorld<null, null, InjectedFault | WriteFailure> {
    const { board, clock, world } = this.#parts
    const now = (): number => clock.currentTimeMillisUnsafe()
    const reading = <A>(read: () => A): Effect.Effect<A, InjectedFault> =>
      Effect.suspend(() =>
        board.blinds() ? Effect.fail(new InjectedFault({ what: "webhooks cannot be read" })) : Effect.sync(read)
      )
    const isOver = (): boolean => scope !== this.#scope
    return {
      now,
      endpoint: (webhookId) =>
        reading(() => {
          const state = world.projection.webhooks.get(webhookId)
          if (state === undefined) return undefined
          const isEnabled = state.status === "enabled"
          const since = this.#failingSince.get(webhookId) ?? null
          const failingSince = since !== null && since >= state.countsFrom ? since : null
          return { webhookId, url: state.settings.url, isEnabled, secrets: null, failingSince }
        }),
      due: (webhookId, at, except, limit) => reading(() => this.#due(webhookId, at, except, limit)),
      begin: ({ webhookId }, delivery) => this.#attempt(webhookId, delivery, isOver),
      enter: (record) => {
        clock.schedule(clock.elapsed + WRITE_MILLIS, () => {
          if (!isOver()) this.#written(record)
        })
      },
      lookAt: (webhookId, at) => {
        if (!isOver()) this.#times.enter(webhookId, at)
      },
      disable: (webhookId, failingSince) => this.#disable(webhookId, failingSince)
    }
  }

  #due(webhookId: string, now: number, except: ReadonlySet<string>, limit: number): DueDeliveries {
    const waiting = [...this.deliveries.values()]
      .filter((one) => one.webhookId === webhookId && one.state.dueAt !== null && !except.has(one.deliveryId))
      .toSorted((one, other) => (one.state.dueAt ?? 0) - (other.state.dueAt ?? 0) || one.eventSeq - other.eventSeq)
    const due = waiting.filter(({ state }) => (state.dueAt ?? 0) <= now)
    return {
      deliveries: due
        .slice(0, limit)
        .map(({ round, state, ...one }): DueDelivery => ({ ...one, round, attempts: state.attempts })),
      nextAt: waiting[due.length]?.state.dueAt ?? undefined
    }
  }

  /** Sends a delivery; what becomes of it is told unless the process ends before. */
  #attempt(webhookId: string, delivery: DueDelivery, isOver: () => boolean): void {
    const { clock, receivers, report } = this.#parts
    const startedAt = clock.currentTimeMillisUnsafe()
    const kept = this.deliveries.get(delivery.deliveryId)
    if (kept?.state.dueAt === null || (kept?.state.dueAt ?? 0) > startedAt) {
      report("deliveries", `${delivery.deliveryId} is sent at ${startedAt}, and due at ${kept?.state.dueAt}`)
    }
    const { millis, status } = receivers.receive(webhookId, delivery.deliveryId)
    clock.schedule(clock.elapsed + millis, () => {
      if (isOver()) return
      const outcome = { startedAt, endedAt: startedAt + millis, status }
      this.#send(webhookId, { _tag: "Ended", ended: [{ delivery, outcome, sent: null }] })
    })
  }

  #written(record: Record): void {
    const kept = this.deliveries.get(record.delivery.deliveryId)
    if (kept !== undefined && kept.round === record.delivery.round) kept.state = record.after
    this.#failingSince.set(record.webhookId, record.health.failingSince)
    this.#send(record.webhookId, { _tag: "Written", records: [record] })
  }

  #disable(webhookId: string, failingSince: number): Effect.Effect<void, WriteFailure> {
    return retryStale(
      Effect.gen({ self: this }, function* () {
        const state = this.#parts.world.projection.webhooks.get(webhookId)
        const at = yield* Clock.currentTimeMillis
        const event = state === undefined ? undefined : Decision.disableFailing(state, failingSince, at)
        if (event !== undefined) yield* this.#write(state, event)
      })
    )
  }

  #write(state: WebhookState | undefined, event: WebhookEvent): Effect.Effect<void, WriteFailure> {
    const entry = {
      stream: webhookStream(event.webhookId),
      version: state?.version ?? 0,
      entry: { commands: [], event }
    }
    return Effect.asVoid(this.#parts.world.write(entry))
  }

  serve(by: Caller, { number, what }: Asked, key: string): Served {
    if (what.op === "retry") return Effect.sync(() => this.#retry(by, number, key))
    return retryStale(
      Effect.gen({ self: this }, function* () {
        const actor = { userId: by.userId, at: yield* Clock.currentTimeMillis }
        if (what.op === "create") {
          const webhookId = `whk_${key}`
          if (this.#parts.world.projection.webhooks.has(webhookId)) return "Replayed"
          const settings = { url: URLS[0], events: what.events, description: null }
          yield* this.#write(undefined, Decision.create({ companyId: by.companyId, settings, webhookId }, actor))
          return "WebhookCreated"
        }
        const meant = this.#meant.of(key, () => counted(this.#own(by), number)?.webhookId)
        const state = this.#parts.world.projection.webhooks.get(meant ?? "")
        if (state === undefined) return "NoWebhook"
        const decided = decidedOn(state, what, actor)
        if (Result.isFailure(decided)) return nameOfRefusal(decided.failure)
        let now = state
        for (const event of decided.success) {
          yield* this.#write(now, event)
          now = Decision.afterAll(now, [event])
        }
        return decided.success.at(0)?._tag ?? "Unchanged"
      })
    )
  }

  /** Begins a delivery anew that failed. */
  #retry(by: Caller, number: number, key: string): string {
    const meant = this.#meant.of(key, () => {
      const own = new Set(this.#own(by).map(({ webhookId }) => webhookId))
      const deliveries = [...this.deliveries.values()].filter(({ webhookId }) => own.has(webhookId))
      return counted(deliveries, number)?.deliveryId
    })
    const kept = this.deliveries.get(meant ?? "")
    if (kept === undefined) return "NoDelivery"
    const now = this.#parts.clock.currentTimeMillisUnsafe()
    const state = retried(kept.state, now)
    if (Result.isFailure(state)) return nameOfRefusal(state.failure)
    kept.state = state.success
    kept.round += 1
    this.#times.enter(kept.webhookId, now)
    return "Retried"
  }

  #own({ companyId }: Caller): ReadonlyArray<WebhookState> {
    return [...this.#parts.world.projection.webhooks.values()].filter((one) => one.companyId === companyId)
  }
}

const decidedOn = (
  state: WebhookState,
  what: Exclude<Asked["what"], { readonly op: "create" | "retry" }>,
  actor: Decision.WebhookActor
): Result.Result<ReadonlyArray<WebhookEvent>, Decision.TooManySecrets | Decision.WebhookGone> => {
  switch (what.op) {
    case "change":
      return Decision.change(
        state,
        { events: what.events, url: URLS[what.events.length % URLS.length] ?? URLS[0] },
        actor
      )
    case "enable":
      return Decision.change(state, { status: "enabled" }, actor)
    case "disable":
      return Decision.change(state, { status: "disabled" }, actor)
    case "rotate":
      return Result.map(Decision.rotate(state, actor), (event) => [event])
    case "remove":
      return Result.map(Decision.remove(state, actor), (event) => [event])
  }
}
