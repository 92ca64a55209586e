import { Clock, Effect, Layer, Option, Schedule } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import manifest from "../../package.json" with { type: "json" }
import { backup, type BackupReport } from "../backup/Backup.ts"
import { BackupRepository } from "../backup/BackupRepository.ts"
import * as FolderBackups from "../backup/FolderBackups.ts"
import { atUrl, inDataDir } from "../database/ReadOnlyDatabase.ts"
import { keyName } from "../identity/secrets/KeyRotation.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, type DatabaseSource, settingsOn } from "./CommandSource.ts"
import { databaseFlags } from "./SourceFlags.ts"

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

const reading = (source: DatabaseSource) =>
  BackupRepository.layer.pipe(Layer.provide(source._tag === "Database" ? atUrl(source.url) : inDataDir(source.folder)))

const textOf = ({ bytes, kind, madeAt, name, rows, seq }: BackupReport): string =>
  name === undefined
    ? `unchanged  since the last backup, which goes to event ${seq}`
    : `${kind.padEnd(9)}  to event ${seq} at ${new Date(madeAt).toISOString()}: ${rows.toLocaleString("en")} rows, ${bytes.toLocaleString("en")} bytes written`

/** Copies the database to a folder, beside a running server. */
export const backupCommand = Command.make(
  "backup",
  {
    full,
    every,
    ...databaseFlags,
    json,
    folder: Argument.String("dir").pipe(Argument.withDescription("The folder to write to, which is made if need be"))
  },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(databaseSource(given))
    const secrets = Secrets.layer.pipe(Layer.provide(Layer.merge(settingsOn(source), layerWebCrypto)))
    const key = yield* explained(Effect.provide(Effect.map(Secrets, keyName), secrets))
    const once = (isFull: boolean) =>
      Effect.gen(function* () {
        const begun = yield* Clock.currentTimeMillis
        const report = yield* backup({ full: isFull, version: manifest.version, key })
        const millis = (yield* Clock.currentTimeMillis) - begun
        yield* print(given.json, { ...report, millis }, textOf(report))
      })
    const pause = Option.getOrUndefined(given.every)
    const more = pause === undefined ? Effect.void : Effect.repeat(once(false), Schedule.spaced(`${pause} seconds`))
    yield* Effect.andThen(once(given.full), more).pipe(
      Effect.provide(Layer.merge(reading(source), FolderBackups.layer(given.folder))),
      explained
    )
  })
).pipe(
  Command.withShortDescription("Copy the database to a folder"),
  Command.withDescription(
    "Copies the database as of one moment, beside a running server: the first time the whole of it, then what the journal " +
      "got since and the tables that do not follow from it. Names each file for its SHA-256, and writes what is there only " +
      "once. Needs the server's SECRET_KEY, whose name it notes; the key itself, in the sandbox the file secret.key of " +
      "DATA_DIR, is not in the backup: keep it elsewhere. docs/operating/backup.md says how to schedule it."
  ),
  Command.withExamples([
    { command: "emporion backup /backups/emporion", description: "The database of the environment, once" },
    { command: "emporion backup --every 5 /backups/emporion", description: "An increment each 5 seconds" },
    { command: "emporion backup --full /backups/emporion", description: "A full one, such as each Sunday" }
  ])
)
