import { Clock, Context, Deferred, Effect, Layer, Metric, Queue, type Scope } from "effect"
import { JournalUnavailable } from "../../engine/actor/Journal.ts"
import { type Diverged, type FollowedRow, JournalFollower } from "../../engine/journal/JournalFollower.ts"
import { followJournal, SILENCE } from "../../engine/journal/JournalFollowing.ts"
import { eventOf } from "../../engine/journal/JournalRecovery.ts"
import { endOf, entriesOf, type JournalEntry } from "../../engine/journal/JournalRow.ts"
import { familyOf, type PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { addressText } from "../ClusterSettings.ts"
import { Settings } from "../Config.ts"
import { link } from "../database/ChainLink.ts"
import { JournalRepository } from "../database/JournalRepository.ts"
import * as Worker from "../Worker.ts"
import { decodeFrame, type FollowerFrame, isRow, type News } from "./FollowerFrame.ts"
import { FOLLOW, nodeHeaders } from "./ForwardedRequest.ts"
import { make as makeCredential } from "./NodeCredential.ts"
import { Nodes, type ServingWriter } from "./Nodes.ts"
import { listen } from "./NodeSocket.ts"

/** The pause before the node that writes is connected to again. */
const RECONNECT = "100 millis"

/** A quarter of {@link SILENCE}: how often to look whether anything came. A timer for each frame would cost more than it. */
const LISTENING = "250 millis"
const QUARTERS = 4

/** In the place of a frame: nothing came. No frame is empty. */
const NOTHING = ""

/** Frames that wait to be looked at. Beyond them they are left out, and read from the journal. */
const MAX_WAITING = 1_000

const lagEvents = Metric.gauge("emporion_replication_lag_events", {
  description: "Events that this node, which follows the one that writes, heard of and does not have"
})

const lagSeconds = Metric.histogram("emporion_replication_lag_seconds", {
  description: "From the time at which a row of the journal was recorded to when this node, which follows, had it",
  boundaries: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
})

/** An event that stands in the journal. */
export interface FollowedEvent {
  readonly seq: number
  /** Undefined where it is of a kind that only later releases know. */
  readonly event: PlatformEvent | undefined
}

/** Who is told of committed events. */
export interface FollowingListener {
  /** Of the next ones, the last of which has this sequence. They are read when they are asked for. Must not wait. */
  readonly told: (seq: number, events: () => ReadonlyArray<FollowedEvent>) => void
  /** Whether anybody needs to be told while this node writes itself. */
  readonly isHeard: () => boolean
}

/** The journal as a node follows it that does not write: pushed by the one that does, and read where something is missing. */
export class FollowedJournal extends Context.Service<
  FollowedJournal,
  {
    /** The sequence of the last event of which the listeners were told. */
    readonly lastSeq: () => number
    /** Events that this node heard of and does not have. */
    readonly lag: () => number
    /** Registers a listener for good. Each hears of every event once, in order. */
    readonly onCommit: (listener: FollowingListener) => Effect.Effect<void>
    /** Is told of what else the node that writes tells, as long as the scope lives. Must not wait. */
    readonly onNews: (listener: (news: News) => void) => Effect.Effect<void, never, Scope.Scope>
    /** Fails once the journal is another one than this node told. */
    readonly diverged: Effect.Effect<never, Diverged>
  }
>()("emporion/cluster/FollowedJournal") {
  /** Begins at the journal's end. Needs a migrated database. */
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const isKnown = ({ data }: JournalEntry): boolean =>
  familyOf((JSON.parse(data) as { readonly _tag: string })._tag) !== undefined

const eventsOf = (row: FollowedRow): ReadonlyArray<FollowedEvent> =>
  (entriesOf(row) ?? []).map((entry, index) => {
    const seq = row.firstSeq + index
    return { seq, event: isKnown(entry) ? eventOf(entry, seq) : undefined }
  })

/** What follows, and those who are told. */
class Following {
  readonly follower: JournalFollower
  readonly listeners = new Set<FollowingListener>()
  readonly newsListeners = new Set<(news: News) => void>()
  readonly #clock: Clock.Clock
  readonly #context: Context.Context<never>

  constructor(follower: JournalFollower, clock: Clock.Clock, context: Context.Context<never>) {
    this.follower = follower
    this.#clock = clock
    this.#context = context
  }

  get isHeard(): boolean {
    return [...this.listeners].some(({ isHeard }) => isHeard())
  }

  /** Answers how far the journal goes, where the news say it. */
  news(news: News): number | undefined {
    for (const listener of this.newsListeners) listener(news)
    return news._tag === "Head" ? news.seq : undefined
  }

  /** A node that writes itself is behind nobody. */
  rest(): void {
    lagEvents.updateUnsafe(0, this.#context)
  }

  measure(): void {
    lagEvents.updateUnsafe(this.follower.head - this.follower.seq, this.#context)
  }

  /** A listener that throws must not stop the others. */
  tell(row: FollowedRow): Effect.Effect<void> {
    const late = this.#clock.currentTimeMillisUnsafe() - row.recordedAt
    lagSeconds.updateUnsafe(Math.max(0, late) / 1_000, this.#context)
    let read: ReadonlyArray<FollowedEvent> | undefined
    const events = () => (read ??= eventsOf(row))
    return Effect.forEach(
      this.listeners,
      ({ told }) =>
        Effect.catchCause(
          Effect.sync(() => told(endOf(row).seq, events)),
          (cause) => Effect.logError("A listener of the followed journal failed", cause)
        ),
      { discard: true }
    )
  }
}

/** What comes from the node that writes, and that nothing does. */
class Inbox {
  readonly #queue: Queue.Queue<string>
  #quarters = 0

  constructor(queue: Queue.Queue<string>) {
    this.#queue = queue
  }

  hear(text: string): void {
    this.#quarters = 0
    Queue.offerUnsafe(this.#queue, text)
  }

  /** A quarter of {@link SILENCE} is over. */
  pass(): void {
    this.#quarters += 1
    if (this.#quarters >= QUARTERS) this.hear(NOTHING)
  }

  /** All frames that came; waits for them, and is undefined after {@link SILENCE}. */
  get frames(): Effect.Effect<ReadonlyArray<FollowerFrame> | undefined> {
    return Effect.map(Queue.takeAll(this.#queue), (texts) =>
      texts.every((text) => text === NOTHING) ? undefined : texts.flatMap((text) => decodeFrame(text) ?? [])
    )
  }
}

/** Is told by whoever writes, one after another. */
const connected = Effect.fnUntraced(function* (inbox: Inbox, isWanted: () => boolean) {
  const { cluster } = yield* Settings
  if (cluster === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
  const { heard, serving, silent } = yield* Nodes
  const headers = nodeHeaders(makeCredential(cluster.secret))
  const hear = (text: string): void => {
    if (isRow(text)) heard()
    inbox.hear(text)
  }
  const listening = ({ address }: ServingWriter) =>
    Effect.ensuring(listen(`ws://${address}${FOLLOW}`, headers, { hear }), Effect.sync(silent))
  const unwanted = Effect.repeat(Effect.sleep(SILENCE), { while: isWanted })
  const once = Effect.flatMap(serving, (writer) =>
    isWanted() ? Effect.raceAllFirst([listening(writer), writer.replaced, unwanted]) : Effect.sleep(SILENCE)
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(once, Effect.sleep(RECONNECT))))
})

const make = Effect.gen(function* () {
  const { cluster } = yield* Settings
  const nodes = yield* Nodes
  const journal = yield* JournalRepository
  const last = yield* journal.last
  const follower = new JournalFollower(link, last, (yield* journal.end).seq)
  const following = new Following(follower, yield* Clock.Clock, yield* Effect.context<never>())
  const inbox = new Inbox(yield* Queue.dropping<string>(MAX_WAITING))
  yield* Worker.every(
    LISTENING,
    "Listening to the node that writes",
    Effect.sync(() => inbox.pass())
  )
  const diverged = yield* Deferred.make<never, Diverged>()
  const own = cluster === undefined ? "" : addressText(cluster.address)
  // A node that writes never follows another one again: it ends its process before.
  const isWanted = () => {
    const isIt = nodes.writer()?.address !== own || following.isHeard
    if (!isIt) following.rest()
    return isIt
  }

  yield* followJournal<News>(follower, {
    pushed: inbox.frames,
    news: (news) => following.news(news),
    after: (seq) => Effect.mapError(journal.after(seq), ({ message }) => new JournalUnavailable({ reason: message })),
    tell: (row) => following.tell(row),
    isWanted,
    moved: () => following.measure()
  }).pipe(
    Effect.catch((error) => Deferred.fail(diverged, error)),
    Effect.forkScoped
  )
  yield* connected(inbox, isWanted)
  return FollowedJournal.of({
    lastSeq: () => follower.seq,
    lag: () => follower.head - follower.seq,
    onCommit: (listener) => Effect.sync(() => void following.listeners.add(listener)),
    onNews: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => void following.newsListeners.add(listener)),
        () => Effect.sync(() => following.newsListeners.delete(listener))
      ),
    diverged: Deferred.await(diverged)
  })
})
