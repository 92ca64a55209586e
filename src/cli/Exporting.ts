import { Effect } from "effect"
import { ChainWalk } from "../../engine/replay/ChainWalk.ts"
import type { Finding, StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { databaseOf, pagesOfDatabase, type Source, walk } from "./EventLog.ts"
import { writeEventFile } from "./EventFile.ts"
import { hashing } from "./ReplayHashes.ts"

/** What was written. */
export interface ExportReport {
  readonly events: number
  /** Entries of the journal behind the last event, which are not in the file. */
  readonly unprojected: number
  /** The log's running hash at its last event, in hex. */
  readonly sum: string
  /** Why the export ended before the log did: the first event that is not what it was. */
  readonly finding: Finding | undefined
}

interface ExportedLine {
  readonly event: StoredEvent
  readonly sum: string
}

/**
 * Writes all events of a database, as of one moment, to a file of JSON lines. Only a log whose chains hold is written,
 * and of the journal what became events.
 */
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
        const lines: Array<ExportedLine> = []
        let end = { events: 0, sum: chain.sum }
        const write = Effect.fnUntraced(function* (before: number) {
          const sound = lines.splice(0).filter(({ event }) => event.seq < before)
          yield* file.events(sound)
          const last = sound.at(-1)
          if (last !== undefined) end = { events: last.event.seq, sum: last.sum }
        })
        const step = (event: StoredEvent): Finding | undefined => {
          const finding = chain.step(event)
          if (finding === undefined) lines.push({ event, sum: chain.sum })
          return finding
        }
        const pages = Effect.andThen(write(Infinity), yield* pagesOfDatabase)
        const { finding, tail } = yield* walk(pages, step, () => chain.sum)
        yield* write(finding?.seq ?? Infinity)
        if (finding === undefined) yield* file.end(end.events)
        return { ...end, unprojected: tail.length, finding } satisfies ExportReport
      })
    )
  })
  return yield* Effect.provide(copy, databaseOf(source))
}, Effect.scoped)
