import { Effect, Result, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { JournalRow } from "../../engine/journal/JournalRow.ts"
import type { Finding, StoredEvent } from "../../engine/replay/StoredEvent.ts"
import type { ArchiveFailed } from "../backup/ArchiveFile.ts"
import { type EventFileFailed, type FileLine, readEventFile } from "./EventFile.ts"

/** Some events in their order, and why nothing can be read after them, if so. */
export interface EventPage {
  readonly events: ReadonlyArray<{
    readonly event: StoredEvent
    /** The log's running hash at the event, where the source keeps one. */
    readonly sum: string | undefined
  }>
  /** The rows of the journal that begin with these events or before them; none where the source has no journal. */
  readonly rows?: ReadonlyArray<JournalRow>
  readonly finding: Finding | undefined
  /** Whether there is nothing more. */
  readonly done: boolean
}

/** Gives the next page each time it is asked. `E` is why its source cannot be read. */
export type NextPage<E = EventFileFailed | ArchiveFailed> = Effect.Effect<EventPage, SqlError | E>

/** The events of an exported file, from the first. */
export const pagesOfFile = (path: string): Effect.Effect<NextPage<EventFileFailed>, EventFileFailed, Scope.Scope> =>
  Effect.map(readEventFile(path), (nextLines) => {
    const reader = new LineReader()
    return Effect.map(nextLines, (lines) => reader.page(lines))
  })

/** Makes pages of lines, and sees to it that the last line is the end. */
class LineReader {
  #last = 0
  #end: number | undefined

  page(lines: ReadonlyArray<FileLine>): EventPage {
    const events: Array<EventPage["events"][number]> = []
    const page = (finding: Finding | undefined): EventPage => ({ events, finding, done: lines.length === 0 })
    if (lines.length === 0) return page(this.#atEnd())
    for (const line of lines) {
      if (Result.isFailure(line)) return page(unreadable(line.failure, this.#last + 1))
      if (this.#end !== undefined) return page(unknownAt(this.#last + 1, "comes after the file's end"))
      if (line.success._tag === "End") {
        this.#end = line.success.events
        continue
      }
      events.push(line.success)
      this.#last += 1
    }
    return page(undefined)
  }

  #atEnd(): Finding | undefined {
    if (this.#end === this.#last) return undefined
    return this.#end === undefined
      ? unknownAt(this.#last + 1, "is missing, or the file's last line is: the file was cut")
      : unknownAt(this.#last + 1, `is where the file's end stands, which counts ${this.#end} events`)
  }
}

const unknownAt = (seq: number, problem: string): Finding => ({ seq, stream: "", version: 0, type: "", problem })

/** The stream and version are read as far as they can be. */
const unreadable = ({ text, problem }: { readonly text: string; readonly problem: string }, seq: number): Finding => {
  const [, stream = "", version = "0"] = /"stream":"([^"]*)","version":(\d+)/.exec(text) ?? []
  return { seq, stream, version: Number(version), type: "", problem }
}
