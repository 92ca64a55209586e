import { Context, Duration, Effect, Layer, Stream } from "effect"
import { recordedOf } from "../../engine/replay/EventCodec.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { isWanted } from "../../engine/webhooks/WantedEvents.ts"
import type { WebhookEventType } from "../../engine/webhooks/WebhookEventType.ts"
import { bodyOf } from "../../engine/webhooks/WebhookMessage.ts"
import { companiesToldOf, TYPES_OF } from "../../engine/webhooks/WebhookRendering.ts"
import { ApiError } from "../api/ApiError.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { PersonalText } from "../identity/secrets/PersonalText.ts"
import { EventRendering } from "./EventRendering.ts"
import { ListenerPlace, type Span } from "./ListenerPlace.ts"
import { OutboxRepository } from "./OutboxRepository.ts"

/** Listeners of this process at the same time: each reads for itself. */
export const MAX_LISTENERS = 64

/** The longest time without a piece for a listener. */
export const QUIET = Duration.seconds(15)

/** Events that are told at once. */
const MAX_EVENTS = 500

/** Companies of which a listener remembers whether it hears theirs. */
const MAX_KNOWN = 10_000

/** What a listener hears: the events of one company and of those that it manages. */
export interface Listening {
  readonly companyId: string
  /** Types of events, or `*`. */
  readonly events: ReadonlyArray<string>
  /** The place of the journal after which it begins; undefined for now. */
  readonly after: number | undefined
}

/** The message for a company. */
export interface Heard {
  readonly id: string
  readonly type: WebhookEventType
  readonly body: string
}

/** Everything that the listener hears between the previous piece and a place of the journal. */
export interface Piece {
  readonly seq: number
  readonly events: ReadonlyArray<Heard>
}

type Tag = PlatformEvent["_tag"]

const TAGS = Object.keys(TYPES_OF) as ReadonlyArray<Tag>

const tagsOf = (events: ReadonlyArray<string>): ReadonlySet<Tag> =>
  new Set(TAGS.filter((tag) => TYPES_OF[tag]?.some((type) => isWanted(events, type))))

/** Whether a listener hears of companies. Who manages one never changes. */
const makeHears = ({ standings }: Companies["Service"], companyId: string) => {
  const known = new Map<string, boolean>()
  return Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length > 0) {
      if (known.size > MAX_KNOWN) known.clear()
      const found = yield* standings(ids)
      for (const id of ids) known.set(id, id === companyId || found.get(id)?.managedBy === companyId)
    }
    return new Set(ids.filter((id) => known.get(id) === true))
  })
}

const TOO_MANY = `At most ${MAX_LISTENERS} listen at the same time: try again later, or make a webhook.`

interface Listener {
  readonly place: ListenerPlace
  readonly tags: ReadonlySet<Tag>
}

/** Streams companies' events to callers as deliveries have them, without an endpoint. */
export class EventListening extends Context.Service<
  EventListening,
  {
    /**
     * The events from now on, or from a place on. The first piece comes at once, and then at least one each
     * {@link QUIET}, which may be empty. After a lost connection, go on from the last piece's place. Calls `mayGoOn`
     * before each.
     */
    readonly listen: <E>(
      listening: Listening,
      mayGoOn: Effect.Effect<void, E>
    ) => Stream.Stream<Piece, E | ApiError | Unavailable>
  }
>()("emporion/webhooks/EventListening") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const makeEntering = Effect.gen(function* () {
  const journal = yield* UnitOfWork
  const listeners = new Set<Listener>()
  yield* journal.onCommit((recorded) => {
    const head = recorded.at(-1)?.seq
    if (head === undefined) return
    for (const { place, tags } of listeners) {
      place.told(recorded.find(({ event }) => tags.has(event._tag))?.seq, head)
    }
  })
  return Effect.fnUntraced(function* ({ after, events }: Listening) {
    if (listeners.size >= MAX_LISTENERS) return yield* Effect.fail(new ApiError("rate_limited", TOO_MANY))
    const listener = { place: new ListenerPlace(), tags: tagsOf(events) }
    yield* Effect.acquireRelease(
      Effect.sync(() => listeners.add(listener)),
      () => Effect.sync(() => listeners.delete(listener))
    )
    listener.place.begin(after, yield* journal.lastSeq)
    return listener
  })
})

const make = Effect.gen(function* () {
  const companies = yield* Companies
  const { render } = yield* EventRendering
  const { openIn } = yield* PersonalText
  const outbox = yield* OutboxRepository
  const enter = yield* makeEntering

  const makePiece = ({ companyId, events }: Listening, { place, tags }: Listener) => {
    const hears = makeHears(companies, companyId)
    return Effect.fnUntraced(function* ({ after, upTo }: Span) {
      const found = yield* outbox.after(after, upTo, [...tags], MAX_EVENTS)
      const recorded = found.events.map(recordedOf)
      const named = yield* hears([...new Set(recorded.flatMap(({ event }) => companiesToldOf(event) ?? []))])
      const rendered = yield* render(
        recorded.filter(({ event }) => companiesToldOf(event)?.some((id) => named.has(id)) ?? true)
      )
      const messages = rendered.flatMap((one) => one.messages).filter(({ type }) => isWanted(events, type))
      const mine = yield* hears([...new Set(messages.map((message) => message.companyId))])
      const heard = messages.filter((message) => mine.has(message.companyId))
      place.reached(found.to)
      const told = yield* Effect.forEach(heard, (one) =>
        Effect.map(openIn(bodyOf(one)), (body): Heard => ({ id: one.id, type: one.type, body }))
      )
      return { seq: found.to, events: told }
    })
  }

  const listen = <E>(listening: Listening, mayGoOn: Effect.Effect<void, E>) =>
    Stream.unwrap(
      Effect.map(enter(listening), (listener) => {
        const { place } = listener
        const pieceOf = makePiece(listening, listener)
        const next = Effect.flatMap(mayGoOn, () => {
          const span = place.next()
          return span.after < span.upTo ? pieceOf(span) : Effect.succeed<Piece>({ seq: span.upTo, events: [] })
        })
        const later = Effect.andThen(Effect.timeoutOption(place.news.await, QUIET), next)
        return Stream.concat(Stream.fromEffect(next), Stream.fromEffectRepeat(later))
      })
    )

  return EventListening.of({ listen })
})
