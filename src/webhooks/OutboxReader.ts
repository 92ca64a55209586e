import { Clock, Context, Duration, Effect, Latch, Layer, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { CompanyPlan } from "../../engine/company/CompanyEvent.ts"
import { recordedOf } from "../../engine/replay/EventCodec.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { dayOf, roomOf } from "../../engine/webhooks/DeliveryQuota.ts"
import { type ManagerOf, tell, type Told } from "../../engine/webhooks/FanOut.ts"
import { type DueDelivery, READ_AGAIN_AFTER } from "../../engine/webhooks/EndpointActor.ts"
import { deliveriesOf, type NewDelivery } from "../../engine/webhooks/NewDeliveries.ts"
import { bodyOf } from "../../engine/webhooks/WebhookMessage.ts"
import { companiesToldOf, TYPES_OF, typesOf } from "../../engine/webhooks/WebhookRendering.ts"
import { WebhookRegistry } from "../../engine/webhooks/WebhookRegistry.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Companies } from "../identity/companies/Companies.ts"
import * as Identifier from "../Identifier.ts"
import { untilDone } from "../UntilDone.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { DeliveryTimes } from "./DeliveryTimes.ts"
import { EventRendering, type RecordedEvent } from "./EventRendering.ts"
import { HeardEvents } from "./HeardEvents.ts"
import { OutboxRepository, type ToldEvent } from "./OutboxRepository.ts"

/** Events that are told in one transaction, and the deliveries after which it is full. */
const MAX_PAGE = 500
const MAX_DELIVERIES = 2_000

/** Events by which the written position may lag while nobody has to be told anything. */
const MAX_LAG = 10_000

/** Companies whose managers are remembered. */
const MAX_COMPANIES = 50_000

/** The pause before a failed transaction is tried again. */
const AGAIN = Duration.seconds(1)

const WEBHOOK_TYPES = [
  "WebhookCreated",
  "WebhookChanged",
  "WebhookDisabled",
  "WebhookEnabled",
  "WebhookDeleted"
] as const satisfies ReadonlyArray<PlatformEvent["_tag"]>

const NEEDED: ReadonlyArray<string> = [...new Set<string>([...Object.keys(TYPES_OF), ...WEBHOOK_TYPES])]
const needed: ReadonlySet<string> = new Set(NEEDED)
const isNeeded = ({ _tag }: PlatformEvent): boolean => needed.has(_tag)

/** Another process, or an earlier run of this one, told more than this one knows. */
class Overtaken extends Error {}

type Services =
  | Companies
  | DeliveryRepository
  | DeliveryTimes
  | EventRendering
  | SecureRandom
  | OutboxRepository
  | UnitOfWork

/**
 * Tells companies of recorded events: the journal is the outbox. For each event one transaction writes the messages,
 * the deliveries to the webhooks that hear it, and the reader's position, so a crash neither loses nor doubles any.
 */
export class OutboxReader extends Context.Service<
  OutboxReader,
  {
    /** Tells all that is recorded by now. */
    readonly catchUp: Effect.Effect<void, Unavailable>
    /** Ends once something was recorded that may have to be told. */
    readonly called: Effect.Effect<void>
  }
>()("emporion/webhooks/OutboxReader") {
  static readonly layer: Layer.Layer<OutboxReader, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const journal = yield* UnitOfWork
      const alone = yield* Semaphore.make(1)
      const calls = Latch.makeUnsafe(false)
      const reader = new ReaderState()
      const inside = Effect.provideContext(yield* Effect.context<Services>())
      yield* journal.onCommit((events) => {
        if (reader.heard.hear(events)) calls.openUnsafe()
      })

      return OutboxReader.of({
        catchUp: Effect.suspend(() => catchUp(reader)).pipe(inside, alone.withPermits(1)),
        called: Effect.andThen(
          calls.await,
          Effect.sync(() => calls.closeUnsafe())
        )
      })
    })
  )

  /** Tells for ever, through any failure. */
  static readonly running: Layer.Layer<never, never, OutboxReader> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { called, catchUp: go } = yield* OutboxReader
      const again = untilDone(go, "Webhooks' events wait to be told", AGAIN)
      yield* Effect.forkScoped(Effect.andThen(again, Effect.forever(Effect.andThen(called, again))))
    })
  )
}

/** What the reader knows. */
class ReaderState {
  readonly heard = new HeardEvents(isNeeded)
  readonly managers = new Map<string, string | null>()
  registry = new WebhookRegistry()
  /** The last event that the registry knows; undefined before the first reading. */
  position: number | undefined
  /** The position that is written. */
  written = 0

  readonly managerOf: ManagerOf = (companyId) => this.managers.get(companyId) ?? null
}

/** Begins where the last run ended, with the webhooks of that moment. */
const begin = Effect.fnUntraced(function* (reader: ReaderState) {
  const { position, webhooksUntil } = yield* OutboxRepository
  const from = yield* position
  const registry = new WebhookRegistry()
  for (const stored of yield* webhooksUntil(from)) registry.hear(recordedOf(stored).event)
  reader.registry = registry
  reader.position = from
  reader.written = from
  return from
})

const catchUp = Effect.fnUntraced(
  function* (reader: ReaderState) {
    if (reader.position === undefined) yield* begin(reader)
    while (yield* step(reader)) yield* Effect.yieldNow
  },
  (effect, reader) =>
    Effect.onError(effect, () =>
      Effect.sync(() => {
        reader.position = undefined
      })
    )
)

/** Tells the next events. False where there are none. */
const step = Effect.fnUntraced(function* (reader: ReaderState) {
  const from = reader.position ?? 0
  const { events, to } = reader.heard.after(from, MAX_PAGE) ?? (yield* read(from))
  if (to <= from) return false
  const rendered = yield* renderedOf(reader, events)
  const fanOut = tell(reader.registry, rendered, reader.managerOf, MAX_DELIVERIES)
  const isWhole = fanOut.to === events.at(-1)?.seq
  const reached = isWhole ? to : (fanOut.to ?? to)
  if (fanOut.told.length > 0 || reached - reader.written >= MAX_LAG) yield* write(reader, fanOut.told, reached)
  reader.position = reached
  return true
})

const read = Effect.fnUntraced(function* (from: number) {
  const { after } = yield* OutboxRepository
  const head = yield* Effect.flatMap(UnitOfWork, ({ lastSeq }) => lastSeq)
  const { events, to } = yield* after(from, head, NEEDED, MAX_PAGE)
  return { events: events.map(recordedOf), to }
})

/** Renders what somebody may hear; the others have no messages. */
const renderedOf = Effect.fnUntraced(function* (reader: ReaderState, events: ReadonlyArray<RecordedEvent>) {
  const { registry } = reader
  const created = new Set(events.flatMap(({ event }) => (event._tag === "WebhookCreated" ? [event.companyId] : [])))
  if (registry.size === 0 && created.size === 0) {
    return events.map((recorded) => ({ recorded, messages: [] }))
  }
  const emitting = events.filter(({ event }) => typesOf(event).length > 0)
  yield* learnManagers(
    reader,
    emitting.flatMap(({ event }) => companiesToldOf(event) ?? [])
  )
  const mayHear = (companyId: string | null): boolean =>
    companyId !== null && (registry.has(companyId) || created.has(companyId))
  const isHeard = ({ event }: RecordedEvent): boolean =>
    companiesToldOf(event)?.some((companyId) => mayHear(companyId) || mayHear(reader.managerOf(companyId))) ?? true
  const { render } = yield* EventRendering
  const rendered = yield* render(emitting.filter(isHeard))
  yield* learnManagers(
    reader,
    rendered.flatMap(({ messages }) => messages.map(({ companyId }) => companyId))
  )
  const bySeq = new Map(rendered.map(({ messages, recorded }) => [recorded.seq, messages]))
  return events.map((recorded) => ({ recorded, messages: bySeq.get(recorded.seq) ?? [] }))
})

const learnManagers = Effect.fnUntraced(function* ({ managers }: ReaderState, companyIds: ReadonlyArray<string>) {
  if (managers.size > MAX_COMPANIES) managers.clear()
  const unknown = [...new Set(companyIds)].filter((companyId) => !managers.has(companyId))
  if (unknown.length === 0) return
  const standings = yield* Effect.flatMap(Companies, (companies) => companies.standings(unknown))
  for (const companyId of unknown) managers.set(companyId, standings.get(companyId)?.managedBy ?? null)
})

/**
 * Writes the messages, the deliveries and the position in one transaction. Then the senders hear of their deliveries.
 */
const write = Effect.fnUntraced(function* (reader: ReaderState, told: ReadonlyArray<Told>, to: number) {
  const { advance, tell: keep, transaction } = yield* OutboxRepository
  const { begun } = yield* DeliveryRepository
  const times = yield* DeliveryTimes
  const at = yield* Clock.currentTimeMillis
  const day = dayOf(at)
  const events = told.map(({ message, seq }): ToldEvent => {
    const { companyId, createdAt, id, type } = message
    return { id, seq, type, companyId, createdAt, body: bodyOf(message) }
  })
  const owners = [...new Set(told.flatMap(({ hearers }) => hearers.map(({ companyId }) => companyId)))]
  const ids = yield* idsOf(
    told.reduce((sum, { hearers }) => sum + hearers.length, 0),
    at
  )
  const plans = owners.length === 0 ? new Map() : yield* Effect.flatMap(Companies, ({ standings }) => standings(owners))
  const writing = transaction(
    Effect.gen(function* () {
      if (!(yield* advance(reader.written, to)))
        return yield* Effect.die(new Overtaken(`not at ${reader.written} any more`))
      const before = owners.length === 0 ? new Map<string, number>() : yield* begun(owners, day)
      const room = new Map(
        owners.map((owner) => [owner, roomOf(planOf(plans, owner), before.get(owner) ?? 0)] as const)
      )
      const made = deliveriesOf(told, ids, room)
      yield* keep({ events, deliveries: made, at, day })
      return made
    })
  )
  /** Whether it was written may be unknown. */
  const lookLater = Effect.sync(() => {
    for (const { hearers } of told) {
      for (const { webhookId } of hearers) times.enter(webhookId, at + READ_AGAIN_AFTER)
    }
  })
  yield* Effect.uninterruptibleMask((restore) =>
    restore(writing).pipe(
      Effect.onError(() => lookLater),
      Effect.map((deliveries) => {
        reader.written = to
        for (const [webhookId, due] of dueOf(deliveries, events)) times.tell(webhookId, due)
      })
    )
  )
})

/** The deliveries that begin, of each webhook. */
const dueOf = (
  deliveries: ReadonlyArray<NewDelivery>,
  events: ReadonlyArray<ToldEvent>
): ReadonlyMap<string, ReadonlyArray<DueDelivery>> => {
  const bodies = new Map(events.map(({ body, id }) => [id, body]))
  const due = new Map<string, Array<DueDelivery>>()
  for (const { eventId, id, seq, status, webhookId } of deliveries) {
    if (status !== "pending") continue
    const body = bodies.get(eventId) ?? ""
    const one: DueDelivery = { deliveryId: id, eventId, eventSeq: seq, body, round: 1, attempts: 0 }
    const own = due.get(webhookId)
    if (own === undefined) due.set(webhookId, [one])
    else own.push(one)
  }
  return due
}

const planOf = (standings: ReadonlyMap<string, { readonly plan: CompanyPlan }>, companyId: string): CompanyPlan =>
  standings.get(companyId)?.plan ?? "standard"

const { ORDERED_BYTES } = Identifier

/** Deliveries of one transaction are written one after the other, so their ids are in that order too. */
const idsOf = Effect.fnUntraced(function* (count: number, at: number) {
  const bytes = count === 0 ? new Uint8Array() : yield* (yield* SecureRandom).randomBytes(count * ORDERED_BYTES)
  const idOf = Identifier.ordered("whd", at)
  return Array.from({ length: count }, (_, index) =>
    idOf(index, bytes.subarray(index * ORDERED_BYTES, (index + 1) * ORDERED_BYTES))
  )
})
