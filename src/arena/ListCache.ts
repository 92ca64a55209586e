import { Clock, Effect } from "effect"
import { Readings } from "../Readings.ts"
import { SpreadAges } from "../SpreadAges.ts"

/** Rows of lists that are kept, of all of them together. The list that was asked for longest ago makes room. */
export const MAX_KEPT_ROWS = 50_000

/** What a list itself counts, in rows. */
const LIST_WEIGHT = 2

/** Milliseconds that a list is kept after it was read: a change that nobody reported stays unseen for so long at most. */
export const MAX_AGE = 10_000

/** Rows that may be added to a list while it is read. With more of them it is not kept. */
export const MAX_MISSED = 1_000

/** A row of a list. */
interface Placed {
  /** It grows from each row that is added to the next. */
  readonly seq: number
}

/** A list as it is at one moment. */
export interface Grown<Row, Head = undefined> {
  readonly head: Head
  /** Its rows in its own order, to which others are added at the end: all of them, or those that were added last. */
  readonly rows: ReadonlyArray<Row>
  /** How many rows it has, with those that are not here. */
  readonly total: number
}

interface Kept<Row, Head> extends Grown<Row, Head> {
  readonly rows: Array<Row>
  total: number
  /** The highest sequence of its rows, or 0. */
  seq: number
  /** From when on it is read again, in milliseconds since 1970. */
  readonly until: number
  readonly about: Set<string>
}

/** A list that is being read. */
interface Reading<Row> {
  readonly missed: Array<Row>
  isOutdated: boolean
}

const outdate = (reading: Reading<unknown>): void => {
  reading.isOutdated = true
}

export interface ListCacheOptions<Row> {
  /** What a row is about, so that a change of that makes its list outdated. */
  readonly aboutOf: (row: Row) => string | undefined
  /** The rows of one list that are kept at least, where it has so many; all of them unless it is said. */
  readonly window?: number
  readonly maxRows?: number
  /** Whether all changes were reported. While they were not, no list is found or kept. */
  readonly isCertain: () => boolean
}

/**
 * Lists to which rows are added at the end, in memory: each is read once and then told of every row, so that whoever was told
 * of a row finds it without waiting for the tables. Any other change of a row drops its list, and it is read again.
 */
export class ListCache<Row extends Placed, Head = undefined> {
  readonly #options: ListCacheOptions<Row>
  readonly #window: number
  readonly #maxRows: number
  /** The one that was asked for last is the last. */
  readonly #kept = new Map<string, Kept<Row, Head>>()
  readonly #ages = new SpreadAges(MAX_AGE)
  readonly #keysAbout = new Map<string, Set<string>>()
  readonly #readings = new Readings<Reading<Row>>()
  #rows = 0

  constructor(options: ListCacheOptions<Row>) {
    this.#options = options
    this.#window = options.window ?? Number.POSITIVE_INFINITY
    this.#maxRows = options.maxRows ?? MAX_KEPT_ROWS
  }

  /** The contents: lists, their rows, what they are about, and the lists that are being read. */
  get size(): Readonly<Record<"lists" | "rows" | "subjects" | "readings", number>> {
    const { size: readings } = this.#readings
    return { lists: this.#kept.size, rows: this.#rows, subjects: this.#keysAbout.size, readings }
  }

  /** A list that is kept, at `now` in milliseconds since 1970. */
  find(key: string, now: number): Grown<Row, Head> | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined || !this.#options.isCertain()) return undefined
    if (now >= kept.until) return void this.#drop(key)
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept
  }

  /**
   * Reads a list, and keeps it.
   *
   * @param read - begins after this is called, and sees every row that was reported before
   */
  read<E, R>(key: string, read: Effect.Effect<Grown<Row, Head>, E, R>): Effect.Effect<Grown<Row, Head>, E, R> {
    return Effect.flatMap(Clock.currentTimeMillis, (at) =>
      this.#readings.run(
        key,
        (): Reading<Row> => ({ missed: [], isOutdated: false }),
        read,
        (found, reading) => this.#keep(key, found, reading, at)
      )
    )
  }

  /** Reports that a row was added, before anybody else hears of it. It is made only where somebody keeps it. */
  add(key: string, seq: number, make: () => Row): void {
    const readings = this.#readings.of(key)
    const kept = this.#kept.get(key)
    if (kept === undefined && readings.size === 0) return
    const row = make()
    for (const reading of readings) {
      if (reading.missed.length < MAX_MISSED) reading.missed.push(row)
      else reading.isOutdated = true
    }
    if (kept === undefined || seq <= kept.seq) return
    this.#append(key, kept, row)
    if (kept.rows.length > 2 * this.#window) this.#rows -= kept.rows.splice(0, kept.rows.length - this.#window).length
    this.#makeRoom()
  }

  /** Reports any other change of something: of a list of this name, or of what rows are about. */
  outdate(subject: string): void {
    this.#readings.each(outdate)
    this.#drop(subject)
    for (const key of this.#keysAbout.get(subject) ?? []) this.#drop(key)
  }

  #keep(key: string, found: Grown<Row, Head>, { isOutdated, missed }: Reading<Row>, at: number): void {
    if (isOutdated || !this.#options.isCertain()) return
    this.#drop(key)
    const { head, rows, total } = found
    const until = at + this.#ages.next()
    const kept: Kept<Row, Head> = { head, rows: [], total: total - rows.length, seq: 0, until, about: new Set() }
    this.#kept.set(key, kept)
    for (const row of rows) this.#append(key, kept, row)
    for (const row of missed) if (row.seq > kept.seq) this.#append(key, kept, row)
    this.#makeRoom()
  }

  #append(key: string, kept: Kept<Row, Head>, row: Row): void {
    kept.rows.push(row)
    kept.total += 1
    kept.seq = Math.max(kept.seq, row.seq)
    this.#rows += 1
    const subject = this.#options.aboutOf(row)
    if (subject === undefined || kept.about.has(subject)) return
    kept.about.add(subject)
    const keys = this.#keysAbout.get(subject) ?? new Set()
    this.#keysAbout.set(subject, keys.add(key))
  }

  #makeRoom(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#rows + LIST_WEIGHT * this.#kept.size <= this.#maxRows) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    this.#kept.delete(key)
    this.#rows -= kept.rows.length
    for (const subject of kept.about) {
      const keys = this.#keysAbout.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysAbout.delete(subject)
    }
  }
}
