import { Effect, Layer } from "effect"
import type { Difference, Repair } from "../../engine/replay/StateDifference.ts"
import { ProcessLock } from "../database/ProcessLock.ts"
import { RepairRepository } from "../database/RepairRepository.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { type DatabaseSource, workingOn } from "./CommandSource.ts"
import { recorded } from "./Recorded.ts"
import { type ReplayReport, replayedDatabase } from "./Replaying.ts"
import { findingText } from "./FindingText.ts"

/** What a repair changed, or would change. */
export interface RepairReport {
  /** Whether it was done. */
  readonly done: boolean
  /** The sequence of the last event that the tables have. */
  readonly events: number
  /** Entries of the journal behind it, which the next start writes. */
  readonly unprojected: number
  /** Rows that become what the events make of them. */
  readonly written: number
  /** Rows that no event makes, which go. */
  readonly removed: number
  /** What was found, that of the earliest event first. */
  readonly differences: ReadonlyArray<Difference>
}

const reportOf = (done: boolean, report: ReplayReport, repairs: ReadonlyArray<Repair>): RepairReport => {
  const written = repairs.filter(({ _tag }) => _tag !== "Unwritten").length
  const { differences, events, unprojected } = report
  return { done, events, unprojected, written, removed: repairs.length - written, differences }
}

/** The events are all that the tables follow from: where they are altered, nothing can be derived. */
const replayed = Effect.fnUntraced(function* (source: DatabaseSource) {
  const { repairs, report } = yield* replayedDatabase(source)
  if (report.finding === undefined) return { repairs, report }
  const message = `The log itself is not what it was, so nothing was changed: ${findingText(report.finding)}. Restore a backup.`
  return yield* new CommandFailed({ message })
})

const write = Effect.fnUntraced(function* (report: ReplayReport, repairs: ReadonlyArray<Repair>) {
  const { apply, atPosition } = yield* RepairRepository
  yield* atPosition(
    Effect.fnUntraced(function* (position) {
      if (position !== report.events) {
        const message = `The tables went on from event ${report.events} to ${position} meanwhile, so nothing was changed: stop the server and repeat it.`
        return yield* new CommandFailed({ message })
      }
      yield* apply(repairs)
      const { removed, written } = reportOf(true, report, repairs)
      const after = { written: `${written}`, removed: `${removed}` }
      yield* recorded({ act: "tables.repair", subjectId: `event/${report.events}`, after })
    })
  )
})

/** Nobody else writes, neither a server that runs nor one that was stopped and wakes. */
const alone = Layer.provideMerge(WriterTerm.layer, ProcessLock.layer({ wait: 0 }))

/**
 * Makes every stored row what the events make of it: rows that were changed or lost are written anew, rows that no event
 * makes go. It is done in one transaction, under a term of its own, and written into the audit log. Refused while a
 * server works on the database, and where the log itself was altered.
 */
export const repair = Effect.fn("cli.repair")(function* (source: DatabaseSource, really: boolean) {
  if (!really) {
    const { repairs, report } = yield* replayed(source)
    return reportOf(false, report, repairs)
  }
  const work = Effect.gen(function* () {
    const { repairs, report } = yield* replayed(source)
    if (repairs.length > 0) yield* write(report, repairs)
    return reportOf(true, report, repairs)
  })
  return yield* Effect.provide(
    work,
    RepairRepository.layer.pipe(Layer.provideMerge(alone), Layer.provideMerge(workingOn(source)))
  )
})
