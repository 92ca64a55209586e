/** Brings the tables up to the journal, several groups in a transaction. */

import { Cause, Effect, Exit, Latch, Metric } from "effect"
import type { AppendedGroup } from "./AppendedGroup.ts"
import { type Deposed, displaced, missing } from "./Deposed.ts"
import type { JournalEnd } from "./JournalRow.ts"
import type { WritePorts } from "./WritePorts.ts"

/** Entries that the tables get in one transaction, unless a single group has more. */
export const MAX_CYCLE_ENTRIES = 2_000

/** With so many entries the tables do not wait for more. */
const MANY_ENTRIES = 1_000

/**
 * How long the tables wait for more while nobody reads, in milliseconds: with 10 instead, a commitment took PostgreSQL a
 * fifth more, and with 100 a twentieth less. But what another node reads and tells waits for the tables.
 */
const CYCLE_DELAY = 50

/** The pause before a failed cycle is tried again, in milliseconds. */
const RETRY_DELAY = 100

/** Entries that the tables may lack before the writer waits for them. */
export const MAX_UNPROJECTED_ENTRIES = 50_000

const cycleSize = Metric.histogram("emporion_projection_cycle_entries", {
  description: "Entries that the tables get in one transaction",
  boundaries: Metric.exponentialBoundaries({ start: 1, factor: 2, count: 13 })
})

const lag = Metric.gauge("emporion_projection_lag_entries", {
  description: "Entries of the journal that the tables did not have when they were last written"
})

/** Groups that are in the journal and not in the tables, in order. */
export class Unprojected {
  readonly #groups: Array<AppendedGroup> = []
  /** The sequence of the last event that the tables have. */
  projected = 0
  readonly arrival = Latch.makeUnsafe(false)
  readonly urgent = Latch.makeUnsafe(false)
  readonly room = Latch.makeUnsafe(true)
  #entries = 0
  #isClosed = false
  #removed: (groups: ReadonlyArray<AppendedGroup>, seq: number) => void = () => {}

  get groups(): ReadonlyArray<AppendedGroup> {
    return this.#groups
  }

  get entries(): number {
    return this.#entries
  }

  /**
   * How far the lag is beyond half of its bound: 0 up to there, 1 at {@link MAX_UNPROJECTED_ENTRIES}, or if the tables
   * take no more.
   */
  get crowding(): number {
    if (this.#isClosed) return 1
    return Math.min(1, Math.max(0, (2 * this.#entries) / MAX_UNPROJECTED_ENTRIES - 1))
  }

  /** Whether more may be appended. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#entries < MAX_UNPROJECTED_ENTRIES
  }

  /** Whether the tables take no more, because one of them refused a row. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The tables take no more. */
  close(): void {
    this.#isClosed = true
    this.room.closeUnsafe()
  }

  add(group: AppendedGroup): void {
    this.#groups.push(group)
    this.#entries += group.settled.recorded.length
    this.arrival.openUnsafe()
    if (this.#entries >= MANY_ENTRIES) this.urgent.openUnsafe()
    if (!this.hasRoom) this.room.closeUnsafe()
  }

  /** The first groups, as many as one transaction takes. */
  next(): ReadonlyArray<AppendedGroup> {
    let entries = 0
    let count = 0
    for (const { settled } of this.#groups) {
      if (count > 0 && entries + settled.recorded.length > MAX_CYCLE_ENTRIES) break
      entries += settled.recorded.length
      count += 1
    }
    return this.#groups.slice(0, count)
  }

  /** Registers who hears of groups that the tables have, with their last sequence. */
  onRemoved(listener: (groups: ReadonlyArray<AppendedGroup>, seq: number) => void): void {
    this.#removed = listener
  }

  /** The tables have the first groups. */
  remove(count: number, seq: number): void {
    const removed = this.#groups.splice(0, count)
    for (const { settled } of removed) this.#entries -= settled.recorded.length
    this.projected = seq
    this.#removed(removed, seq)
    if (this.#groups.length === 0) this.arrival.closeUnsafe()
    if (this.#entries < MANY_ENTRIES) this.urgent.closeUnsafe()
    if (this.hasRoom) this.room.openUnsafe()
  }
}

/** What the projector needs. */
export type ProjectorPorts = Pick<WritePorts, "tables" | "term" | "position">

/**
 * How many of these groups the tables have after all. A transaction without an answer may still commit, even after the
 * next look, and then without the groups that came since.
 */
const looking = ({ tables, term }: ProjectorPorts) => {
  const look = Effect.fnUntraced(function* (groups: ReadonlyArray<AppendedGroup>, from: number) {
    yield* term.check
    yield* Effect.sleep(RETRY_DELAY)
    const end = groups.at(-1)?.end
    if (end !== undefined && !(yield* tables.isAppended(end))) return yield* term.resign(missing(end.seq))
    const seq = yield* tables.projected
    if (seq === from) return 0
    const last = groups.findIndex(({ end }) => end.seq === seq)
    return last === -1 ? yield* term.resign(displaced(from, seq)) : last + 1
  })
  return (groups: ReadonlyArray<AppendedGroup>, from: number): Effect.Effect<number, Deposed> =>
    Effect.catchTag(look(groups, from), "JournalUnavailable", () => Effect.succeed(0))
}

export interface Projector {
  /** For ever. */
  readonly run: Effect.Effect<never, Deposed>
  /** Writes everything that there is to the tables. */
  readonly drain: Effect.Effect<void, Deposed>
}

/** Brings the tables up to the journal, with one transaction for all that waits. */
export const makeProjector = (ports: ProjectorPorts, unprojected: Unprojected): Projector => {
  const { position, tables, term } = ports
  const look = looking(ports)
  let isBroken = false

  const write = (groups: ReadonlyArray<AppendedGroup>, from: number, to: JournalEnd) =>
    Effect.suspend(() => tables.write(groups, from, to, term.current()))

  const take = (groups: ReadonlyArray<AppendedGroup>, seq: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      const entries = seq - unprojected.projected
      unprojected.remove(groups.length, seq)
      position.reach(seq)
      return Effect.andThen(Metric.update(cycleSize, entries), Metric.update(lag, unprojected.entries))
    })

  /** Says which group the tables do not take, and stops: nothing behind it can be written. */
  const breakOff = Effect.fnUntraced(function* (groups: ReadonlyArray<AppendedGroup>, fault: Cause.Cause<unknown>) {
    const [first, ...others] = groups
    if (first !== undefined && others.length > 0) {
      const alone = yield* Effect.exit(write([first], unprojected.projected, first.end))
      if (Exit.isSuccess(alone)) return yield* take([first], first.end.seq)
      // Its content is not the cause, so the next cycle tries again.
      if (!Cause.hasDies(alone.cause)) return
    }
    const seq = first?.settled.recorded[0]?.seq ?? 0
    yield* Effect.logError(
      `The tables do not take the events of the journal from ${seq} on: nothing is written any more`,
      fault
    )
    position.break(`The tables do not take event ${seq}`)
    unprojected.close()
    isBroken = true
  })

  const cycle: Effect.Effect<void, Deposed> = Effect.suspend(() => {
    const groups = unprojected.next()
    const [from, to] = [unprojected.projected, groups.at(-1)?.end]
    if (to === undefined) return Effect.void
    return write(groups, from, to).pipe(
      Effect.andThen(take(groups, to.seq)),
      Effect.catchCause((cause) => {
        if (Cause.hasDies(cause)) return breakOff(groups, cause)
        return Effect.flatMap(look(groups, from), (count) => {
          const last = groups[count - 1]
          return last === undefined ? Effect.void : take(groups.slice(0, count), last.end.seq)
        })
      })
    )
  })

  position.onWait(() => unprojected.urgent.openUnsafe())
  const patience = Effect.suspend(() => {
    if (isBroken) return Effect.never
    return position.isAwaited ? Effect.void : Effect.raceFirst(unprojected.urgent.await, Effect.sleep(CYCLE_DELAY))
  })
  return {
    run: Effect.forever(
      unprojected.arrival.await.pipe(Effect.andThen(patience), Effect.andThen(Effect.uninterruptible(cycle)))
    ),
    drain: Effect.whileLoop({
      while: () => !isBroken && unprojected.groups.length > 0,
      body: () => cycle,
      step: () => {}
    })
  }
}
