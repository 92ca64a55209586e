import type { Heartbeat, Position, ResyncRequired, Subscribed } from "./Contract.ts"
import type { Order, SequencedFrame, SnapshotFrame, WireFrame } from "./WireFrame.ts"

/** A place in a log of events. */
export type LogPosition = Position

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
  readonly reason: ResyncRequired["data"]["reason"]
}

/** The server's frames do not follow from each other: something may be missing. */
export interface Breach {
  readonly kind: "breach"
  readonly what: string
}

export type Step = CompleteEvent | NewState | Resync | Breach | undefined

const breach = (what: string): Breach => ({ kind: "breach", what })

/**
 * How far a consumer has come in the log, proven by the numbers of the frames: an event counts when all its frames are
 * there, and a snapshot when all its pages are.
 */
export class StreamProgress {
  readonly #wantsSnapshot: boolean
  /** Where to resume: what lies before it was told, or not wanted. */
  #position: LogPosition | undefined
  /** The last event that was told to its end on this connection, or where the subscription began. */
  #told = 0
  #asked: LogPosition | undefined
  #phase: "asked" | "snapshot" | "events" = "asked"
  #beginning: LogPosition | undefined
  #orders: Array<Order> = []
  /** Pages of the snapshot that are there. */
  #pages = 0
  #frames: Array<SequencedFrame> = []

  constructor(wantsSnapshot: boolean, from: LogPosition | undefined) {
    this.#wantsSnapshot = wantsSnapshot
    this.#position = from
  }

  /** Where to resume; undefined before a beginning. */
  get position(): LogPosition | undefined {
    return this.#position
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
    this.#pages = 0
    this.#asked = this.#position
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

  #resync({ epoch, reason, seq }: ResyncRequired["data"]): Step {
    if (this.#phase !== "asked" || this.#asked === undefined) return breach("a resync where nothing was resumed")
    this.#asked = undefined
    return { kind: "resync", position: { epoch, seq }, reason }
  }

  #subscribed({ epoch, seq }: Subscribed["data"]): Step {
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
    this.#position = position
    this.#told = position.seq
    this.#phase = "events"
  }

  #snapshot({ epoch, orders, page, pages, seq }: SnapshotFrame["data"]): Step {
    const beginning = this.#beginning
    if (this.#phase !== "snapshot" || beginning === undefined) return breach("a snapshot that was not asked for")
    if (epoch !== beginning.epoch || seq !== beginning.seq) return breach("a snapshot of two moments")
    if (page !== this.#pages + 1 || page > pages) return breach(`page ${page} of ${pages} after page ${this.#pages}`)
    this.#pages = page
    this.#orders.push(...orders)
    if (page < pages) return undefined
    const whole = this.#orders
    this.#orders = []
    this.#begin(beginning)
    return { kind: "snapshot", position: beginning, orders: whole }
  }

  #heartbeat({ epoch, prev, seq }: Heartbeat["data"]): Step {
    const position = this.#position
    if (!this.isLive || position === undefined) return breach(`a heartbeat at ${seq} before the subscription`)
    if (epoch !== position.epoch) return breach(`a heartbeat of ${epoch} in ${position.epoch}`)
    if (seq < position.seq) return breach(`a heartbeat at ${seq} after ${position.seq}`)
    if (prev !== this.#told) return breach(`a heartbeat at ${seq} after ${prev}, followed ${this.#told}`)
    const half = this.#frames[0]
    if (half !== undefined && seq >= half.seq) return breach(`a heartbeat at ${seq} while ${half.seq} is not whole`)
    this.#position = { epoch, seq }
    return undefined
  }

  #event(frame: SequencedFrame): Step {
    const position = this.#position
    if (!this.isLive || position === undefined) return breach(`event ${frame.seq} before the subscription`)
    if (frame.seq <= this.#told) return undefined
    if (!this.#follows(frame, position.seq)) {
      const half = this.#frames.at(-1)
      const place = half === undefined ? `${this.#told}` : `frame ${half.frame} of ${half.frames} of ${half.seq}`
      const { frame: index, frames, prev, seq } = frame
      return breach(`frame ${index} of ${frames} of event ${seq} after ${prev}, followed ${place}`)
    }
    this.#frames.push(frame)
    if (frame.frame < frame.frames) return undefined
    const frames = this.#frames
    const reached = { epoch: position.epoch, seq: frame.seq }
    this.#frames = []
    this.#begin(reached)
    return { kind: "event", position: reached, frames }
  }

  #follows({ frame, frames, prev, seq }: SequencedFrame, position: number): boolean {
    if (prev !== this.#told || frame > frames || frame !== this.#frames.length + 1) return false
    const last = this.#frames.at(-1)
    return last === undefined ? seq > position : seq === last.seq && frames === last.frames
  }
}
