import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { momentOf } from "../api/Timestamp.ts"
import * as BackupPlace from "../backup/BackupPlace.ts"
import type { RestoreTarget } from "../backup/RestorePlan.ts"
import { explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource } from "./CommandSource.ts"
import { preview, restore, type RestoreReport } from "./Restoring.ts"
import { journalFlags } from "./SourceFlags.ts"

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/

const targetOf = (text: string): Option.Option<RestoreTarget> => {
  if (text === "latest") return Option.some({ _tag: "Latest" })
  if (/^\d{1,15}$/.test(text)) return Option.some({ _tag: "Sequence", seq: Number(text) })
  const at = TIME.test(text) ? momentOf(text) : undefined
  return at === undefined ? Option.none() : Option.some({ _tag: "Time", at })
}

const to = Flag.String("to").pipe(
  Flag.withDescription("A sequence, a time such as 2026-01-31T12:00:00Z, or latest"),
  Flag.withMetavar("SEQ|TIME|latest"),
  Flag.filterMap(targetOf, () => "Expected a sequence, a time such as 2026-01-31T12:00:00Z, or latest")
)

const onlyPreview = Flag.Boolean("preview").pipe(
  Flag.withDescription("Read every file of every backup, say what would be restored, and write nothing"),
  Flag.withDefault(false)
)

const isoTime = (millis: number): string => new Date(millis).toISOString()

const textOf = ({ archived, besideAt, done, files, fullAt, recordedAt, rows, seq, state }: RestoreReport): string =>
  [
    `${done ? "restored" : "would restore"} to event ${seq}, recorded ${isoTime(recordedAt)}`,
    `from     the full backup of ${isoTime(fullAt)}; what does not follow from the journal is of ${isoTime(besideAt)}`,
    `rows     ${rows.toLocaleString("en")}, out of ${files.toLocaleString("en")} files, all as they were written`,
    ...(archived === 0
      ? []
      : [`archive  events 1 to ${archived} are in the journal's archive, whose files are as they were written`]),
    ...(state === undefined ? [] : [`state    ${state}: verified and replayed`])
  ].join("\n")

/** Makes an empty database what it was. */
export const restoreCommand = Command.make(
  "restore",
  {
    to,
    preview: onlyPreview,
    ...journalFlags,
    json,
    place: Argument.String("place").pipe(
      Argument.withDescription("The folder or the s3://bucket/prefix that `emporion backup` wrote to")
    )
  },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(databaseSource(given))
    const work = given.preview ? preview(source, given.to) : restore(source, given.to)
    const report = yield* work.pipe(Effect.provide(BackupPlace.layer(given.place)), explained)
    yield* print(given.json, report, textOf(report))
  })
).pipe(
  Command.withShortDescription("Make an empty database what it was at a moment"),
  Command.withDescription(
    "Makes an empty database what it was at a sequence, at a time, or at the last backup: a whole commit at a time, so it " +
      "ends with the last commit at the sequence or before it. Checks every file that it needs before it writes, lets the tables follow " +
      "the journal, verifies and replays what it wrote, and only then lets a server start there. Streams begin anew under another epoch. Refuses a database that is " +
      "not empty, and another SECRET_KEY than the backup's. One that was stopped is begun anew by the same command."
  ),
  Command.withExamples([
    {
      command: "emporion restore --to latest --preview /backups/emporion --data-dir restored",
      description: "What there is, and whether it is sound"
    },
    {
      command: "emporion restore --to 2026-11-25T21:00:00Z /backups/emporion --data-dir restored",
      description:
        "An embedded database in a new folder, with the server's SECRET_KEY, or its secret.key in that folder"
    },
    {
      command: "emporion restore --to latest s3://backups/emporion --data-dir restored",
      description: "Out of a bucket"
    },
    {
      command: "emporion restore --to 48211 /backups/emporion --database postgresql://emporion@db/restored",
      description: "An empty database of a PostgreSQL elsewhere"
    }
  ])
)
