import { Effect, Fiber, type Scope } from "effect"
import type { JournalUnavailable, TellingJournal } from "../actor/Journal.ts"
import { isRequestName } from "../cluster/RequestName.ts"
import { newAccountsOf } from "./AppendedGroup.ts"
import { CommitQueue, LOOK_INTERVAL } from "./CommitQueue.ts"
import type { Deposed } from "./Deposed.ts"
import { type CommitListener, makeGroupWriter, WriterState } from "./GroupWriter.ts"
import { recordedGroup, settleAgain } from "./JournalRecovery.ts"
import { endOf, type JournalRow } from "./JournalRow.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { makeProjector } from "./Projector.ts"
import { UnconfirmedRows } from "./UnconfirmedRows.ts"
import type { JournalPort, WritePorts } from "./WritePorts.ts"

/** Hears of a row that stands in the journal. */
export type RowListener = (row: JournalRow) => void

/** The journal as actors write it, and as listeners follow it. */
export interface WritePath extends TellingJournal<PlatformEvent> {
  /** Registers a listener for good. */
  readonly onCommit: (listener: CommitListener) => void
  /** Has a listener told of each row from now on, in order, once it is known to stand in the journal. Must not wait. */
  readonly onAppended: (listener: RowListener) => void
  /** The sequence of the last event that is known to be durable and that the listeners know. */
  readonly lastSeq: () => number
  /** Whether the listeners know everything that may be durable. False while the outcome of a commit is unknown. */
  readonly isCertain: () => boolean
  /** When the last transaction failed because of the database, in milliseconds of the monotonic clock; undefined if it succeeded. */
  readonly failedAt: () => number | undefined
}

/**
 * Merges the decisions of all actors into one row of the journal at a time, tells nobody anything before its commit,
 * and brings the tables up to date. It begins with the entries that the journal has and the tables lack.
 *
 * One writer makes the global sequence gapless and in commit order. If a transaction fails for a reason of its own, its
 * batches are tried alone, so that one of them cannot fail the others. If a commit loses its answer, its callers are
 * told that the outcome is unknown, and the listeners hear of it once the database confirms it. Every transaction holds
 * the writer's term: once another process has taken a higher one, everything that waits is refused.
 */
export const makeWritePath = Effect.fnUntraced(function* (
  ports: WritePorts
): Effect.fn.Return<WritePath, JournalUnavailable | Deposed, Scope.Scope> {
  const queue = new CommitQueue(ports.manyEntries)
  const rows = new AppendedRows()
  const state = new WriterState({ ...ports, journal: rows.heardOf(ports.journal) })
  const { unprojected } = state
  unprojected.onRemoved((groups, seq) => {
    for (const { answers } of groups) ports.keys.settle(answers)
    ports.tables.projectedTo(groups.flatMap(({ settled }) => settled.recorded))
    ports.memory.project(
      groups.map(({ settled }) => settled),
      seq
    )
  })
  const projector = makeProjector(ports, unprojected)
  yield* recover(state, projector.drain)
  const writer = makeGroupWriter(state, queue)

  const following = yield* Effect.forkScoped(
    Effect.catchTag(projector.run, "Deposed", ({ message }) => Effect.sync(() => queue.close(message)))
  )
  yield* Effect.addFinalizer(() => leave(following, projector.drain))
  yield* Effect.forkScoped(writer.run)
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.delay(
        Effect.sync(() => queue.look()),
        LOOK_INTERVAL
      )
    )
  )
  yield* Effect.forkScoped(
    Effect.catchTag(ports.term.deposed, "Deposed", ({ message }) => Effect.sync(() => queue.close(message)))
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => queue.close("the server is shutting down")))
  const fork = Effect.runForkWith(yield* Effect.context<never>())

  return {
    append: (batch) => queue.submit(batch),
    tell: (batch, give) =>
      queue.tell(batch, give, (fault) =>
        fork(Effect.logError(`Nobody took what became of a batch of ${batch.stream}`, fault))
      ),
    onCommit: (listener) => void state.listeners.add(listener),
    onAppended: (listener) => {
      if (rows.isSilent) state.listeners.add((events) => rows.confirm(events.at(-1)?.seq ?? 0))
      rows.add(listener)
    },
    lastSeq: () => state.told?.seq ?? 0,
    isCertain: () => state.isCertain,
    failedAt: () => state.failedAt
  }
})

/** Who hears of rows once they are known to stand in the journal. */
class AppendedRows {
  readonly #unconfirmed = new UnconfirmedRows()
  readonly #listeners = new Set<RowListener>()

  get isSilent(): boolean {
    return this.#listeners.size === 0
  }

  add(listener: RowListener): void {
    this.#listeners.add(listener)
  }

  /** The port, whose appends are noted where anybody hears of them. */
  heardOf(port: JournalPort): JournalPort {
    return {
      ...port,
      append: (group, ...behind) => {
        if (!this.isSilent) this.#unconfirmed.sent(group.rows)
        return port.append(group, ...behind)
      }
    }
  }

  /** The journal has all up to this event. */
  confirm(seq: number): void {
    const rows = this.#unconfirmed.confirm(seq)
    for (const tell of this.#listeners) rows.forEach(tell)
  }
}

/** How long the end of a server waits for the tables, in milliseconds. What they lack then, the next start writes. */
const LEAVE_LIMIT = 5_000

/** Writes what there is to the tables, and then stops following. */
const leave = (following: Fiber.Fiber<void>, drain: Effect.Effect<void, Deposed>): Effect.Effect<void> =>
  Fiber.interrupt(following).pipe(
    Effect.andThen(Effect.ignore(drain)),
    Effect.timeoutOrElse({ duration: LEAVE_LIMIT, orElse: () => Effect.void })
  )

/** Writes the entries that the tables lack, before anything is decided. */
const recover = Effect.fnUntraced(function* (state: WriterState, drain: Effect.Effect<void, Deposed>) {
  const { journal, keys, link, memory, position, tables, term } = state.ports
  const { unprojected } = state
  let seq = yield* tables.projected
  unprojected.projected = seq
  position.reach(seq)
  memory.project([], seq)
  let entries = 0
  for (;;) {
    const rows = yield* journal.after(seq)
    for (const row of rows) {
      const recorded = recordedGroup(row)
      const loaded = yield* journal.load(recorded.batches, memory, Number.MAX_SAFE_INTEGER, isRequestName)
      // If another server moves the tables meanwhile, that one decides.
      const settled = yield* Effect.catchDefect(
        Effect.sync(() => settleAgain(recorded, loaded, link)),
        (defect) => Effect.andThen(term.check, Effect.die(defect))
      )
      const end = endOf(row)
      const group = { settled, answers: recorded.answers, newAccounts: newAccountsOf(settled, memory), end }
      memory.remember(settled, end.seq)
      for (const { key } of recorded.answers) keys.note(key, row.recordedAt)
      unprojected.add(group)
      seq = end.seq
      entries += row.count
    }
    yield* drain
    if (rows.length === 0) break
  }
  const end = yield* journal.end
  state.goOn(end)
  // Where somebody else writes, as beside a rehearsal, the end is behind what was read: nobody here waits for that.
  position.tell(seq)
  yield* Effect.logDebug(`The journal goes on behind event ${end.seq}.`)
  if (entries > 0) yield* Effect.logInfo(`The tables got ${entries} events that only the journal had.`)
})
