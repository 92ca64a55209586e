import { bucketOf, BUCKETS } from "../../engine/analytics/LatencyHistogram.ts"

/** Pairs of company and endpoint that are counted apart between two flushes: 6 MB at most. */
export const MAX_CELLS = 4_096

/** The endpoint that counts what there was no room for, of no company. */
export const OVERFLOW = "overflow"

const DAY = 86_400_000
const MICROS = 1e6

/** What one company asked of one endpoint. */
export class Cell {
  requests = 0
  clientErrors = 0
  serverErrors = 0
  readonly latency = new Uint32Array(BUCKETS)

  count(status: number, seconds: number): void {
    this.requests += 1
    if (status >= 500) this.serverErrors += 1
    else if (status >= 400) this.clientErrors += 1
    const bucket = bucketOf(seconds * MICROS)
    this.latency[bucket] = (this.latency[bucket] ?? 0) + 1
  }

  add(other: Cell): void {
    this.requests += other.requests
    this.clientErrors += other.clientErrors
    this.serverErrors += other.serverErrors
    for (const [bucket, count] of other.latency.entries()) this.latency[bucket] = (this.latency[bucket] ?? 0) + count
  }
}

/** A cell and what it counts. */
export interface CountedUsage {
  readonly companyId: string
  /** Days since 1970 in UTC. */
  readonly day: number
  readonly endpoint: string
  readonly cell: Cell
}

type Cells = Map<string, Map<string, Cell>>

/** Requests by company, endpoint and day, until they are taken. A request costs two look-ups and four additions. */
export class UsageCounts {
  readonly #now: () => number
  #day = 0
  /** When the day ends, in milliseconds since 1970. */
  #until = 0
  #cells: Cells = new Map()
  #size = 0
  /** Of days that have ended, and what could not be written. */
  #waiting: ReadonlyArray<CountedUsage> = []

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now
  }

  count(companyId: string, endpoint: string, status: number, seconds: number): void {
    const now = this.#now()
    if (now >= this.#until || now < this.#until - DAY) this.#begin(now)
    const cell = this.#cells.get(companyId)?.get(endpoint) ?? this.#make(companyId, endpoint)
    cell.count(status, seconds)
  }

  /** Everything counted since it was last taken: one cell for each company, day and endpoint. */
  take(): ReadonlyArray<CountedUsage> {
    this.#putAside()
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  /** Keeps what could not be written until it is taken again, as far as there is room: the rest counts as overflow. */
  restore(usage: ReadonlyArray<CountedUsage>): void {
    const all = new Map<string, CountedUsage>()
    for (const one of [...usage, ...this.#waiting]) {
      const isKept = all.size < MAX_CELLS
      const place = isKept || all.has(keyOf(one)) ? one : { ...one, companyId: "", endpoint: OVERFLOW }
      const known = all.get(keyOf(place))
      if (known === undefined) all.set(keyOf(place), place)
      else known.cell.add(one.cell)
    }
    this.#waiting = [...all.values()]
  }

  #begin(now: number): void {
    this.#putAside()
    this.#day = Math.floor(now / DAY)
    this.#until = (this.#day + 1) * DAY
  }

  #putAside(): void {
    const counted = this.#counted()
    this.#cells = new Map()
    this.#size = 0
    if (counted.length > 0) this.restore(counted)
  }

  #make(companyId: string, endpoint: string): Cell {
    if (this.#size >= MAX_CELLS && endpoint !== OVERFLOW) {
      return this.#cells.get("")?.get(OVERFLOW) ?? this.#make("", OVERFLOW)
    }
    const endpoints = this.#cells.get(companyId) ?? new Map<string, Cell>()
    const made = new Cell()
    endpoints.set(endpoint, made)
    this.#cells.set(companyId, endpoints)
    this.#size += 1
    return made
  }

  #counted(): ReadonlyArray<CountedUsage> {
    const day = this.#day
    return [...this.#cells].flatMap(([companyId, endpoints]) =>
      [...endpoints].map(([endpoint, cell]) => ({ companyId, day, endpoint, cell }))
    )
  }
}

const keyOf = ({ companyId, day, endpoint }: CountedUsage): string => `${companyId} ${day} ${endpoint}`
