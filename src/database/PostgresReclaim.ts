/** Reclaims an embedded PostgreSQL: ends the one that a killed process left behind. */

import { Effect } from "effect"
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { EmbeddedPostgresFailed, step } from "./EmbeddedPostgresFailed.ts"
import type { ClusterPlace } from "./PostgresCluster.ts"
import { processInfo, signal } from "./PostgresProcess.ts"
import { postmasterFile, readPostmaster } from "./Postmaster.ts"

/** How long an orphan may take to shut down, then to be shut down at once, in milliseconds. */
const SHUTDOWN_LIMIT = 30_000
const IMMEDIATE_LIMIT = 5_000

/** How long a PostgreSQL may have no known owner, such as while another process starts it, in milliseconds. */
const OWNER_LIMIT = 5_000

/** How long a killed owner may still be seen, in milliseconds. */
const DEATH_LIMIT = 1_000
const POLL = 20

const ownerFile = (place: ClusterPlace): string => join(place.dataDir, "postgres.owner")

/** Records that this process owns the running PostgreSQL. */
export const recordOwner = (place: ClusterPlace, postmaster: number): void =>
  writeFileSync(ownerFile(place), `${process.pid} ${postmaster}\n`, { mode: 0o600 })

/** The process that owns the PostgreSQL, if it is recorded. */
const recordedOwner = (place: ClusterPlace, postmaster: number): number | undefined => {
  try {
    const [owner, owned] = readFileSync(ownerFile(place), "utf8").trim().split(" ").map(Number)
    return owned === postmaster ? owner : undefined
  } catch {
    return undefined
  }
}

type Found =
  | { readonly is: "gone" }
  /** The recorded process ended, yet its number is in use: nobody waited for it, or another program got it. */
  | { readonly is: "stale" }
  | { readonly is: "orphan"; readonly pid: number }
  | { readonly is: "owned"; readonly pid: number; readonly owner: number }
  | { readonly is: "unknown"; readonly pid: number }

/** Whether a process's parent ended before it could record what it started. A container's first process is no sign. */
const isAdopted = (parent: number): boolean => parent === 1 && process.pid !== 1

const look = (place: ClusterPlace): Found => {
  const postmaster = readPostmaster(place.cluster)
  if (postmaster === undefined || !signal(postmaster.pid, 0)) return { is: "gone" }
  const info = processInfo(postmaster.pid)
  if (info === undefined || !info.command.includes(place.cluster)) return { is: "stale" }
  const owner = recordedOwner(place, postmaster.pid)
  if (owner === undefined) return { is: isAdopted(info.parent) ? "orphan" : "unknown", pid: postmaster.pid }
  return info.parent === owner ? { is: "owned", pid: postmaster.pid, owner } : { is: "orphan", pid: postmaster.pid }
}

/** Looks until a predicate holds or the time is over; returns the last look. */
const lookUntil = Effect.fnUntraced(function* (place: ClusterPlace, limit: number, done: (found: Found) => boolean) {
  let found = look(place)
  for (let waited = 0; waited < limit && !done(found); waited += POLL) {
    yield* Effect.sleep(POLL)
    found = look(place)
  }
  return found
})

const isGone = (found: Found): boolean => found.is === "gone" || found.is === "stale"

/** Ends an orphan; returns how it ended. */
const shutDown = Effect.fnUntraced(function* (place: ClusterPlace, pid: number) {
  yield* Effect.logWarning(`Reclaiming the database of a process that was killed (PostgreSQL ${pid}).`)
  yield* Effect.sync(() => signal(pid, "SIGINT"))
  const interrupted = yield* lookUntil(place, SHUTDOWN_LIMIT, isGone)
  if (isGone(interrupted)) return interrupted
  yield* Effect.sync(() => signal(pid, "SIGQUIT"))
  const quit = yield* lookUntil(place, IMMEDIATE_LIMIT, isGone)
  if (isGone(quit)) return quit
  const message = `PostgreSQL (process ${pid}) on ${place.cluster} was left by a killed process and does not stop: end it.`
  return yield* new EmbeddedPostgresFailed({ message })
})

const isWorkingIn = (pid: string, folder: string): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false
  }
}

/** Whether a process of a PostgreSQL works in the folder: each of them has it as its working directory. */
const hasProcesses = (cluster: string): boolean =>
  readdirSync("/proc").some((name) => /^\d+$/.test(name) && isWorkingIn(name, cluster))

/**
 * Removes the record of an ended PostgreSQL, which would keep the next one from starting. With it PostgreSQL loses its
 * own way to see that processes of the ended one still write, so these are waited for first.
 */
const removeRecord = Effect.fnUntraced(function* (place: ClusterPlace) {
  if (process.platform !== "linux") yield* Effect.sleep(IMMEDIATE_LIMIT)
  for (let waited = 0; process.platform === "linux" && hasProcesses(place.cluster); waited += POLL) {
    if (waited > IMMEDIATE_LIMIT) {
      const message = `Processes of an ended PostgreSQL still work in ${place.cluster}: end them.`
      return yield* new EmbeddedPostgresFailed({ message })
    }
    yield* Effect.sleep(POLL)
  }
  yield* step("The old postmaster.pid cannot be removed", () => rmSync(postmasterFile(place.cluster), { force: true }))
})

/** Whether a PostgreSQL works on the data folder. */
export const isTaken = (place: ClusterPlace): boolean => !isGone(look(place))

/**
 * Makes sure that no PostgreSQL runs on the data folder: one left by a killed process is shut down; one that belongs
 * to a living process is left alone and refused.
 */
export const reclaim = Effect.fn("PostgresReclaim.reclaim")(function* (place: ClusterPlace) {
  const known = yield* lookUntil(place, OWNER_LIMIT, ({ is }) => is !== "unknown")
  const left = known.is === "owned" ? yield* lookUntil(place, DEATH_LIMIT, ({ is }) => is !== "owned") : known
  // One that was killed with its owner may be seen alive for a moment, and then ended without its record removed.
  const found = left.is === "orphan" ? yield* shutDown(place, left.pid) : left
  if (found.is === "stale") yield* removeRecord(place)
  if (found.is !== "owned" && found.is !== "unknown") return
  const holder = found.is === "owned" ? `another server (process ${found.owner})` : `PostgreSQL (process ${found.pid})`
  const message = `DATA_DIR ${place.dataDir} is in use by ${holder}: stop it, or choose another DATA_DIR.`
  return yield* new EmbeddedPostgresFailed({ message })
})
