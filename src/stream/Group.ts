import type { Frame, StreamEvent } from "./StreamEvent.ts"
import type { Subscription } from "./Subscription.ts"

/** Bytes that are sent without a pause for readers. */
export const CHUNK_BYTES = 65_536

/** A connection, as the runtime's fan-out knows it. */
export interface Listener {
  readonly send: (text: string) => unknown
  readonly subscribe: (topic: string) => unknown
  readonly unsubscribe: (topic: string) => unknown
}

/** Sends a text to every subscriber of a topic. */
export type Publish = (topic: string, text: string) => void

/** A listener's position. */
export interface Place {
  /** Events up to it were sent, or were not wanted. */
  readonly position: number
  /** The event sent last, else the beginning of the subscription. */
  readonly prev: number
}

/** The number of a frame among the frames of its event for a subscription, from 1. */
export interface Count {
  readonly frame: number
  readonly frames: number
}

/** A frame's whole text: with its place in the log where the subscription is sequenced. */
export const textOf = (
  { isSequenced }: Subscription,
  { head }: Frame,
  seq: number,
  prev: number,
  { frame, frames }: Count
): string => (isSequenced ? `${head},"seq":${seq},"prev":${prev},"frame":${frame},"frames":${frames}}` : `${head}}`)

/**
 * The listeners of one subscription. A message is serialized once and handed to the runtime's fan-out. A new listener
 * gets its first event alone, because its `prev` differs.
 */
export class Group {
  readonly subscription: Subscription
  readonly #topic: string
  readonly #publish: Publish
  readonly #settled = new Set<Listener>()
  readonly #fresh = new Map<Listener, Place>()
  /** The position of the settled listeners. An event that is being sent does not count. */
  #place: Place

  constructor(subscription: Subscription, topic: string, publish: Publish, position: number) {
    this.subscription = subscription
    this.#topic = topic
    this.#publish = publish
    this.#place = { position, prev: position }
  }

  get size(): number {
    return this.#settled.size + this.#fresh.size
  }

  join(listener: Listener, place: Place): void {
    this.#fresh.set(listener, place)
  }

  /** Removes a listener. Returns its position: an event that was sent only in part does not count. */
  leave(listener: Listener): Place {
    const place = this.#fresh.get(listener)
    this.#fresh.delete(listener)
    if (this.#settled.delete(listener)) listener.unsubscribe(this.#topic)
    return place === undefined ? this.#place : this.#reached(place)
  }

  /** Sends an event in pieces of {@link CHUNK_BYTES}, and yields the length of each. */
  *tell({ frames: all, seq }: StreamEvent): Generator<number, void> {
    const { subscription } = this
    const wanted = all.filter((frame) => subscription.wants(frame))
    const frames = wanted.length
    if (frames === 0) {
      this.#place = { position: seq, prev: this.#place.prev }
      return
    }
    const { prev } = this.#place
    const entering = [...this.#fresh].filter(([, { position }]) => position < seq)
    let bytes = 0
    for (const [index, one] of wanted.entries()) {
      const count = { frame: index + 1, frames }
      if (this.#settled.size > 0) this.#publish(this.#topic, textOf(subscription, one, seq, prev, count))
      for (const [listener, place] of entering) {
        if (this.#fresh.has(listener)) listener.send(textOf(subscription, one, seq, place.prev, count))
      }
      bytes += one.head.length
      if (bytes >= CHUNK_BYTES && count.frame < frames) {
        yield bytes
        bytes = 0
      }
    }
    for (const [listener] of entering) this.#settle(listener)
    this.#place = { position: seq, prev: seq }
    yield bytes
  }

  /** Sends everybody a message that belongs to no event. */
  announce(text: string): void {
    if (this.#settled.size > 0) this.#publish(this.#topic, text)
    for (const listener of this.#fresh.keys()) listener.send(text)
  }

  /** Sends everybody its position. */
  heartbeat(textOf: (place: Place) => string): void {
    if (this.#settled.size > 0) this.#publish(this.#topic, textOf(this.#place))
    for (const [listener, place] of this.#fresh) listener.send(textOf(this.#reached(place)))
  }

  /** The position of a listener that was sent nothing here. */
  #reached({ position, prev }: Place): Place {
    return { position: Math.max(position, this.#place.position), prev }
  }

  #settle(listener: Listener): void {
    if (!this.#fresh.delete(listener)) return
    this.#settled.add(listener)
    listener.subscribe(this.#topic)
  }
}
