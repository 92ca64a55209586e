import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { HISTORY_FILES, type HistoryFileName, MEDIAN_FILES } from "../api/ArenaHistory.ts"
import { archive, type ArchiveReport } from "./Archiving.ts"
import { explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource } from "./CommandSource.ts"
import { dayFlag, daysOf } from "./DayFlag.ts"
import { databaseOf } from "./EventLog.ts"
import { databaseFlags } from "./SourceFlags.ts"

const textOf = (folder: string, { bytes, days, hash, kept, removed, written }: ArchiveReport): string =>
  [
    `written  ${written.toLocaleString("en")} files of ${bytes.toLocaleString("en")} bytes to ${folder}`,
    `kept     ${kept.toLocaleString("en")} files that were there already`,
    ...(removed === 0
      ? []
      : [
          `removed  ${removed.toLocaleString("en")} files cannot be made: their recorded prices were removed at their age`
        ]),
    hash === undefined
      ? "days     none is sealed"
      : `days     ${days.toLocaleString("en")}, the last with the hash ${hash}`
  ].join("\n")

const ofMedians: ReadonlySet<HistoryFileName> = new Set(MEDIAN_FILES)

const WITHOUT_MEDIANS = HISTORY_FILES.filter((name) => !ofMedians.has(name))

/** Writes the sealed days of the arena's history to a folder. */
export const archiveCommand = Command.make(
  "archive",
  {
    from: dayFlag("from", "The first day, such as 2026-01-31. Default: the first sealed one"),
    to: dayFlag("to", "The last day, such as 2026-01-31. Default: the last sealed one"),
    medians: Flag.Boolean("medians").pipe(
      Flag.withDescription("Write the recorded prices of each day too; --no-medians leaves them out"),
      Flag.withDefault(true)
    ),
    ...databaseFlags,
    json,
    folder: Argument.String("dir").pipe(Argument.withDescription("The folder to write to, which is made if need be"))
  },
  Effect.fnUntraced(function* (given) {
    const days = yield* daysOf(given)
    const report = yield* Effect.gen(function* () {
      const source = yield* databaseSource(given)
      return yield* Effect.provide(
        archive(given.folder, days, given.medians ? HISTORY_FILES : WITHOUT_MEDIANS),
        databaseOf(source)
      )
    }).pipe(explained)
    yield* print(given.json, report, textOf(given.folder, report))
  })
).pipe(
  Command.withShortDescription("Write the arena's history by day to a folder"),
  Command.withDescription(
    "Writes every sealed day of the arena's history: a folder for each, with the files of GET /api/arena/history/{day}/{file} " +
      "and the day's entry of GET /api/arena/history as day.json. Checks each file's digest while it is written, and fails " +
      "where it is not the sealed one. Recorded prices are kept for a week by default, so it has to run at least as often to have their files. What is there already " +
      "and equal stays, so that it can be run every day. Does not " +
      "disturb a running server."
  ),
  Command.withExamples([
    {
      command: "emporion archive /var/lib/emporion/history",
      description: "All days, of the database of the environment"
    },
    {
      command: "emporion archive --from 2026-11-01 --to 2026-11-30 november --json",
      description: "A month, with a report for a program"
    }
  ])
)
