import { Effect, Latch, Schedule } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Feed } from "./Feed.ts"
import { CHUNK_BYTES, type Group, type Listener, type Place, type Publish } from "./Group.ts"
import type { Replay } from "./StreamReplay.ts"
import type { StreamEvent } from "./StreamEvent.ts"
import type { Subscription } from "./Subscription.ts"

/** The most recorded events that wait to be sent; further ones are read from the log again. */
export const MAX_WAITING_EVENTS = 20_000

/** Events rendered at once. */
const BATCH_EVENTS = 256

/** How long to wait before the database is asked again. */
const RETRY = Schedule.spaced("250 millis")

/**
 * The feed of subscriptions to whole objects or to one's own outcomes, which need earlier events. It works behind the
 * commits, holds a bounded number of them, and does nothing while nobody listens.
 */
export class SequencedFeed {
  readonly feed: Feed
  readonly #replay: Replay
  readonly #sent: (bytes: number) => void
  readonly #arrival = Latch.makeUnsafe(false)
  #waiting: Array<Recorded<PlatformEvent>> = []
  /** The last event that was recorded. */
  #head: number
  /** Whether events are on their way to listeners. */
  #isBusy = false

  constructor(name: string, replay: Replay, position: number, publish: Publish, sent: (bytes: number) => void) {
    this.feed = new Feed(name, position, publish)
    this.#replay = replay
    this.#sent = sent
    this.#head = position
  }

  /** Takes events that were just recorded, up to `seq`; undefined where they are to be read. Does not wait. */
  offer(events: ReadonlyArray<Recorded<PlatformEvent>> | undefined, seq: number): void {
    this.#head = seq
    if (!this.#isBusy && !this.feed.isHeard) return this.#skip()
    if (events === undefined || this.#waiting.length + events.length > MAX_WAITING_EVENTS) this.#waiting = []
    else this.#waiting.push(...events)
    this.#arrival.openUnsafe()
  }

  join(listener: Listener, subscription: Subscription, place: Place): Group {
    return this.feed.join(listener, subscription, place)
  }

  /** Sends the events, one after the other, for ever. */
  readonly run: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => {
      if (this.feed.position < this.#head) return this.#advance
      this.#arrival.closeUnsafe()
      return this.#arrival.await
    })
  )

  /** Recorded events that wait to be sent. */
  get waiting(): number {
    return this.#waiting.length
  }

  readonly #advance: Effect.Effect<void> = Effect.suspend(() => {
    if (!this.feed.isHeard) {
      this.#skip()
      return Effect.void
    }
    this.#isBusy = true
    return Effect.flatMap(Effect.orDie(Effect.retry(this.#next, RETRY)), (events) => this.#tell(events)).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          this.#isBusy = false
        })
      )
    )
  })

  #skip(): void {
    this.#waiting = []
    this.feed.skipTo(this.#head)
  }

  /** The next events to send: those that wait, else those of the log. */
  readonly #next = Effect.suspend(() => {
    const { position } = this.feed
    const known = this.#waiting.findIndex(({ seq }) => seq > position)
    this.#waiting.splice(0, known === -1 ? this.#waiting.length : known)
    const first = this.#waiting[0]
    if (first?.seq === position + 1) return this.#replay.render(this.#waiting.slice(0, BATCH_EVENTS))
    return this.#replay.after(position, first === undefined ? this.#head : first.seq - 1)
  })

  #tell(events: ReadonlyArray<StreamEvent>): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      let unread = 0
      for (const event of events) {
        for (const bytes of this.feed.tell(event)) {
          this.#sent(bytes)
          unread += bytes
          if (unread < CHUNK_BYTES) continue
          unread = 0
          yield* Effect.yieldNow
        }
      }
    })
  }
}
