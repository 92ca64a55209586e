import type { Frame, StreamEvent } from "./StreamEvent.ts"
import type { Subscription } from "./Subscription.ts"

/** Bytes that are told without a pause for those who read. */
export const CHUNK_BYTES = 65_536

/** A connection, as the runtime's fan-out knows it. */
export interface Listener {
  readonly send: (text: string) => unknown
  readonly subscribe: (topic: string) => unknown
  readonly unsubscribe: (topic: string) => unknown
}

/** Sends a text to every subscriber of a topic. */
export type Publish = (topic: string, text: string) => void

/** How far a listener has come. */
export interface Place {
  /** Events up to it are told, or were not wanted. */
  readonly position: number
  /** The event told last, else where the subscription began. */
  readonly prev: number
}

/** A frame's whole text: with its place in the log where the subscription is sequenced. */
export const textOf = (subscription: Subscription, { head }: Frame, seq: number, prev: number, more: number): string =>
  subscription.isSequenced ? `${head},"seq":${seq},"prev":${prev},"more":${more}}` : `${head}}`

/**
 * The listeners of one subscription. A message is serialized once and handed to the runtime's fan-out; who has just
 * come is told its first event by itself, because what came before it was another event.
 */
export class Group {
  readonly subscription: Subscription
  readonly #topic: string
  readonly #publish: Publish
  readonly #settled = new Set<Listener>()
  readonly #fresh = new Map<Listener, Place>()
  #prev = 0

  constructor(subscription: Subscription, topic: string, publish: Publish) {
    this.subscription = subscription
    this.#topic = topic
    this.#publish = publish
  }

  get size(): number {
    return this.#settled.size + this.#fresh.size
  }

  join(listener: Listener, place: Place): void {
    this.#fresh.set(listener, place)
  }

  /** Takes a listener out. Answers the event it was told last. */
  leave(listener: Listener): number {
    const place = this.#fresh.get(listener)
    this.#fresh.delete(listener)
    if (this.#settled.delete(listener)) listener.unsubscribe(this.#topic)
    return place?.prev ?? this.#prev
  }

  /** Tells of an event in pieces of {@link CHUNK_BYTES}, and answers the length of each. */
  *tell({ frames, seq }: StreamEvent): Generator<number, void> {
    const wanted = frames.filter((frame) => this.subscription.wants(frame))
    if (wanted.length === 0) return
    const prev = this.#prev
    this.#prev = seq
    const entering = [...this.#fresh].filter(([, { position }]) => position < seq)
    let bytes = 0
    let more = wanted.length
    for (const frame of wanted) {
      more -= 1
      if (this.#settled.size > 0) this.#publish(this.#topic, textOf(this.subscription, frame, seq, prev, more))
      for (const [listener, place] of entering) {
        if (this.#fresh.has(listener)) listener.send(textOf(this.subscription, frame, seq, place.prev, more))
      }
      bytes += frame.head.length
      if (bytes >= CHUNK_BYTES && more > 0) {
        yield bytes
        bytes = 0
      }
    }
    for (const [listener] of entering) this.#settle(listener)
    yield bytes
  }

  /** Tells what belongs to no event: everybody, or with a position only those who have not come further. */
  announce(text: string, position = Number.POSITIVE_INFINITY): void {
    if (this.#settled.size > 0) this.#publish(this.#topic, text)
    for (const [listener, place] of this.#fresh) if (place.position <= position) listener.send(text)
  }

  #settle(listener: Listener): void {
    if (!this.#fresh.delete(listener)) return
    this.#settled.add(listener)
    listener.subscribe(this.#topic)
  }
}
