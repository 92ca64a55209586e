import { Effect, type Fiber, Latch } from "effect"
import { TokenBucket } from "../http/TokenBucket.ts"
import type { Socket } from "../http/WebSocketRoutes.ts"
import type { Feed } from "./Feed.ts"
import { FRAME_BUDGET } from "./FrameBudget.ts"
import { type Group, type Place, textOf } from "./Group.ts"
import type { SequencedPrice } from "./PriceLog.ts"
import type { StreamEvent } from "./StreamEvent.ts"
import type { ConnectedCaller } from "./StreamAuthentication.ts"
import type { Subscription } from "./Subscription.ts"

/** Bytes that may wait before more is sent to a client that catches up. */
export const LOW_WATER_BYTES = 64 * 1_024

/** Characters sent in one go to a client that catches up. */
const CORK_LENGTH = 16 * 1_024

/** What a connection carries from its upgrade on. */
export interface ConnectionState {
  readonly caller: ConnectedCaller | undefined
  /** Set when the connection is open. */
  connection: Connection | undefined
}

export type StreamSocket = Socket<ConnectionState>

/** The source of a connection's live events. */
interface Seat {
  readonly feed: Feed
  readonly group: Group
}

/** One client: who it is, what it wants, and its position. */
export class Connection {
  readonly socket: StreamSocket
  readonly budget: TokenBucket
  /** Undefined if it is anonymous, or has become so. */
  caller: ConnectedCaller | undefined
  /** Undefined after all of it was ended. */
  subscription: Subscription | undefined
  /** The request whose answer is still to come: it is read or awaited first. */
  unanswered: { readonly id: string | undefined } | undefined
  readonly #room = Latch.makeUnsafe(false)
  #seat: Seat | undefined
  #place: Place = { position: 0, prev: 0 }
  #catchingUp: Fiber.Fiber<unknown, unknown> | undefined
  #pricing: Fiber.Fiber<unknown, unknown> | undefined

  constructor(socket: StreamSocket, caller: ConnectedCaller | undefined, now: number) {
    this.socket = socket
    this.caller = caller
    this.budget = new TokenBucket(FRAME_BUDGET, now)
  }

  get isCatchingUp(): boolean {
    return this.#catchingUp !== undefined
  }

  /** How far it has come while it catches up. */
  get place(): Place {
    return this.#place
  }

  /** Hears the events after its position. */
  sit(feed: Feed, place: Place): void {
    this.#catchingUp = undefined
    this.#place = place
    if (this.subscription === undefined) return
    this.#seat = { feed, group: feed.join(this.socket, this.subscription, place) }
  }

  /** Hears nothing more. Returns its position. */
  rise(): Place {
    this.#catchingUp?.interruptUnsafe()
    this.#catchingUp = undefined
    const seat = this.#seat
    if (seat === undefined) return this.#place
    this.#seat = undefined
    this.#place = seat.feed.leave(this.socket, seat.group)
    return this.#place
  }

  /** From here on its own fiber sends it events, until it joins the live feed. */
  catchUp(place: Place, fork: () => Fiber.Fiber<unknown, unknown>): void {
    this.#place = place
    const fiber = fork()
    if (this.#seat === undefined && fiber.pollUnsafe() === undefined) this.#catchingUp = fiber
  }

  /** From here on a fiber sends it every price, in place of one that did. */
  followPrices(fork: () => Fiber.Fiber<unknown, unknown>): void {
    this.endPrices()
    this.#pricing = fork()
  }

  endPrices(): void {
    this.#pricing?.interruptUnsafe()
    this.#pricing = undefined
  }

  /** Begins at a position. */
  begin(position: number): void {
    this.#place = { position, prev: position }
  }

  send(text: string): void {
    this.socket.send(text)
  }

  /** The runtime sent some of what waited. */
  drained(): void {
    this.#room.openUnsafe()
  }

  /** Waits until the client has read almost everything. */
  readonly hasRoom: Effect.Effect<void> = Effect.suspend(() => {
    if (this.socket.getBufferedAmount() <= LOW_WATER_BYTES) return Effect.void
    this.#room.closeUnsafe()
    return Effect.andThen(this.#room.await, this.hasRoom)
  })

  /** Tells of events at the client's own pace, and lets others on after each piece. */
  readonly tell = Effect.fnUntraced(function* (this: Connection, events: ReadonlyArray<StreamEvent>) {
    let texts: Array<string> = []
    let length = 0
    for (const event of events) {
      for (const text of this.#textsOf(event)) {
        texts.push(text)
        length += text.length
        if (length < CORK_LENGTH) continue
        this.#sendAll(texts)
        texts = []
        length = 0
        yield* Effect.yieldNow
        yield* this.hasRoom
      }
      this.#passed(event)
    }
    this.#sendAll(texts)
  })

  /** Tells prices at the client's own pace. */
  readonly tellPrices = Effect.fnUntraced(function* (this: Connection, prices: ReadonlyArray<SequencedPrice>) {
    let texts: Array<string> = []
    let length = 0
    for (const { frame, text } of prices) {
      if (this.subscription?.wantsPrice(frame) !== true) continue
      texts.push(text)
      length += text.length
      if (length < CORK_LENGTH) continue
      yield* this.hasRoom
      this.#sendAll(texts)
      texts = []
      length = 0
      yield* Effect.yieldNow
    }
    yield* this.hasRoom
    this.#sendAll(texts)
  })

  /** The length of what it wants of events. */
  lengthOf(events: ReadonlyArray<StreamEvent>): number {
    const { subscription } = this
    if (subscription === undefined) return 0
    let length = 0
    for (const { frames } of events) {
      for (const frame of frames) if (subscription.wants(frame)) length += frame.head.length
    }
    return length
  }

  /** Tells of events at once. */
  tellNow(events: ReadonlyArray<StreamEvent>): void {
    const texts: Array<string> = []
    for (const event of events) {
      texts.push(...this.#textsOf(event))
      this.#passed(event)
    }
    this.#sendAll(texts)
  }

  #textsOf({ frames, seq }: StreamEvent): ReadonlyArray<string> {
    const { subscription } = this
    if (subscription === undefined) return []
    const wanted = frames.filter((frame) => subscription.wants(frame))
    const { prev } = this.#place
    const { length } = wanted
    return wanted.map((one, index) => textOf(subscription, one, seq, prev, { frame: index + 1, frames: length }))
  }

  #passed({ frames, seq }: StreamEvent): void {
    const isTold = frames.some((frame) => this.subscription?.wants(frame) === true)
    this.#place = { position: seq, prev: isTold ? seq : this.#place.prev }
  }

  #sendAll(texts: ReadonlyArray<string>): void {
    if (texts.length === 0) return
    this.socket.cork(() => {
      for (const text of texts) this.socket.send(text)
    })
  }
}
