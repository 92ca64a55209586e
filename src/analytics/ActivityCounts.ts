import {
  type Activity,
  activitiesOf,
  type ActivityName,
  isCounted,
  type Party
} from "../../engine/analytics/Activity.ts"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"

/** Cells kept between two flushes. */
export const MAX_CELLS = 4_096

/** Events kept that were committed while those before them are read; beyond it they are read too. */
export const MAX_WAITING = 2_000

const DAY = 86_400_000

/** How often somebody did something on a day, and what it moved. */
export interface ActivityCell {
  readonly by: Party
  /** Days since 1970 in UTC. */
  readonly day: number
  readonly name: ActivityName
  times: number
  /** USD, in 10⁻⁶. */
  volume: bigint
}

/** Events folded from one place in the journal to another. */
export interface Folded {
  readonly cells: ReadonlyArray<ActivityCell>
  /** The last event that was counted before them. */
  readonly from: number
  /** The last that they count. */
  readonly to: number
}

/** An event that was told of before those that precede it were read; undefined for one that is counted as nothing. */
interface Waiting {
  readonly seq: number
  readonly event: PlatformEvent | undefined
}

const nameOf = (by: Party): string => ("companyId" in by ? by.companyId : by.userId)

/** Cells by day, by what was done and by who did it. */
type Days = Map<number, Map<ActivityName, Map<string, ActivityCell>>>

/** The map under a key of another, which is made where there is none. */
const within = <K, K2, V>(maps: Map<K, Map<K2, V>>, key: K): Map<K2, V> => {
  const known = maps.get(key)
  if (known !== undefined) return known
  const made = new Map<K2, V>()
  maps.set(key, made)
  return made
}

/**
 * Folds events into what was done, each once and in the order of their sequence. An event that does not follow the last
 * one is not taken: it has to be read from the journal. One that was told of waits for those before it, so that reading
 * comes to an end however much is committed meanwhile.
 */
export class ActivityCounts {
  #days: Days = new Map()
  #size = 0
  #from: number
  #to: number
  #isBehind = true
  /** Each follows the one before. */
  #waiting: Array<Waiting> = []

  /** @param position - the last event that is counted elsewhere */
  constructor(position: number) {
    this.#from = position
    this.#to = position
  }

  /** The last event that was taken. */
  get position(): number {
    return this.#to
  }

  /** Whether there are, or may be, events that must be read. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  get isFull(): boolean {
    return this.#size >= MAX_CELLS
  }

  /** Says that all events until now are about to be read; one that is left out from now on says otherwise. */
  caughtUp(): void {
    this.#isBehind = false
  }

  /** Says that there may be more to read. */
  fellBehind(): void {
    this.#isBehind = true
  }

  /** Takes the next event, undefined for one that is counted as nothing. False: it has to be read later. */
  take(seq: number, event: PlatformEvent | undefined): boolean {
    if (seq <= this.#to) return true
    if (seq !== this.#to + 1 || this.isFull) {
      this.#isBehind = true
      return false
    }
    this.#count(seq, event)
    if (this.#waiting.length > 0) this.#takeWaiting()
    return true
  }

  /** Takes events as they are committed. */
  readonly listen = (events: ReadonlyArray<Recorded<PlatformEvent>>): void => {
    for (const { event, seq } of events) {
      const counted = isCounted(event._tag) ? event : undefined
      if (!this.take(seq, counted)) this.#wait({ seq, event: counted })
    }
  }

  /** What was folded since the last time. */
  folded(): Folded {
    const cells = [...this.#days.values()].flatMap((day) => [...day.values()].flatMap((named) => [...named.values()]))
    const folded = { cells, from: this.#from, to: this.#to }
    this.#days = new Map()
    this.#size = 0
    this.#from = this.#to
    return folded
  }

  /** Forgets all: the events after this place have to be read. */
  restart(position: number): void {
    this.#days = new Map()
    this.#size = 0
    this.#from = position
    this.#to = position
    this.#waiting = []
    this.#isBehind = true
  }

  #count(seq: number, event: PlatformEvent | undefined): void {
    this.#to = seq
    if (event !== undefined) for (const activity of activitiesOf(event)) this.#add(activity)
  }

  #wait(waiting: Waiting): void {
    const follows = this.#waiting.at(-1)?.seq === waiting.seq - 1
    if (!follows || this.#waiting.length >= MAX_WAITING) this.#waiting = []
    this.#waiting.push(waiting)
  }

  /** Takes those that the last one taken reaches. */
  #takeWaiting(): void {
    const [first] = this.#waiting
    if (first === undefined || first.seq > this.#to + 1) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const { event, seq } of waiting) {
      if (seq <= this.#to) continue
      if (this.isFull) return this.fellBehind()
      this.#count(seq, event)
    }
  }

  #add({ at, by, name, volume }: Activity): void {
    const day = Math.floor(at / DAY)
    const who = nameOf(by)
    const cells = within(within(this.#days, day), name)
    const known = cells.get(who)
    if (known === undefined) {
      this.#size += 1
      cells.set(who, { by, day, name, times: 1, volume })
      return
    }
    known.times += 1
    known.volume += volume
  }
}
