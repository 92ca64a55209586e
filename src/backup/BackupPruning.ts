/** Which backups and files are needed no more, and their removal. */

import { Effect, Schedule } from "effect"
import { chunkName, chunkNames } from "./BackupChunk.ts"
import { getManifest, type ManifestName, manifestNames } from "./BackupManifest.ts"
import { BackupRepository } from "./BackupRepository.ts"
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

/** There was nothing to remove. */
export const NOTHING_PRUNED: Pruned = { backups: 0, files: 0 }

const lastFull = (names: ReadonlyArray<ManifestName>, until: number): number =>
  names.findLastIndex(({ kind, madeAt }) => kind === "full" && madeAt <= until)

/**
 * The backups that go: those before the last full one that is older than the days, and increments before the last full one
 * that is older than {@link INCREMENT_DAYS}. So any moment of those last days is left, and before them what the full ones show.
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

/** How often a pruning makes sure that no other backup runs. */
const LOOKING_INTERVAL = "30 seconds"

const removeAll = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const { remove } = yield* BackupStore
  yield* Effect.forEach(names, remove, { concurrency: CONCURRENCY, discard: true })
})

/** The names of the files that backups need. */
const neededBy = Effect.fnUntraced(function* (names: ReadonlyArray<ManifestName>) {
  const needed = new Set<string>()
  yield* Effect.forEach(
    names,
    ({ name }) =>
      Effect.map(getManifest(name), ({ journal, tables }) => {
        for (const { chunks } of [...tables, journal]) for (const hash of chunks) needed.add(chunkName(hash))
      }),
    { concurrency: CONCURRENCY, discard: true }
  )
  return needed
})

/**
 * Removes backups that are {@link needless}, and then the files that no other backup names. Stopped at any moment, it leaves
 * backups that restore what they did; the next one goes on. No other backup of the database may run meanwhile. The files are
 * listed first, so that one which is written later is none of them.
 */
export const prune = Effect.fn("backup.prune")(function* (now: number, keepDays: number) {
  const chunks = yield* chunkNames
  const names = yield* manifestNames()
  const going = new Set(needless(names, now, keepDays))
  yield* removeAll([...going].map(({ name }) => name))
  const needed = yield* neededBy(names.filter((name) => !going.has(name)))
  const left = chunks.filter((name) => !needed.has(name))
  yield* removeAll(left)
  return { backups: going.size, files: left.length } satisfies Pruned
})

/** The same while the database makes sure that it is the only one, and no longer. */
export const pruneAlone = Effect.fn("backup.pruneAlone")(function* (now: number, keepDays: number) {
  const { atOneMoment, isAlone } = yield* BackupRepository
  const looking = Effect.repeat(isAlone, Schedule.spaced(LOOKING_INTERVAL))
  return yield* atOneMoment(
    Effect.flatMap(isAlone, (alone) =>
      // Another one prunes or backs up now; the next full backup has a pruning of its own.
      alone
        ? Effect.raceFirst(prune(now, keepDays), Effect.andThen(looking, Effect.never))
        : Effect.succeed(NOTHING_PRUNED)
    )
  )
})
