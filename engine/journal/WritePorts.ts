import type { Effect } from "effect"
import type { LoadedGroup } from "../actor/CommitGroup.ts"
import type { ChainHash } from "../actor/EventChain.ts"
import type { Batch, JournalUnavailable, Recorded } from "../actor/Journal.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { AppendedGroup, GroupRows } from "./AppendedGroup.ts"
import type { Deposed } from "./Deposed.ts"
import type { JournalEnd, JournalRow } from "./JournalRow.ts"
import type { KeyIndex } from "./KeyIndex.ts"
import type { Outdated } from "./Outdated.ts"
import type { TablePosition } from "./TablePosition.ts"
import type { WriterMemory } from "./WriterMemory.ts"
import type { EventAnswers } from "./StoredResponse.ts"

type Asked<A, E = never> = Effect.Effect<A, JournalUnavailable | E>

/**
 * The state for deciding the batches: from memory, else read from the tables.
 *
 * @param keysSince - older answers do not count; in milliseconds since 1970
 * @param isSurelyNew - whether a key certainly has no answer, so that none is looked for
 */
export type LoadGroup<E> = (
  batches: ReadonlyArray<Batch<PlatformEvent>>,
  memory: WriterMemory,
  keysSince: number,
  isSurelyNew: (key: string) => boolean
) => Effect.Effect<LoadedGroup, E>

/** The journal's rows, and the state for a group's decisions. Nothing here waits for the tables to follow. */
export interface JournalPort {
  readonly end: Asked<JournalEnd>
  /** The rows behind a sequence, a page of them; none at the end. */
  readonly after: (seq: number) => Asked<ReadonlyArray<JournalRow>>
  readonly load: LoadGroup<JournalUnavailable>
  /**
   * Appends a group's rows, if any; fails unless the journal ends with this hash and this is the last term. May be
   * called before the earlier rows have an answer: they arrive in the order of the calls. A refused row is a defect.
   */
  readonly append: (group: GroupRows, hash: Uint8Array, term: bigint) => Asked<void, Outdated>
}

/** The tables that follow the journal. */
export interface TablesPort {
  /** The sequence of the last event that they have. */
  readonly projected: Asked<number>
  /** Whether the journal has the row that ends so. */
  readonly isAppended: (end: JournalEnd) => Asked<boolean>
  /**
   * Writes groups and moves the sequence to the end of the last, in one step; fails unless it is `from`, the journal
   * has that row, and this is the last term. A refused row is a defect.
   */
  readonly write: (
    groups: ReadonlyArray<AppendedGroup>,
    from: number,
    to: JournalEnd,
    term: bigint
  ) => Asked<void, Outdated>
  /** Hears of events that the tables have, in the order of their sequence. Must not wait. */
  readonly projectedTo: (events: ReadonlyArray<Recorded<PlatformEvent>>) => void
}

/** The right to append: a number that grows with each writer. */
export interface TermPort {
  readonly current: () => bigint
  /** Takes a higher term again. Fails if another process took one, or if the database is not the same any more. */
  readonly renew: Asked<void, Deposed>
  /** Fails if another process took a higher term. */
  readonly check: Asked<void, Deposed>
  /** Notes that this process may no longer write. */
  readonly resign: (why: Deposed) => Effect.Effect<never, Deposed>
  /** Fails once this process may no longer write. */
  readonly deposed: Effect.Effect<never, Deposed>
}

/** Adds up the time of one phase. */
export interface PhaseMeter {
  /** Now, in nanoseconds since any fixed time. */
  readonly now: () => bigint
  /** Adds nanoseconds of the main thread, and the number that passed the phase in them. */
  readonly add: (nanos: bigint, passed: number) => void
}

/** Everything that the write path runs on. */
export interface WritePorts {
  readonly journal: JournalPort
  readonly tables: TablesPort
  readonly term: TermPort
  readonly keys: KeyIndex
  readonly position: Omit<TablePosition<unknown>, "reached">
  readonly memory: WriterMemory
  readonly answers: EventAnswers
  readonly link: ChainHash
  readonly encoding: PhaseMeter
  /** How many entries are worth a group of their own while another is under way; as many as ship unless it is said. */
  readonly manyEntries?: number
}
