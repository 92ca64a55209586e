import { Effect } from "effect"
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { join } from "node:path"
import { EmbeddedPostgresFailed, step } from "./EmbeddedPostgresFailed.ts"
import type { PostgresBinaries } from "./PostgresBinaries.ts"
import { isolated, NOBODY, signal, startProcess } from "./PostgresProcess.ts"
import type { Isolation } from "./PostgresProcess.ts"

/** The superuser and only role of the embedded database. */
export const USER = "emporion"

/** The database that the program uses. */
export const DATABASE = "emporion"

/** The size of the log at which a start moves it aside. */
const LOG_LIMIT = 16 * 1024 * 1024

/** Last characters of the log that an error repeats. */
const LOG_SHOWN = 1_000

/** Where one embedded database keeps everything. */
export interface ClusterPlace {
  /** The folder that PostgreSQL calls its data directory. */
  readonly cluster: string
  /** PostgreSQL's log. */
  readonly log: string
  readonly dataDir: string
}

export const placeIn = (dataDir: string): ClusterPlace => ({
  dataDir,
  cluster: join(dataDir, "postgres"),
  log: join(dataDir, "postgres.log")
})

/** The end of the log, on one line, for an error. */
export const logTail = (log: string): string => {
  if (!existsSync(log)) return "it said nothing"
  const tail = readFileSync(log, "utf8").slice(-LOG_SHOWN).trim().split("\n").slice(-3)
  return tail.map((line) => line.trim()).join(" | ") || "it said nothing"
}

/** Opens the log for PostgreSQL to write to. */
export const openLog = (log: string): number => {
  if (existsSync(log) && statSync(log).size > LOG_LIMIT) renameSync(log, `${log}.1`)
  return openSync(log, "a", 0o600)
}

/** Runs a program of PostgreSQL to its end. */
const run = Effect.fnUntraced(function* (place: ClusterPlace, command: ReadonlyArray<string>, input?: string) {
  const output = yield* step("The database's log cannot be written", () => openLog(place.log))
  const ended = yield* Effect.promise(() => startProcess(command, output, input).ended)
  yield* Effect.sync(() => closeSync(output))
  if (ended.code === 0) return
  const message = `The embedded PostgreSQL could not make its data folder: ${ended.failure ?? logTail(place.log)}`
  return yield* new EmbeddedPostgresFailed({ message })
})

const chownAll = (folder: string, owner: number): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(folder, name), owner, owner)
  }
  chownSync(folder, owner, owner)
}

/** PostgreSQL refuses a folder that belongs to another user than itself. */
export const giveTo = (folder: string, isolation: Isolation): void => {
  const owner = isolation === "nobody" ? NOBODY : process.getuid?.()
  if (owner === undefined || process.getuid?.() !== 0 || statSync(folder).uid === owner) return
  chownAll(folder, owner)
}

/** Removes what interrupted first starts left. */
const removeDrafts = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) {
    const pid = /^postgres\.draft-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !signal(Number(pid), 0)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** One call for all files where the system can, instead of one for each of a thousand. */
const syncOptions = (sync: boolean): ReadonlyArray<string> => {
  if (!sync) return ["--no-sync"]
  return process.platform === "linux" ? ["--sync-method=syncfs"] : []
}

const initialize = Effect.fn("PostgresCluster.initialize")(function* (
  place: ClusterPlace,
  binaries: PostgresBinaries,
  isolation: Isolation,
  sync: boolean
) {
  const draft = join(place.dataDir, `postgres.draft-${process.pid}`)
  yield* step(`DATA_DIR ${place.dataDir} cannot be written`, () => {
    removeDrafts(place.dataDir)
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { mode: 0o700 })
    giveTo(draft, isolation)
  })
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
  const options = [`--pgdata=${draft}`, `--username=${USER}`, "--auth=trust", ...locale, ...syncOptions(sync)]
  yield* run(place, isolated(isolation, [binaries.initdb, ...options]))
  const single = [binaries.postgres, "--single", "-D", draft, "-c", "log_checkpoints=off", "postgres"]
  yield* run(place, isolated(isolation, single), `CREATE DATABASE ${DATABASE}\n`)
  yield* step(`DATA_DIR ${place.dataDir} cannot be written`, () => renameSync(draft, place.cluster))
})

/** Makes the data folder and the database in it, whole or not at all, unless they are there. */
export const ensureCluster = Effect.fn("PostgresCluster.ensure")(function* (
  place: ClusterPlace,
  binaries: PostgresBinaries,
  isolation: Isolation,
  sync: boolean
) {
  yield* step(`DATA_DIR ${place.dataDir} cannot be made`, () => {
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
  })
  if (!existsSync(place.cluster)) yield* initialize(place, binaries, isolation, sync)
  yield* step(`The owner of ${place.cluster} cannot be set`, () => {
    giveTo(place.cluster, isolation)
    chmodSync(place.cluster, 0o700)
  })
})
