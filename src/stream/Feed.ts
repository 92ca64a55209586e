import { Effect } from "effect"
import { Group, type Listener, type Place, type Publish } from "./Group.ts"
import { RecentEvents } from "./RecentEvents.ts"
import type { Frame, StreamEvent } from "./StreamEvent.ts"
import type { Subscription } from "./Subscription.ts"

/** Looks for itself at what a feed tells. */
export interface Watcher {
  /** An event was sent completely. */
  readonly told: () => void
  readonly price: (frame: Frame) => void
}

/** Sends events to groups of listeners in the order of the log. */
export class Feed {
  readonly #groups = new Map<string, Group>()
  readonly #watchers = new Set<Watcher>()
  readonly #recent: RecentEvents
  readonly #publish: Publish
  readonly #name: string
  #topics = 0
  #expected = 0
  #position: number
  /** The last event that was sent completely. */
  #completed: number

  constructor(name: string, position: number, publish: Publish) {
    this.#name = name
    this.#publish = publish
    this.#position = position
    this.#completed = position
    this.#recent = new RecentEvents(position)
  }

  /** The event that is being sent, or was sent last. */
  get position(): number {
    return this.#position
  }

  /** Whether anybody listens, or is about to. */
  get isHeard(): boolean {
    return this.#groups.size > 0 || this.#watchers.size > 0 || this.#expected > 0
  }

  /** Registers a watcher, which is told when there is something to look at. Returns how to end it. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** Keeps the feed running while somebody catches up with it. */
  readonly expected = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        this.#expected += 1
      }),
      () => effect,
      () =>
        Effect.sync(() => {
          this.#expected -= 1
        })
    )

  /** The events after a position that were already sent; undefined if some are no longer kept. */
  after(position: number): ReadonlyArray<StreamEvent> | undefined {
    return position >= this.#position ? [] : this.#recent.after(position)
  }

  /** The position up to which everything was sent. */
  get completed(): number {
    return this.#completed
  }

  /** Goes to a position without telling anything. */
  skipTo(position: number): void {
    this.#position = position
    this.#completed = position
    this.#recent.restart(position)
  }

  join(listener: Listener, subscription: Subscription, place: Place): Group {
    const group = this.#groups.get(subscription.key) ?? this.#open(subscription)
    group.join(listener, place)
    return group
  }

  /** Returns the listener's position. */
  leave(listener: Listener, group: Group): Place {
    const place = group.leave(listener)
    if (group.size === 0) this.#groups.delete(group.subscription.key)
    return place
  }

  /** Sends the next event. Yields the length of each piece; between pieces others may run. */
  *tell(event: StreamEvent): Generator<number, void> {
    this.#position = event.seq
    this.#recent.push(event)
    for (const group of this.#groups.values()) yield* group.tell(event)
    this.#completed = event.seq
    for (const { told } of this.#watchers) told()
  }

  /** Sends a price. */
  tellPrice(frame: Frame): void {
    for (const { price } of this.#watchers) price(frame)
    for (const group of this.#groups.values()) if (group.subscription.wants(frame)) group.announce(`${frame.head}}`)
  }

  /** Sends each subscription that a client asked for its position. */
  heartbeat(textOf: (place: Place) => string): void {
    for (const group of this.#groups.values()) if (group.subscription.isAsked) group.heartbeat(textOf)
  }

  #open(subscription: Subscription): Group {
    this.#topics += 1
    const group = new Group(subscription, `${this.#name}/${this.#topics}`, this.#publish, this.#completed)
    this.#groups.set(subscription.key, group)
    return group
  }
}
