import { Context, Effect, Layer } from "effect"
import { archivingStep, type ArchivingPlan } from "../../src/backup/JournalArchiving.ts"
import { ArchiveRepository } from "../../src/backup/ArchiveRepository.ts"
import { type BackupFailed, BackupStore } from "../../src/backup/BackupStore.ts"
import * as FolderBackups from "../../src/backup/FolderBackups.ts"
import type { PlayedLog } from "./PlayedLog.ts"

/** An archive in a folder; a fault is asked before each call and after it, and may fail or interrupt it. */
export const faultyStore = (folder: string, fault: Effect.Effect<void, BackupFailed>) =>
  Layer.effect(
    BackupStore,
    Effect.map(Layer.build(FolderBackups.layer(folder)), (built) => {
      const store = Context.get(built, BackupStore)
      const around = <A>(call: Effect.Effect<A, BackupFailed>) => Effect.andThen(fault, Effect.tap(call, fault))
      return BackupStore.of({
        ...store,
        put: (name, bytes) => around(store.put(name, bytes)),
        get: (name) => around(store.get(name)),
        size: (name) => around(store.size(name))
      })
    })
  )

/** Says that everything is told and counted, and that no answer is kept: what the server does while time passes. */
export const settled = (log: PlayedLog) =>
  Effect.gen(function* () {
    yield* log.sql("UPDATE webhook_cursor SET seq = (SELECT seq FROM projection)")
    yield* log.sql("UPDATE activity_position SET seq = (SELECT seq FROM projection)")
    yield* log.sql("UPDATE journal SET answers = NULL")
  })

/** Everything that may be archived, in short files. */
export const EVERYTHING: ArchivingPlan = { kept: 0, limit: 100, characters: 30_000, pageBytes: 4_000 }

/** Steps of a server that was started for them, until there is nothing to do; at most `most`. Answers how many. */
export const archive = (
  log: PlayedLog,
  store: Layer.Layer<BackupStore>,
  { horizon = Number.MAX_SAFE_INTEGER, most = 10_000, plan = EVERYTHING } = {}
) =>
  log.server.run(
    Effect.gen(function* () {
      const step = archivingStep(plan)
      let steps = 0
      for (let more: number | undefined = 0; more !== undefined && steps < most; steps++) {
        more = (yield* step(horizon)).next
      }
      return steps
    }).pipe(Effect.provide(Layer.merge(store, ArchiveRepository.layer)))
  )

/** What an archiving has left in the tables. */
interface Left {
  readonly rows: number
  readonly events: number
  readonly leaving: number
  readonly files: number
}

/** Counts what is left. */
export const left = (log: PlayedLog) =>
  Effect.map(
    log.sql<Left>(`
      SELECT (SELECT count(*) FROM journal)::int AS rows, (SELECT count(*) FROM events)::int AS events,
        (SELECT count(*) FROM events WHERE type = 'CommitmentSubmitted')::int AS leaving,
        (SELECT count(*) FROM journal_archives WHERE cleared)::int AS files`),
    ([row]) => row ?? { rows: 0, events: 0, leaving: 0, files: 0 }
  )
