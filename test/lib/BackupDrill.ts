import { Effect, Layer, Redacted, type Scope } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { encodeEnd } from "../../engine/replay/StoredEvent.ts"
import { PERSONAL_TABLES } from "../../src/App.ts"
import { ArchiveRepository } from "../../src/backup/ArchiveRepository.ts"
import { JournalArchive } from "../../src/backup/JournalArchive.ts"
import { backup, type KnownBackups, NOTHING_KNOWN } from "../../src/backup/Backup.ts"
import { BackupRepository } from "../../src/backup/BackupRepository.ts"
import * as FolderBackups from "../../src/backup/FolderBackups.ts"
import { exportEvents } from "../../src/cli/Exporting.ts"
import { replayLog } from "../../src/cli/Replaying.ts"
import type { RestoreReport } from "../../src/cli/Restoring.ts"
import { atUrl } from "../../src/database/ReadOnlyDatabase.ts"
import { Secrets } from "../../src/identity/secrets/Secrets.ts"
import { onDatabase, runEmporion } from "./CliProcess.ts"
import { PlayedLog, playedLogWith } from "./PlayedLog.ts"
import { emptyDatabase, type TestDatabase } from "./TestDatabase.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

/** The key that commands of a test have. */
const secrets = Layer.effect(Secrets, Secrets.under(Redacted.make(new Uint8Array(32)))).pipe(
  Layer.provideMerge(layerWebCrypto)
)

/** Backs up what a server recorded so far, as a process does that knows of backups it made before. */
export const backUpKnowing = (log: PlayedLog, folder: string, known: KnownBackups, full = false) =>
  Effect.gen(function* () {
    const reading = Layer.merge(
      BackupRepository.layer,
      JournalArchive.layer(log.source.archive).pipe(Layer.provide(ArchiveRepository.layer))
    ).pipe(Layer.provide(atUrl(log.source.url)))
    const request = { full, version: "1.2.3", personal: PERSONAL_TABLES }
    return yield* Effect.provide(backup(request, known), Layer.mergeAll(reading, FolderBackups.layer(folder), secrets))
  }).pipe(Effect.orDie)

/** Backs up what a server recorded so far. */
export const backUp = (log: PlayedLog, folder: string, full = false) =>
  Effect.map(backUpKnowing(log, folder, NOTHING_KNOWN, full), ({ report }) => report)

/** A played log, and a folder with a backup after every fifth act of it, of which each fourth is full. */
export interface BackupDrill {
  readonly log: PlayedLog
  readonly folder: string
  /** The sequence to which each backup goes. */
  readonly backups: ReadonlyArray<number>
  /** The state's hash at a sequence, as the events up to it alone make it. */
  readonly stateAt: (seq: number) => Effect.Effect<string | undefined>
}

export const backupDrill: Effect.Effect<BackupDrill, never, Scope.Scope> = Effect.gen(function* () {
  const [place, folder] = [yield* temporaryFolder, join(yield* temporaryFolder, "backups")]
  const backups: Array<number> = []
  let acts = 0
  const log = yield* playedLogWith((played) =>
    Effect.gen(function* () {
      acts += 1
      if (acts % 5 !== 1) return
      const made = yield* played.server.run(backUp(played, folder, acts % 20 === 1))
      backups.push(made.seq)
    })
  )
  const file = join(place, "events.jsonl")
  yield* Effect.orDie(exportEvents(log.source, file))
  const lines = readFileSync(file, "utf8").split("\n")
  const stateAt = Effect.fnUntraced(function* (seq: number) {
    const path = join(place, `${seq}.jsonl`)
    writeFileSync(path, `${[...lines.slice(0, seq), encodeEnd(seq)].join("\n")}\n`)
    const { state } = yield* Effect.orDie(replayLog({ _tag: "File", path }))
    return state.derived
  })
  return { log, folder, backups, stateAt }
})

/** Restores by the command, into a database of its own unless one is given. */
export const restoreTo = (
  folder: string,
  to: string,
  options: { readonly into?: TestDatabase; readonly key?: string; readonly args?: ReadonlyArray<string> } = {}
) =>
  Effect.gen(function* () {
    const database = options.into ?? (yield* Effect.orDie(emptyDatabase))
    const args = ["restore", "--to", to, "--json", ...(options.args ?? []), folder]
    const { code, stderr, stdout } = yield* runEmporion(args, { env: onDatabase(database.url, options.key) })
    return { code, stderr, database, report: stdout === "" ? undefined : (JSON.parse(stdout) as RestoreReport) }
  })
