import { CLOSE } from "../api/ArenaStreamProtocol.ts"

/** Bytes that may wait for one client. Beyond them it is closed: nothing is ever left out silently. */
export const MAX_BUFFERED_BYTES = 256 * 1_024

/** Bytes told between two looks at what waits, far below what the runtime buffers before it drops. */
export const LOOK_BYTES = 64 * 1_024

/** How long a client may take to answer a protocol ping, and to read what it asked for, in milliseconds. */
export const MAX_SILENCE = 30_000

/** How long a closed client may take to read the rest, in milliseconds. */
const LINGER = 10_000

/** A connection whose reading is watched. */
export interface Reader {
  readonly getBufferedAmount: () => number
  readonly ping: (data: string) => unknown
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
}

interface Watch {
  /** A connection that catches up waits for its own buffer. */
  readonly isCatchingUp: () => boolean
  /** Called once when the reader is found to be too slow, before it is closed. */
  readonly dropped: () => void
  /** The ping that has no answer yet. */
  awaited: { readonly data: string; readonly since: number } | undefined
}

/**
 * Closes with 4408 whoever reads too slowly: more than {@link MAX_BUFFERED_BYTES} wait for it, or it has not answered a
 * ping for {@link MAX_SILENCE}, because megabytes hide in the kernel first.
 */
export class SlowConsumers {
  readonly #watched = new Map<Reader, Watch>()
  readonly #closing = new Map<Reader, number>()
  #unlooked = 0
  #pings = 0

  watch(reader: Reader, isCatchingUp: () => boolean, dropped: () => void): void {
    this.#watched.set(reader, { isCatchingUp, dropped, awaited: undefined })
  }

  forget(reader: Reader): void {
    this.#watched.delete(reader)
    this.#closing.delete(reader)
  }

  /** The reader answered a ping: it has read all that was sent before it. */
  answered(reader: Reader, data: string): void {
    const watch = this.#watched.get(reader)
    if (watch?.awaited?.data === data) watch.awaited = undefined
  }

  /** So many bytes were told to everybody. */
  sent(bytes: number, now: number): void {
    this.#unlooked += bytes
    if (this.#unlooked >= LOOK_BYTES) this.look(now)
  }

  /** Closes those for whom too much waits. */
  look(now: number): void {
    this.#unlooked = 0
    for (const [reader, watch] of this.#watched) {
      if (reader.getBufferedAmount() > MAX_BUFFERED_BYTES && !watch.isCatchingUp()) this.drop(reader, now)
    }
  }

  /** Asks every reader for a sign, and closes those that gave none for too long. */
  check(now: number): void {
    this.look(now)
    this.#pings += 1
    const data = String(this.#pings)
    for (const [reader, watch] of this.#watched) {
      if (watch.awaited === undefined) {
        watch.awaited = { data, since: now }
        reader.ping(data)
      } else if (now - watch.awaited.since >= MAX_SILENCE) {
        this.drop(reader, now)
      }
    }
    for (const [reader, since] of this.#closing) {
      if (now - since < LINGER) continue
      this.#closing.delete(reader)
      reader.terminate()
    }
  }

  /** Closes a reader as too slow. */
  drop(reader: Reader, now: number): void {
    const watch = this.#watched.get(reader)
    if (watch === undefined) return
    this.#watched.delete(reader)
    this.#closing.set(reader, now)
    watch.dropped()
    reader.close(CLOSE.tooSlow, "This client reads too slowly.")
  }
}
