import { Data, Effect, Result, type Scope } from "effect"
import { closeSync, openSync, readSync, writeSync } from "node:fs"
import { decodeLine, encodeEnd, encodeLine, type Line, type StoredEvent } from "../../engine/replay/StoredEvent.ts"

/** The file cannot be read or written. Its message is one sentence that says what to do. */
export class EventFileFailed extends Data.TaggedError("EventFileFailed")<{ readonly message: string }> {}

/** What stands on one line, or why nothing that an export writes. */
export type FileLine = Result.Result<Line, { readonly text: string; readonly problem: string }>

/** Bytes read at once. */
const CHUNK = 1024 * 1024

/** The longest line: an event names at most all the commitments of one order. */
const MAX_LINE = 256 * 1024 * 1024

const LINE_FEED = 0x0a

const failed = (what: string) => (error: unknown) =>
  new EventFileFailed({ message: `${what}: ${error instanceof Error ? error.message : String(error)}.` })

const open = (path: string, flags: "r" | "wx"): Effect.Effect<number, EventFileFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => openSync(path, flags, 0o600),
      catch: failed(flags === "r" ? `${path} cannot be read` : `${path} cannot be written, or is there already`)
    }),
    (file) => Effect.sync(() => closeSync(file))
  )

/** Reads an exported file; each time it is asked it answers some lines more, none at the end. */
export const readEventFile = (
  path: string
): Effect.Effect<Effect.Effect<ReadonlyArray<FileLine>, EventFileFailed>, EventFileFailed, Scope.Scope> =>
  Effect.map(open(path, "r"), (file) => {
    const cutter = new LineCutter()
    return Effect.try({ try: () => nextLines(file, cutter), catch: failed(`${path} cannot be read`) })
  })

const nextLines = (file: number, cutter: LineCutter): ReadonlyArray<FileLine> => {
  const chunk = new Uint8Array(CHUNK)
  for (;;) {
    const size = readSync(file, chunk)
    const lines = size === 0 ? cutter.rest() : cutter.cut(chunk.subarray(0, size))
    if (lines.length > 0 || size === 0) return lines.map(read)
  }
}

/** Cuts bytes into lines, keeping the beginning of the next one. */
class LineCutter {
  #begun: Array<Uint8Array> = []
  #length = 0

  cut(chunk: Uint8Array): ReadonlyArray<Uint8Array> {
    const lines: Array<Uint8Array> = []
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#keep(chunk.subarray(from, end))
      lines.push(this.#take())
      from = end + 1
    }
    this.#keep(chunk.slice(from))
    return lines
  }

  rest(): ReadonlyArray<Uint8Array> {
    return this.#length === 0 ? [] : [this.#take()]
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length
    if (this.#length > MAX_LINE) throw new RangeError(`a line has more than ${MAX_LINE} bytes`)
    if (part.length > 0) this.#begun.push(part)
  }

  #take(): Uint8Array {
    const line = Buffer.concat(this.#begun)
    this.#begun = []
    this.#length = 0
    return line
  }
}

const read = (line: Uint8Array): FileLine => {
  const text = Buffer.from(line).toString("utf8")
  if (!Buffer.from(text, "utf8").equals(line)) return Result.fail({ text, problem: "is not UTF-8" })
  return Result.mapError(decodeLine(text), (problem) => ({ text, problem }))
}

/** An exported file that is being written. It must not be there before, so that no export is written over. */
export const writeEventFile = (path: string) =>
  Effect.map(open(path, "wx"), (file) => {
    const write = (text: string) =>
      Effect.try({ try: () => void writeSync(file, text), catch: failed(`${path} cannot be written`) })
    return {
      /** Writes events with the log's running hash at each. */
      events: (events: ReadonlyArray<{ readonly event: StoredEvent; readonly sum: string }>) =>
        write(events.map(({ event, sum }) => `${encodeLine(event, sum)}\n`).join("")),
      end: (events: number) => write(`${encodeEnd(events)}\n`)
    }
  })
