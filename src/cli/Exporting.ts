import { Effect } from "effect"
import { ChainWalk } from "../../engine/replay/ChainWalk.ts"
import type { Finding } from "../../engine/replay/StoredEvent.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { databaseOf, pagesOfDatabase, type Source } from "./EventLog.ts"
import { writeEventFile } from "./EventFile.ts"
import { hashing } from "./ReplayHashes.ts"

/** What was written. */
export interface ExportReport {
  readonly events: number
  /** The log's running hash at its last event, in hex. */
  readonly sum: string
  /** Why the export ended before the log did: the first event that is not what it was. */
  readonly finding: Finding | undefined
}

/** Writes all events of a database, as of one moment, to a file of JSON lines. Only a log whose chains hold is written. */
export const exportEvents = Effect.fn("cli.export")(function* (
  source: Exclude<Source, { readonly _tag: "File" }>,
  path: string
) {
  const copy = Effect.gen(function* () {
    const repository = yield* EventLogRepository
    const file = yield* writeEventFile(path)
    return yield* repository.atOneMoment(
      Effect.gen(function* () {
        const chain = new ChainWalk(hashing.link)
        const next = yield* pagesOfDatabase
        for (;;) {
          const { events, done } = yield* next
          if (done) break
          let finding: Finding | undefined
          const lines: Array<{ readonly event: (typeof events)[number]["event"]; readonly sum: string }> = []
          for (const { event } of events) {
            finding ??= chain.step(event)
            if (finding === undefined) lines.push({ event, sum: chain.sum })
          }
          yield* file.events(lines)
          if (finding !== undefined) return { events: chain.events, sum: chain.sum, finding }
        }
        yield* file.end(chain.events)
        return { events: chain.events, sum: chain.sum, finding: undefined } satisfies ExportReport
      })
    )
  })
  return yield* Effect.provide(copy, databaseOf(source))
}, Effect.scoped)
