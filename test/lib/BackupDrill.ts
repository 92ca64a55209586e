import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { encodeEnd } from "../../engine/replay/StoredEvent.ts"
import { PERSONAL_TABLES } from "../../src/App.ts"
import { ArchiveRepository } from "../../src/backup/ArchiveRepository.ts"
import { JournalArchive } from "../../src/backup/JournalArchive.ts"
import { backup, type KnownBackups, NOTHING_KNOWN } from "../../src/backup/Backup.ts"
import { BackupRepository } from "../../src/backup/BackupRepository.ts"
import { BackupStore } from "../../src/backup/BackupStore.ts"
import * as FolderBackups from "../../src/backup/FolderBackups.ts"
import { exportEvents } from "../../src/cli/Exporting.ts"
import { replayLog } from "../../src/cli/Replaying.ts"
import type { RestoreReport } from "../../src/cli/Restoring.ts"
import { atUrl } from "../../src/database/ReadOnlyDatabase.ts"
import { Secrets } from "../../src/identity/secrets/Secrets.ts"
import { onDatabase } from "./CliProcess.ts"
import { commandHere } from "./CommandLine.ts"
import { PlayedLog, playedLogWith } from "./PlayedLog.ts"
import { emptyDatabase, type TestDatabase } from "./TestDatabase.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

/** The key that commands of a test have. */
const secrets = Layer.effect(Secrets, Secrets.under(Redacted.make(new Uint8Array(32)))).pipe(
  Layer.provideMerge(layerWebCrypto)
)

const readingOf = ({ source }: PlayedLog) =>
  Layer.merge(
    BackupRepository.layer,
    JournalArchive.layer(source.archive).pipe(Layer.provide(ArchiveRepository.layer))
  ).pipe(Layer.provide(atUrl(source.url)))

const writingTo = (folder: string) => Layer.merge(FolderBackups.layer(folder), secrets)

const requestOf = (full: boolean) => ({ full, version: "1.2.3", personal: PERSONAL_TABLES })

/** Backs up what a server recorded so far, as a process does that knows of backups it made before. */
export const backUpKnowing = (log: PlayedLog, folder: string, known: KnownBackups, full = false) =>
  Effect.orDie(Effect.provide(backup(requestOf(full), known), Layer.merge(readingOf(log), writingTo(folder))))

/** Backs up what a server recorded so far. */
export const backUp = (log: PlayedLog, folder: string, full = false) =>
  Effect.map(backUpKnowing(log, folder, NOTHING_KNOWN, full), ({ report }) => report)

/**
 * Backs up again and again, as one process does that goes on: it keeps its connection, and what it knows of the backup before.
 * Tells also how many rows it read of which tables, and which folders it listed.
 */
export const backingUp = (log: PlayedLog, folder: string) =>
  Effect.gen(function* () {
    const reading = yield* Effect.orDie(Layer.build(readingOf(log)))
    const repository = Context.get(reading, BackupRepository)
    const read = new Map<string, number>()
    const noting = Context.add(reading, BackupRepository, {
      ...repository,
      each: (table, take, part) => {
        const note = (count: number): void => void read.set(table.name, (read.get(table.name) ?? 0) + count)
        note(0)
        return repository.each(table, (rows) => Effect.map(take(rows), () => note(rows.length)), part)
      }
    })
    const writing = yield* Layer.build(writingTo(folder))
    const store = Context.get(writing, BackupStore)
    const listed = new Set<string>()
    const listing = Context.add(writing, BackupStore, {
      ...store,
      list: (name, after) => {
        listed.add(name)
        return store.list(name, after)
      }
    })
    let known = NOTHING_KNOWN
    return (full = false) =>
      Effect.gen(function* () {
        const made = yield* backup(requestOf(full), known)
        known = made.known
        const rows: ReadonlyMap<string, number> = new Map(read)
        const folders: ReadonlySet<string> = new Set(listed)
        read.clear()
        listed.clear()
        return { report: made.report, rows, read: [...rows.keys()], folders }
      }).pipe(Effect.provideContext(Context.merge(noting, listing)), Effect.orDie)
  })

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
    const { code, stderr, stdout } = yield* commandHere(args, onDatabase(database.url, options.key))
    return { code, stderr, database, report: stdout === "" ? undefined : (JSON.parse(stdout) as RestoreReport) }
  })
