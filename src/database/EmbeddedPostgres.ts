import { Context, Effect, Layer, Schedule } from "effect"
import type { Scope } from "effect"
import { closeSync } from "node:fs"
import { totalmem } from "node:os"
import { EmbeddedPostgresFailed, step } from "./EmbeddedPostgresFailed.ts"
import { findPostgresBinaries } from "./PostgresBinaries.ts"
import type { PostgresBinaries, PostgresBinariesMissing } from "./PostgresBinaries.ts"
import { DATABASE, ensureCluster, logTail, openLog, placeIn, USER } from "./PostgresCluster.ts"
import type { ClusterPlace } from "./PostgresCluster.ts"
import { findIsolation, isolated, signal, startProcess } from "./PostgresProcess.ts"
import type { Ended, Isolation, StartedProcess } from "./PostgresProcess.ts"
import { PORT, prepareSocketFolder, removeSocketFolder, socketFile, socketFolder } from "./PostgresSocket.ts"
import { isTaken, reclaim, recordOwner } from "./PostgresReclaim.ts"
import { readPostmaster } from "./Postmaster.ts"

/** How long a start may take, recovery from a crash included, in milliseconds. */
const START_LIMIT = 120_000
const POLL = 5

/** The signals of a fast stop, an immediate one and a kill, and how long each may take, in milliseconds. */
const STOPS = [
  ["SIGINT", 8_000],
  ["SIGQUIT", 2_000],
  ["SIGKILL", 2_000]
] as const

/** Waits between restarts: 100 ms, doubled up to 5 s. */
const RESTARTS = Schedule.min([Schedule.exponential(100), Schedule.spaced(5_000)])

const MAX_CONNECTIONS = 64

export interface EmbeddedPostgresOptions {
  /** An absolute folder, made when missing. */
  readonly dataDir: string
  /** Undefined: the one that works here. */
  readonly isolation?: Isolation
  /** False gives up durability for speed, only for tests. Default true. */
  readonly durable?: boolean
  /** How many it takes. By default as many as one server needs, with room for commands. */
  readonly maxConnections?: number
}

type Configured = Pick<EmbeddedPostgresOptions, "durable" | "maxConnections">

const MIB = 1024 * 1024

/** An eighth of the machine's memory, from 128 to 512 MiB. The part that is not used is not taken. */
export const sharedBuffers = (memory: number): number =>
  Math.min(512, Math.max(128, Math.floor(memory / 8 / MIB))) * MIB

/**
 * Where the shared buffers are too few for what is written, each statement first writes others' pages out, and now and
 * then waits for the disk to do it. Files of the write-ahead log are kept for reuse rather than made anew.
 *
 * Durability (fsync, synchronous_commit, full_page_writes) stays as PostgreSQL has it: on. A new file of the write-ahead
 * log is not filled with zeros first: every commit would wait meanwhile, for 80 ms and more. Where the system can, a
 * restart after a crash makes the files durable with one call for all of them instead of one for each of a thousand.
 */
const configuration = (
  folder: string,
  { durable = true, maxConnections = MAX_CONNECTIONS }: Configured
): ReadonlyArray<string> => [
  "listen_addresses=",
  `port=${PORT}`,
  `unix_socket_directories=${folder}`,
  "unix_socket_permissions=0700",
  `max_connections=${maxConnections}`,
  `shared_buffers=${(durable ? sharedBuffers(totalmem()) : sharedBuffers(0)) / MIB}MB`,
  "min_wal_size=512MB",
  "max_wal_size=2GB",
  "checkpoint_timeout=15min",
  "wal_compression=on",
  "wal_init_zero=off",
  "jit=off",
  "random_page_cost=1.1",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
  ...(process.platform === "linux" ? ["recovery_init_sync_method=syncfs"] : []),
  // Databases of tests are gone before it pays to look after them.
  ...(durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"])
]

/** How clients reach it. */
export interface EmbeddedConnection {
  /** The socket's file. */
  readonly path: string
  readonly username: string
  readonly database: string
}

/** A PostgreSQL of the program's own, in its data folder, reached over a socket that only its user can open. */
export class EmbeddedPostgres extends Context.Service<
  EmbeddedPostgres,
  {
    readonly connection: EmbeddedConnection
    /** The process, which changes when it is restarted. */
    readonly pid: Effect.Effect<number>
    /** Stops PostgreSQL at once, as a crash would. The supervisor starts it again. For tests. */
    readonly stopAtOnce: Effect.Effect<void>
  }
>()("emporion/database/EmbeddedPostgres") {
  static readonly layer = (
    options: EmbeddedPostgresOptions
  ): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresFailed | PostgresBinariesMissing> =>
    Layer.effect(this, startEmbeddedPostgres(options))
}

interface Server {
  readonly place: ClusterPlace
  readonly binaries: PostgresBinaries
  readonly isolation: Isolation
  readonly socket: string
  readonly configured: Configured
  /** The PostgreSQL last started; set before it is ready, so that it is never forgotten. */
  current: StartedProcess | undefined
}

const chooseIsolation = Effect.fnUntraced(function* (wanted: Isolation | undefined) {
  const isolation = wanted ?? (yield* findIsolation)
  if (isolation !== undefined) return isolation
  const message =
    "PostgreSQL does not run as root, and here root can neither make a user namespace nor become another user " +
    "(setpriv and unshare of util-linux): start as another user, or set DATABASE_URL to a PostgreSQL of your own."
  return yield* new EmbeddedPostgresFailed({ message })
})

const spawnServer = (server: Server): StartedProcess => {
  prepareSocketFolder(server.socket)
  const options = configuration(server.socket, server.configured).flatMap((option) => ["-c", option])
  const output = openLog(server.place.log)
  const command = [server.binaries.postgres, "-D", server.place.cluster, ...options]
  const started = startProcess(isolated(server.isolation, command), output)
  closeSync(output)
  started.child.unref()
  return started
}

const isReady = (server: Server, started: StartedProcess): boolean => {
  const postmaster = readPostmaster(server.place.cluster)
  return postmaster !== undefined && postmaster.pid === started.child.pid && postmaster.status === "ready"
}

const untilReady = Effect.fnUntraced(function* (server: Server, started: StartedProcess) {
  while (!isReady(server, started)) yield* Effect.sleep(POLL)
  recordOwner(server.place, started.child.pid ?? 0)
})

const failedStart = (server: Server, ended: Ended): EmbeddedPostgresFailed =>
  new EmbeddedPostgresFailed({
    message: `The embedded PostgreSQL did not start: ${ended.failure ?? logTail(server.place.log)} (${server.place.log})`
  })

/** Starts PostgreSQL and waits until it takes connections. */
const spawn = Effect.fn("EmbeddedPostgres.spawn")(function* (server: Server) {
  const started = yield* step("The embedded PostgreSQL cannot be started", () => {
    server.current = spawnServer(server)
    return server.current
  })
  const ended = Effect.promise(() => started.ended)
  yield* Effect.raceFirst(
    untilReady(server, started),
    Effect.flatMap(ended, (how) => Effect.fail(failedStart(server, how)))
  ).pipe(
    Effect.timeoutOrElse({
      duration: START_LIMIT,
      orElse: () => Effect.fail(failedStart(server, { code: null, signal: null, failure: "it is not ready in time" }))
    })
  )
})

/** A killed process may have started a PostgreSQL in its last moment, which takes the folder after it was looked at. */
const launch = Effect.fn("EmbeddedPostgres.launch")(function* (server: Server) {
  const freed = Effect.andThen(reclaim(server.place), spawn(server))
  yield* freed.pipe(
    Effect.catch((failure) => (server.current !== undefined && isTaken(server.place) ? freed : Effect.fail(failure)))
  )
})

const send = (started: StartedProcess, name: NodeJS.Signals): void => {
  const { pid, exitCode, signalCode } = started.child
  if (pid !== undefined && exitCode === null && signalCode === null) signal(pid, name)
}

/** Asks for a fast shutdown, then an immediate one, then kills. */
const end = Effect.fnUntraced(function* (started: StartedProcess) {
  const ended = Effect.promise(() => started.ended)
  for (const [name, limit] of STOPS) {
    send(started, name)
    const how = yield* Effect.timeoutOption(ended, limit)
    if (how._tag === "Some") return
  }
})

/** Stops what was started here. If nothing was, the socket's folder belongs to another server. */
const stop = Effect.fn("EmbeddedPostgres.stop")(function* (server: Server) {
  if (server.current === undefined) return
  yield* end(server.current)
  yield* removeSocketFolder(server.socket)
})

/** Starts PostgreSQL again whenever it ends. */
const supervise = Effect.fnUntraced(function* (server: Server) {
  while (server.current !== undefined) {
    const { ended } = server.current
    const how = yield* Effect.promise(() => ended)
    yield* Effect.logError(`PostgreSQL ended (${how.signal ?? how.code}): ${logTail(server.place.log)}. Restarting it.`)
    yield* launch(server).pipe(
      Effect.tapError((failure) => Effect.logError(failure.message)),
      Effect.retry(RESTARTS),
      Effect.orDie
    )
    yield* Effect.logInfo("PostgreSQL runs again.")
  }
})

/** Starts the embedded PostgreSQL, keeps it running, and stops it when the scope closes. */
export const startEmbeddedPostgres = Effect.fn("EmbeddedPostgres.start")(function* (
  options: EmbeddedPostgresOptions
): Effect.fn.Return<EmbeddedPostgres["Service"], EmbeddedPostgresFailed | PostgresBinariesMissing, Scope.Scope> {
  const place = placeIn(options.dataDir)
  const binaries = yield* findPostgresBinaries()
  const isolation = yield* chooseIsolation(options.isolation)
  yield* ensureCluster(place, binaries, isolation, options.durable ?? true)
  const socket = socketFolder(options.dataDir)
  const server: Server = { place, binaries, isolation, socket, configured: options, current: undefined }
  yield* Effect.addFinalizer(() => stop(server))
  yield* launch(server)
  yield* Effect.forkScoped(supervise(server))
  return EmbeddedPostgres.of({
    connection: { path: socketFile(socket), username: USER, database: DATABASE },
    pid: Effect.sync(() => server.current?.child.pid ?? 0),
    stopAtOnce: Effect.sync(() => {
      if (server.current !== undefined) send(server.current, "SIGQUIT")
    })
  })
})
