import type { Heartbeat, Position, ResyncRequired, Subscribed } from "../api/ArenaStreamProtocol.ts"
import type { Order, SequencedFrame, SnapshotFrame, WireFrame } from "./WireFrame.ts"

/** A place in a log of events. */
export type LogPosition = typeof Position.Type

/** All that was told of one event of the log. */
export interface CompleteEvent {
  readonly kind: "event"
  /** With all before it, this event has been told. */
  readonly position: LogPosition
  readonly frames: ReadonlyArray<SequencedFrame>
}

/** A new beginning: every order as it was at a position, in place of whatever was known. */
export interface NewState {
  readonly kind: "snapshot"
  readonly position: LogPosition
  readonly orders: ReadonlyArray<Order>
}

/** What was missed cannot be told. */
export interface Resync {
  readonly kind: "resync"
  readonly position: LogPosition
  readonly reason: (typeof ResyncRequired.Type)["data"]["reason"]
}

/** The server's frames do not follow from each other: something may be missing. */
export interface Breach {
  readonly kind: "breach"
  readonly what: string
}

export type Step = CompleteEvent | NewState | Resync | Breach | undefined

/**
 * A heartbeat is the server's word alone, until the next event names its `prev`. Within this distance the client asks
 * again for what a heartbeat called told; beyond it the log may be too long to be replayed, and the word must do.
 */
export const MAX_UNPROVEN_EVENTS = 50_000

const breach = (what: string): Breach => ({ kind: "breach", what })

/**
 * How far a consumer has come in the log, proven by the numbers of the frames: an event counts when its last frame is
 * there, and a snapshot when its last page is.
 */
export class StreamProgress {
  readonly #wantsSnapshot: boolean
  /** The last event that was told to its end, or where the subscription began. */
  #told: LogPosition | undefined
  /** What a heartbeat called told. */
  #heard = 0
  #asked: LogPosition | undefined
  #phase: "asked" | "snapshot" | "events" = "asked"
  #beginning: LogPosition | undefined
  #orders: Array<Order> = []
  #frames: Array<SequencedFrame> = []

  constructor(wantsSnapshot: boolean, from: LogPosition | undefined) {
    this.#wantsSnapshot = wantsSnapshot
    this.#told = from
    this.#heard = from?.seq ?? 0
  }

  /** Where to resume; undefined before a beginning. */
  get position(): LogPosition | undefined {
    const told = this.#told
    if (told === undefined || this.#heard - told.seq <= MAX_UNPROVEN_EVENTS) return told
    return { epoch: told.epoch, seq: this.#heard }
  }

  /** Whether the subscription stands and events follow. */
  get isLive(): boolean {
    return this.#phase === "events"
  }

  /** A new connection: what was told by half is forgotten. Answers where it resumes. */
  connect(): LogPosition | undefined {
    this.#phase = "asked"
    this.#frames = []
    this.#orders = []
    this.#asked = this.position
    return this.#asked
  }

  take(frame: WireFrame): Step {
    switch (frame.type) {
      case "subscribed":
        return this.#subscribed(frame.data)
      case "snapshot":
        return this.#snapshot(frame.data)
      case "heartbeat":
        return this.#heartbeat(frame.data)
      case "resync_required":
        return this.#resync(frame.data)
      case "event":
        return this.#event(frame.event)
      default:
        return undefined
    }
  }

  #resync({ epoch, reason, seq }: (typeof ResyncRequired.Type)["data"]): Step {
    if (this.#phase !== "asked" || this.#asked === undefined) return breach("a resync where nothing was resumed")
    this.#asked = undefined
    return { kind: "resync", position: { epoch, seq }, reason }
  }

  #subscribed({ epoch, seq }: (typeof Subscribed.Type)["data"]): Step {
    if (this.#phase !== "asked") return breach("a second subscription")
    const asked = this.#asked
    if (asked !== undefined && (epoch !== asked.epoch || seq !== asked.seq)) {
      return breach(`resumed at ${epoch}/${seq} in place of ${asked.epoch}/${asked.seq}`)
    }
    if (asked === undefined && this.#wantsSnapshot) {
      this.#beginning = { epoch, seq }
      this.#phase = "snapshot"
      return undefined
    }
    this.#begin({ epoch, seq })
    return undefined
  }

  #begin(position: LogPosition): void {
    this.#told = position
    this.#heard = position.seq
    this.#phase = "events"
  }

  #snapshot({ epoch, last, orders, seq }: SnapshotFrame["data"]): Step {
    const beginning = this.#beginning
    if (this.#phase !== "snapshot" || beginning === undefined) return breach("a snapshot that was not asked for")
    if (epoch !== beginning.epoch || seq !== beginning.seq) return breach("a snapshot of two moments")
    this.#orders.push(...orders)
    if (!last) return undefined
    const whole = this.#orders
    this.#orders = []
    this.#begin(beginning)
    return { kind: "snapshot", position: beginning, orders: whole }
  }

  #heartbeat({ epoch, seq }: (typeof Heartbeat.Type)["data"]): Step {
    const told = this.#told
    if (!this.isLive || told === undefined) return undefined
    if (epoch !== told.epoch) return breach(`a heartbeat of ${epoch} in ${told.epoch}`)
    if (seq < this.#heard) return breach(`a heartbeat at ${seq} after ${this.#heard}`)
    const half = this.#frames[0]
    if (half !== undefined && seq >= half.seq) return breach(`a heartbeat at ${seq} while ${half.seq} is not whole`)
    this.#heard = seq
    return undefined
  }

  #event(frame: SequencedFrame): Step {
    const told = this.#told
    if (!this.isLive || told === undefined) return breach(`event ${frame.seq} before the subscription`)
    if (frame.seq <= told.seq) return undefined
    if (!this.#follows(frame, told.seq)) {
      const half = this.#frames.at(-1)
      const place = half === undefined ? `${told.seq}` : `frame ${half.more} of ${half.seq}`
      return breach(`event ${frame.seq} after ${frame.prev}, ${frame.more} more, followed ${place}`)
    }
    this.#frames.push(frame)
    if (frame.more > 0) return undefined
    const frames = this.#frames
    const position = { epoch: told.epoch, seq: frame.seq }
    this.#frames = []
    this.#begin(position)
    return { kind: "event", position, frames }
  }

  #follows({ more, prev, seq }: SequencedFrame, told: number): boolean {
    const last = this.#frames.at(-1)
    if (last === undefined) return prev === told && seq > this.#heard
    return seq === last.seq && prev === last.prev && more === last.more - 1
  }
}
