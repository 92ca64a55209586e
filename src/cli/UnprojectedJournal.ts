import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { JournalWalk } from "../../engine/journal/JournalWalk.ts"
import type { Finding } from "../../engine/replay/StoredEvent.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { hashing } from "./ReplayHashes.ts"

/** How far the tables of a database are behind its journal. */
export interface UnprojectedJournal {
  /** The sequence of the last event, to which the tables have everything. */
  readonly events: number
  /** Entries behind it, which the tables do not have yet. */
  readonly unprojected: number
  /** The first row behind it that is not what was appended. */
  readonly finding: Finding | undefined
}

/** What is wrong with where the tables say that they are: they follow the journal to the last event, neither less nor more. */
export const wrongPosition = (last: number): Effect.Effect<Finding | undefined, SqlError, EventLogRepository> =>
  Effect.gen(function* () {
    const { projected } = yield* EventLogRepository
    const position = yield* projected
    if (position === undefined || position === last) return undefined
    const problem = `is the last event, and the tables say that they have everything to event ${position}`
    return { seq: last, stream: "", version: 0, type: "", problem }
  })

/** Walks the journal behind the last event alone; to be run on one moment of the database. */
export const unprojectedJournal: Effect.Effect<UnprojectedJournal, SqlError, EventLogRepository> = Effect.gen(
  function* () {
    const repository = yield* EventLogRepository
    const events = yield* repository.lastEvent
    const walk = new JournalWalk(hashing.link, { last: events, row: yield* repository.journalAt(events) })
    for (let begun = events; ;) {
      const rows = yield* repository.journalBetween(begun, Number.MAX_SAFE_INTEGER)
      const last = rows.at(-1)
      if (last === undefined) {
        return { events, unprojected: walk.tail.length, finding: walk.finding ?? (yield* wrongPosition(events)) }
      }
      for (const row of rows) {
        const finding = walk.take(row)
        if (finding !== undefined) return { events, unprojected: walk.tail.length, finding }
      }
      begun = last.firstSeq
    }
  }
)
