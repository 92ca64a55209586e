import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { exportEvents } from "./Exporting.ts"
import { withBar } from "./ReadingProgress.ts"
import { replayLog } from "./Replaying.ts"
import { exportText, replayText, verifyText } from "./Reports.ts"
import { findingText } from "./FindingText.ts"
import { journalFlags, sourceFlags, sourceOf } from "./SourceFlags.ts"
import { verify } from "./Verifying.ts"

/** Names the first altered event and fails, or says that there is none. */
export const verifyCommand = Command.make(
  "verify",
  { ...sourceFlags, json },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(sourceOf(given))
    const report = yield* verify(source).pipe(withBar("verifying"), explained)
    yield* print(given.json, report, verifyText(report))
    if (report.finding === undefined) return
    return yield* new CommandFailed({ message: `The log is not what it was: ${findingText(report.finding)}` })
  })
).pipe(
  Command.withShortDescription("Walk the hash chains and recompute the winners"),
  Command.withDescription(
    "Walks every stream's hash chain and the global sequence, recomputes each winner from the published tie key, and " +
      "makes every sealed day of the arena's history anew. Names the first altered event, and fails. Reads everything " +
      "as of one moment, and does not disturb a running server."
  ),
  Command.withExamples([
    {
      command: "emporion verify",
      description: "The database of the environment: DATABASE_URL, else DATA_DIR, else .data"
    },
    { command: "emporion verify --data-dir /var/lib/emporion", description: "An embedded database, in use or not" },
    { command: "emporion verify --file events.jsonl --json", description: "An exported file, for a program" }
  ])
)

/** Writes the log to a file. */
export const exportCommand = Command.make(
  "export",
  {
    ...journalFlags,
    json,
    path: Argument.String("file").pipe(Argument.withDescription("The file to write, which must not exist yet"))
  },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(sourceOf(given))
    if (source._tag === "File") return
    const report = yield* exportEvents(source, given.path).pipe(withBar("exporting"), explained)
    yield* print(given.json, report, exportText(given.path, report))
    if (report.finding === undefined) return
    return yield* new CommandFailed({ message: `The log is not what it was: ${findingText(report.finding)}` })
  })
).pipe(
  Command.withShortDescription("Write all events to a file"),
  Command.withDescription(
    "Writes all events, as of one moment, as JSON lines: sequence, stream, version, type, data byte for byte, hash, and " +
      "the log's running hash. `emporion verify` and `npm run sim -- replay` read the file without a database."
  ),
  Command.withExamples([
    { command: "emporion export events.jsonl", description: "The database of the environment" },
    {
      command: "emporion export events.jsonl --database postgresql://reader@host/emporion",
      description: "A PostgreSQL elsewhere"
    }
  ])
)

/** Derives the state from the log and compares it with the tables. */
export const replayCommand = Command.make(
  "replay",
  { ...sourceFlags, json },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(sourceOf(given))
    const report = yield* replayLog(source).pipe(withBar("replaying"), explained)
    yield* print(given.json, report, replayText(report))
    if (report.ok) return
    const what =
      report.finding === undefined
        ? `${report.differences.length} stored rows are not what the events make of them`
        : findingText(report.finding)
    return yield* new CommandFailed({ message: `The replay differs: ${what}` })
  })
).pipe(
  Command.withShortDescription("Derive every state from the events again"),
  Command.withDescription(
    "Decides every event of a log again with the engine, derives orders, commitments, ledger, funds and the vault's " +
      "totals, and compares them with the tables of the database: the same state hash, or the first event that differs."
  ),
  Command.withExamples([
    { command: "npm run sim -- replay --data-dir .data", description: "An embedded database, in use or not" },
    { command: "npm run sim -- replay --file events.jsonl", description: "An exported file: the state hash alone" }
  ])
)
