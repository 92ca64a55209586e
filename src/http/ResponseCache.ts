import { Clock, Effect } from "effect"
import { Readings } from "../Readings.ts"

/** Bytes of answers that are kept. The answer kept longest makes room. */
export const MAX_KEPT_BYTES = 32 * 1024 * 1024

/** Changed subjects that are remembered while something is being read. Beyond that none of those readings is kept. */
export const MAX_CHANGES = 10_000

/** The approximate cost in bytes of keeping an answer beside its body, and of each of its subjects. */
const OVERHEAD = 256

/** An answer of status 200 as it is sent. */
export interface Answer {
  /** UTF-8 JSON. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Those that only this answer has, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer with its subjects. */
export interface Read {
  readonly answer: Answer
  readonly about: ReadonlyArray<string>
}

interface Kept extends Read {
  /** When it was read, in milliseconds since 1970. */
  readonly at: number
  readonly bytes: number
}

/** Something that is being read. A change since its beginning makes it outdated. */
interface Reading {
  readonly begun: number
}

export interface Bounds {
  /** Milliseconds that an answer is kept: an unreported change stays unseen for at most so long. */
  readonly maxAge: number
  readonly maxBytes?: number
  /** Whether all changes were reported. While they were not, nothing is kept or found. */
  readonly isCertain?: () => boolean
}

/**
 * Answers in memory, by key, each with its subjects. A change of a subject drops every answer about it, and no reading
 * that began before it is kept. A caller that hears of a change after it was reported here never reads the state before
 * it.
 */
export class ResponseCache {
  readonly #maxAge: number
  readonly #maxBytes: number
  readonly #isCertain: () => boolean
  readonly #kept = new Map<string, Kept>()
  readonly #keys = new Map<string, Set<string>>()
  readonly #readings = new Readings<Reading>()
  /** When each subject changed last, while something is read. */
  readonly #changes = new Map<string, number>()
  #now = 0
  /** Readings that began before are not kept. */
  #earliest = 0
  #bytes = 0

  constructor({ isCertain = () => true, maxAge, maxBytes = MAX_KEPT_BYTES }: Bounds) {
    this.#maxAge = maxAge
    this.#maxBytes = maxBytes
    this.#isCertain = isCertain
  }

  /**
   * The contents: answers, their approximate bytes, their subjects, and the changes that are remembered for readings.
   */
  get size(): Readonly<Record<"answers" | "bytes" | "subjects" | "readings" | "changes", number>> {
    return {
      answers: this.#kept.size,
      bytes: this.#bytes,
      subjects: this.#keys.size,
      readings: this.#readings.size,
      changes: this.#changes.size
    }
  }

  find(key: string, now: number): Answer | undefined {
    const kept = this.#kept.get(key)
    return kept === undefined || now - kept.at >= this.#maxAge || !this.#isCertain() ? undefined : kept.answer
  }

  /** The kept answer, else one that is read, which is kept unless it is outdated by then. */
  of<E, R>(key: string, read: Effect.Effect<Read, E, R>): Effect.Effect<Answer, E, R> {
    return Effect.flatMap(Clock.currentTimeMillis, (at) => {
      const kept = this.find(key, at)
      return kept === undefined ? this.#reading(key, at, read) : Effect.succeed(kept)
    })
  }

  /** Reports that a subject changed, before anybody else hears of it. */
  outdate(subject: string): void {
    if (this.#readings.size > 0) this.#remember(subject)
    for (const key of this.#keys.get(subject) ?? []) this.#drop(key)
  }

  #reading<E, R>(key: string, at: number, read: Effect.Effect<Read, E, R>): Effect.Effect<Answer, E, R> {
    const answered = this.#readings.run(
      key,
      (): Reading => ({ begun: this.#now }),
      read,
      (found, reading) => {
        if (this.#isFresh(reading, found)) this.#keep(key, found, at)
      }
    )
    return Effect.map(
      Effect.ensuring(
        answered,
        Effect.sync(() => this.#forget())
      ),
      ({ answer }) => answer
    )
  }

  /** No change is missed where nothing is being read. */
  #forget(): void {
    if (this.#readings.size === 0) this.#changes.clear()
  }

  #remember(subject: string): void {
    this.#now += 1
    this.#changes.set(subject, this.#now)
    if (this.#changes.size <= MAX_CHANGES) return
    this.#earliest = this.#now
    this.#changes.clear()
  }

  #isFresh({ begun }: Reading, { about }: Read): boolean {
    return (
      begun >= this.#earliest &&
      this.#isCertain() &&
      about.every((subject) => (this.#changes.get(subject) ?? 0) <= begun)
    )
  }

  #keep(key: string, { about, answer }: Read, at: number): void {
    this.#drop(key)
    const bytes = answer.body.byteLength + OVERHEAD * (1 + about.length)
    this.#kept.set(key, { answer, about, at, bytes })
    this.#bytes += bytes
    for (const subject of about) {
      const keys = this.#keys.get(subject)
      if (keys === undefined) this.#keys.set(subject, new Set([key]))
      else keys.add(key)
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    this.#kept.delete(key)
    this.#bytes -= kept.bytes
    for (const subject of kept.about) {
      const keys = this.#keys.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) this.#keys.delete(subject)
    }
  }
}
