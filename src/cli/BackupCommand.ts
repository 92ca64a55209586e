import { Clock, Effect, Layer, Option, Schedule } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { PERSONAL_TABLES } from "../App.ts"
import manifest from "../../package.json" with { type: "json" }
import { ArchiveRepository } from "../backup/ArchiveRepository.ts"
import { JournalArchive } from "../backup/JournalArchive.ts"
import { backup, type BackupReport, NOTHING_KNOWN } from "../backup/Backup.ts"
import { BackupRepository } from "../backup/BackupRepository.ts"
import * as BackupPlace from "../backup/BackupPlace.ts"
import { atUrl, inDataDir } from "../database/ReadOnlyDatabase.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, type DatabaseSource, settingsOn } from "./CommandSource.ts"
import { giveWay } from "./ProcessPriority.ts"
import { journalFlags } from "./SourceFlags.ts"

const full = Flag.Boolean("full").pipe(
  Flag.withDescription("Copy everything, though an increment would do"),
  Flag.withDefault(false)
)

const every = Flag.Int("every").pipe(
  Flag.withDescription("Make one so many seconds after the other, until the command is stopped"),
  Flag.withMetavar("SECONDS"),
  Flag.filter(
    (seconds) => seconds >= 1,
    () => "Expected a whole number of seconds from 1 on"
  ),
  Flag.optional
)

const HOUR = 3_600_000

const fullEvery = Flag.Int("full-every").pipe(
  Flag.withDescription("Make a full one when the last is so many hours old"),
  Flag.withMetavar("HOURS"),
  Flag.filter(
    (hours) => hours >= 1,
    () => "Expected a whole number of hours from 1 on"
  ),
  Flag.optional
)

const keepDays = Flag.Int("keep-days").pipe(
  Flag.withDescription("After a full one, remove what no restore to any moment of so many days needs"),
  Flag.withMetavar("DAYS"),
  Flag.filter(
    (days) => days >= 1,
    () => "Expected a whole number of days from 1 on"
  ),
  Flag.optional
)

const reading = (source: DatabaseSource) =>
  Layer.merge(
    BackupRepository.layer,
    JournalArchive.layer(source.archive).pipe(Layer.provide(ArchiveRepository.layer))
  ).pipe(Layer.provide(source._tag === "Database" ? atUrl(source.url) : inDataDir(source.folder)))

const count = (value: number): string => value.toLocaleString("en")

const prunedText = ({ backups, files }: BackupReport["pruned"]): string =>
  backups + files === 0 ? "" : `; ${count(backups)} backups and ${count(files)} files removed that nothing needs`

const textOf = ({ bytes, kind, madeAt, name, pruned, rows, seq }: BackupReport): string =>
  name === undefined
    ? `unchanged  since the last backup, which goes to event ${seq}`
    : `${kind.padEnd(9)}  to event ${seq} at ${new Date(madeAt).toISOString()}: ${count(rows)} rows, ${count(bytes)} bytes written${prunedText(pruned)}`

/** Copies the database to a folder or a bucket, beside a running server. */
export const backupCommand = Command.make(
  "backup",
  {
    full,
    every,
    fullEvery,
    keepDays,
    ...journalFlags,
    json,
    place: Argument.String("place").pipe(
      Argument.withDescription("The folder to write to, which is made if need be, or s3://bucket/prefix")
    )
  },
  Effect.fnUntraced(function* (given) {
    yield* giveWay
    const source = yield* explained(databaseSource(given))
    const secrets = Secrets.layer.pipe(Layer.provide(Layer.merge(settingsOn(source), layerWebCrypto)))
    const hours = Option.getOrUndefined(given.fullEvery)
    const request = {
      version: manifest.version,
      personal: PERSONAL_TABLES,
      fullEvery: hours === undefined ? undefined : hours * HOUR,
      keepDays: Option.getOrUndefined(given.keepDays)
    }
    let known = NOTHING_KNOWN
    const once = (full: boolean) =>
      Effect.gen(function* () {
        const begun = yield* Clock.currentTimeMillis
        const made = yield* backup({ ...request, full }, known)
        known = made.known
        const millis = (yield* Clock.currentTimeMillis) - begun
        yield* print(given.json, { ...made.report, millis }, textOf(made.report))
      })
    const pause = Option.getOrUndefined(given.every)
    const more = pause === undefined ? Effect.void : Effect.repeat(once(false), Schedule.spaced(`${pause} seconds`))
    yield* Effect.andThen(once(given.full), more).pipe(
      Effect.provide(Layer.mergeAll(reading(source), BackupPlace.layer(given.place), secrets, layerWebCrypto)),
      explained
    )
  })
).pipe(
  Command.withShortDescription("Copy the database to a folder or a bucket"),
  Command.withDescription(
    "Copies the database as of one moment, beside a running server: the first time the whole of it, then what the journal " +
      "got since and the tables that do not follow from it. Names each file for its SHA-256, and writes what is there only " +
      "once. Needs the server's SECRET_KEY, whose name it notes; the key itself, in the sandbox the file secret.key of " +
      "DATA_DIR, is not in the backup: keep it elsewhere. A bucket of any store that speaks S3 is found as its other programs find " +
      "it: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE or the machine's role, AWS_REGION, and AWS_ENDPOINT_URL_S3 for a store of another house. docs/operating/backup.md says how to schedule it."
  ),
  Command.withExamples([
    { command: "emporion backup /backups/emporion", description: "The database of the environment, once" },
    { command: "emporion backup --every 5 /backups/emporion", description: "An increment each 5 seconds" },
    { command: "emporion backup --full /backups/emporion", description: "A full one, such as each Sunday" },
    {
      command: "emporion backup --every 5 --full-every 24 --keep-days 35 s3://backups/emporion",
      description: "All of it as one service, in a bucket"
    }
  ])
)
