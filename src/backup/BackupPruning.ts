/** Which backups and files are needed no more, and their removal. */

import { Effect } from "effect"
import { chunkName, chunkNames } from "./BackupChunk.ts"
import { getManifest, type ManifestName } from "./BackupManifest.ts"
import { BackupStore } from "./BackupStore.ts"

const DAY = 86_400_000

/** Days for which increments stay that a later full backup makes needless. */
export const INCREMENT_DAYS = 7

/** Files that are read or removed at once. */
const CONCURRENCY = 8

/** What a pruning removed. */
export interface Pruned {
  readonly backups: number
  readonly files: number
}

const lastFull = (names: ReadonlyArray<ManifestName>, until: number): number =>
  names.findLastIndex(({ kind, madeAt }) => kind === "full" && madeAt <= until)

/**
 * The backups that nobody needs to restore any commit of the last days: those before the last full one that is as old, and
 * increments older than {@link INCREMENT_DAYS} before a full one that is as old too, because that one has the journal.
 */
export const needless = (
  names: ReadonlyArray<ManifestName>,
  now: number,
  keepDays: number
): ReadonlyArray<ManifestName> => {
  const first = lastFull(names, now - keepDays * DAY)
  const thinned = lastFull(names, now - INCREMENT_DAYS * DAY)
  return names.filter(({ kind }, at) => at < first || (at < thinned && kind === "increment"))
}

/**
 * Removes backups that are {@link needless}, oldest first, and then the files that no other backup names. Stopped at any
 * moment, it leaves backups that are whole; the next one goes on. No other backup of the database may run meanwhile.
 */
export const prune = Effect.fn("backup.prune")(function* (
  names: ReadonlyArray<ManifestName>,
  now: number,
  keepDays: number
) {
  const { remove } = yield* BackupStore
  const going = needless(names, now, keepDays)
  for (const { name } of going) yield* remove(name)
  const gone = new Set(going)
  const needed = new Set<string>()
  yield* Effect.forEach(
    names.filter((name) => !gone.has(name)),
    ({ name }) =>
      Effect.map(getManifest(name), ({ journal, tables }) => {
        for (const { chunks } of [...tables, journal]) for (const hash of chunks) needed.add(chunkName(hash))
      }),
    { concurrency: CONCURRENCY, discard: true }
  )
  const left = (yield* chunkNames).filter((name) => !needed.has(name))
  yield* Effect.forEach(left, remove, { concurrency: CONCURRENCY, discard: true })
  return { backups: going.length, files: left.length } satisfies Pruned
})
