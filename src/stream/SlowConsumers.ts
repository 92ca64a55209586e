import { CLOSE } from "../api/ArenaStreamProtocol.ts"

/** Bytes that may wait for one client. Beyond that it is closed: the stream never leaves anything out silently. */
export const MAX_BUFFERED_BYTES = 256 * 1_024

/** Bytes sent between two checks of the buffers, far below what the runtime buffers before it drops. */
export const LOOK_BYTES = 64 * 1_024

/** How long a client may take to answer a protocol ping, and to read its requested events, in milliseconds. */
export const MAX_SILENCE = 30_000

/**
 * The most bytes that wait for one client: the limit, and what is sent until the next check. The runtime would begin to
 * drop at three times as much.
 */
export const MAX_HELD_BYTES = MAX_BUFFERED_BYTES + 2 * LOOK_BYTES

/** How long the runtime keeps the buffer of a closed client that does not read, in milliseconds. */
const LINGER = 15_000

/** A connection whose reading is watched. */
export interface Reader {
  readonly getBufferedAmount: () => number
  readonly ping: (data: string) => unknown
  /** Set if the runtime asks for signs of life itself, and closes clients that give none. */
  readonly pingsByItself?: true
  readonly close: (code: number, reason: string) => void
}

interface WatchedReader {
  /** A connection that catches up waits for its own buffer. */
  readonly isCatchingUp: () => boolean
  /** Called once when the reader is found to be too slow, before it is closed. */
  readonly dropped: () => void
  /** The ping that has no answer yet. */
  awaited: { readonly data: string; readonly since: number } | undefined
}

/**
 * Closes slow readers with 4408: more than {@link MAX_BUFFERED_BYTES} wait for them, or they have not answered a ping
 * for {@link MAX_SILENCE}, because megabytes hide in the kernel first.
 */
export class SlowConsumers {
  readonly #watched = new Map<Reader, WatchedReader>()
  readonly #held: (bytes: number) => void
  /** What waited for readers when they were closed, and until when it may. */
  #closed: Array<{ readonly bytes: number; readonly until: number }> = []
  #unlooked = 0
  #pings = 0

  /** Each check tells `held` how many bytes wait for all readers together. */
  constructor(held: (bytes: number) => void) {
    this.#held = held
  }

  watch(reader: Reader, isCatchingUp: () => boolean, dropped: () => void): void {
    this.#watched.set(reader, { isCatchingUp, dropped, awaited: undefined })
  }

  forget(reader: Reader): void {
    this.#watched.delete(reader)
  }

  /** The reader answered a ping: it has read all that was sent before it. */
  answered(reader: Reader, data: string): void {
    const watch = this.#watched.get(reader)
    if (watch?.awaited?.data === data) watch.awaited = undefined
  }

  /** So many bytes were sent to everybody. */
  sent(bytes: number, now: number): void {
    this.#unlooked += bytes
    if (this.#unlooked >= LOOK_BYTES) this.look(now)
  }

  /** Closes the readers for whom too much waits. */
  look(now: number): void {
    this.#unlooked = 0
    let held = 0
    for (const [reader, watch] of this.#watched) {
      const bytes = reader.getBufferedAmount()
      if (bytes > MAX_BUFFERED_BYTES && !watch.isCatchingUp()) this.drop(reader, now)
      else held += bytes
    }
    this.#closed = this.#closed.filter(({ until }) => now < until)
    this.#held(this.#closed.reduce((sum, { bytes }) => sum + bytes, held))
  }

  /** Asks every reader for a sign, and closes those that gave none for too long. */
  check(now: number): void {
    this.look(now)
    this.#pings += 1
    const data = String(this.#pings)
    for (const [reader, watch] of this.#watched) {
      if (reader.pingsByItself === true) continue
      if (watch.awaited === undefined) {
        watch.awaited = { data, since: now }
        reader.ping(data)
      } else if (now - watch.awaited.since >= MAX_SILENCE) {
        this.drop(reader, now)
      }
    }
  }

  /** Closes a reader as too slow. */
  drop(reader: Reader, now: number): void {
    const watch = this.#watched.get(reader)
    if (watch === undefined) return
    this.#watched.delete(reader)
    this.#closed.push({ bytes: reader.getBufferedAmount(), until: now + LINGER })
    watch.dropped()
    reader.close(CLOSE.tooSlow, "This client reads too slowly.")
  }
}
