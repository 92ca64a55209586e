import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Data, Deferred, Effect, Exit, Layer, Schedule, Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { WriterAddress } from "./WriterTerm.ts"

/** Another process works on this database. Its message is one sentence that says what to do. */
export class ProcessLockTaken extends Data.TaggedError("ProcessLockTaken")<{ readonly message: string }> {}

/** The key of the advisory lock: "empor" in ASCII. */
const LOCK = 0x656d_706f_72

/** How long a start waits until PostgreSQL notices that a killed predecessor's connection is gone, in milliseconds. */
const WAIT_LIMIT = 3_000
const POLL = 100

/** How long the last writer's session may take to end, in milliseconds. */
const END_LIMIT = 2_000

/** How often to check the lock's connection, and the pause between attempts to reconnect. */
const PROBE_INTERVAL = 1_000
const RECONNECT = Schedule.spaced(250)

/** How long one question to the lock's connection may take, in milliseconds. */
const ANSWER_LIMIT = 5_000

/**
 * How long the lock outlives a process that is stopped or cut off, in milliseconds: PostgreSQL ends a session that asks
 * nothing for so long, and the connection of a machine that does not answer.
 */
const SILENCE_LIMIT = 10_000

const SESSION: Readonly<Record<string, string>> = {
  idle_session_timeout: String(SILENCE_LIMIT),
  tcp_keepalives_idle: "4",
  tcp_keepalives_interval: "2",
  tcp_keepalives_count: "3"
}

export interface ProcessLockOptions {
  /** Milliseconds to wait for the holder to end. */
  readonly wait?: number
}

/** The holder of the lock, and since when. */
const HOLDERS = `pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((l.classid::bigint << 32) | l.objid::bigint) = $1::bigint`

/**
 * Ends the session that holds the lock for the node that wrote last. One that took the lock later than that node took its
 * term is somebody else's and stays.
 */
const dispossess = (connection: PgConnection.PgConnection): Effect.Effect<void> =>
  ask(
    connection,
    `SELECT pg_terminate_backend(a.pid, ${END_LIMIT}) FROM writer_term w, ${HOLDERS}
      AND w.address IS NOT NULL AND a.backend_start < w.taken_at`,
    [BigInt(LOCK)]
  ).pipe(
    Effect.asVoid,
    // The first node of all finds no terms.
    Effect.ignore
  )

/** A node that may write, and since when it has been connected, as PostgreSQL says it. */
interface LockedNode {
  readonly address: string
  readonly since: string
}

const lockedNode = (connection: PgConnection.PgConnection, address: string): Effect.Effect<LockedNode, SqlError> =>
  Effect.map(
    ask(connection, "SELECT backend_start::text AS since FROM pg_stat_activity WHERE pid = pg_backend_pid()"),
    ({ rows }) => ({ address, since: String(rows[0]?.["since"]) })
  )

/**
 * Whether another node took the term since this one was connected first. Then this one is about to end, and whoever is
 * elected next would wait for its lock.
 */
const isReplaced = (connection: PgConnection.PgConnection, { address, since }: LockedNode) =>
  Effect.map(
    ask(
      connection,
      "SELECT 1 FROM writer_term WHERE address IS DISTINCT FROM $1 AND taken_at > $2::text::timestamptz",
      [address, since]
    ),
    ({ rows }) => rows.length > 0
    // Before the first migration nobody has a term. A connection that is lost again is noticed as before.
  ).pipe(Effect.orElseSucceed(() => false))

interface Holder {
  readonly pid: number
  readonly application: string
  readonly address: string | null
  readonly since: string
}

const silent = new SqlError({ reason: new ConnectionError({ cause: new Error("PostgreSQL does not answer") }) })

/** Checks the lock's connection, and does not wait for an answer for ever. */
const ask = (connection: PgConnection.PgConnection, text: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.timeoutOrElse(connection.query(text, parameters), {
    duration: ANSWER_LIMIT,
    orElse: () => Effect.fail(silent)
  })

const tryLock = (connection: PgConnection.PgConnection): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    ask(connection, "SELECT pg_try_advisory_lock($1::bigint) AS taken", [BigInt(LOCK)]),
    ({ rows }) => rows[0]?.["taken"] === true
  )

const HOLDER = `SELECT a.pid, a.application_name AS application, host(a.client_addr) AS address, a.backend_start::text AS since
  FROM ${HOLDERS}`

const taken = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
  const { rows } = yield* ask(connection, HOLDER, [BigInt(LOCK)])
  const [holder] = rows as unknown as ReadonlyArray<Holder>
  const who =
    holder === undefined
      ? ""
      : ` (${holder.application || "unnamed"} from ${holder.address ?? "this machine"}, connected since ${holder.since})`
  const message = `Another server works on this database${who}: stop it first, or give this one a database of its own.`
  return new ProcessLockTaken({ message })
})

interface Session {
  readonly connection: PgConnection.PgConnection
  readonly scope: Scope.Closeable
}

const close = (session: Session): Effect.Effect<void> => Scope.close(session.scope, Exit.void)

const lockOn = Effect.fnUntraced(function* (config: PgClient.PgClientConfig, wait: number, isSuccessor: boolean) {
  const connection = yield* PgConnection.make({
    ...config,
    multiplex: true,
    applicationName: "emporion lock",
    startupParameters: { ...config.startupParameters, ...SESSION }
  })
  if (isSuccessor && !(yield* tryLock(connection))) yield* dispossess(connection)
  for (let waited = 0; !(yield* tryLock(connection)); waited += POLL) {
    if (waited >= wait) return yield* Effect.flatMap(taken(connection), Effect.fail)
    yield* Effect.sleep(POLL)
  }
  return connection
})

/**
 * Connects and takes the lock, which lasts as long as the connection.
 *
 * @param isSuccessor - whether the node that wrote last is to give it up
 */
const acquire = Effect.fn("ProcessLock.acquire")(function* (
  config: PgClient.PgClientConfig,
  wait: number,
  isSuccessor = false
) {
  const scope = yield* Scope.make()
  return yield* lockOn(config, wait, isSuccessor).pipe(
    Scope.provide(scope),
    Effect.map((connection): Session => ({ connection, scope })),
    Effect.onError(() => Scope.close(scope, Exit.void))
  )
})

/** Ends, with the error, when the connection does not answer any more. */
const untilLost = (connection: PgConnection.PgConnection): Effect.Effect<never, SqlError> =>
  Effect.forever(Effect.delay(ask(connection, "SELECT 1"), PROBE_INTERVAL))

const REPLACED = "Another node writes on this database since: this one ends, to be started again."

/** Keeps the lock only if no other node has begun to write. */
const unlessReplaced = Effect.fnUntraced(function* (session: Session, node: LockedNode) {
  if (!(yield* isReplaced(session.connection, node))) return session
  yield* close(session)
  return yield* new ProcessLockTaken({ message: REPLACED })
})

/** Takes the lock again, however long the database is away for. */
const reacquire = (
  config: PgClient.PgClientConfig,
  wait: number,
  node: LockedNode | undefined
): Effect.Effect<Session, ProcessLockTaken> =>
  acquire(config, wait).pipe(
    Effect.flatMap((session) => (node === undefined ? Effect.succeed(session) : unlessReplaced(session, node))),
    Effect.retry({ schedule: RECONNECT, while: (error) => error._tag === "SqlError" }),
    Effect.catchTag("SqlError", Effect.die)
  )

/** This process's right to be the only one whose actors decide on this database. */
export class ProcessLock extends Context.Service<
  ProcessLock,
  {
    /**
     * Fails when the connection was lost and another process took the lock meanwhile: this process must stop. The
     * writer's term refuses its appends in any case.
     */
    readonly lost: Effect.Effect<never, ProcessLockTaken>
    /** Whether the lock is held now. */
    readonly isHeld: Effect.Effect<boolean>
  }
>()("emporion/database/ProcessLock") {
  /** Takes the lock when it is built, takes it again after the database was away, and releases it at the end. */
  static readonly layer = (
    options: ProcessLockOptions = {}
  ): Layer.Layer<ProcessLock, ProcessLockTaken | SqlError, PgClient.PgClient> =>
    Layer.effect(this, hold(options.wait ?? WAIT_LIMIT))
}

const hold = Effect.fnUntraced(function* (wait: number) {
  const { config } = yield* PgClient.PgClient
  const lost = yield* Deferred.make<never, ProcessLockTaken>()
  let isHeld = true
  const address = yield* WriterAddress
  let session: Session = yield* acquire(config, wait, address !== undefined)
  yield* Effect.addFinalizer(() => Effect.suspend(() => close(session)))
  const node = address === undefined ? undefined : yield* lockedNode(session.connection, address)

  const watch = Effect.gen(function* () {
    const error = yield* Effect.flip(untilLost(session.connection))
    isHeld = false
    yield* Effect.logWarning(`The process lock's connection was lost (${error.message}). Taking it again.`)
    yield* close(session)
    session = yield* reacquire(config, wait, node)
    isHeld = true
    yield* Effect.logInfo("The process lock is held again.")
  })

  yield* Effect.forkScoped(
    Effect.forever(watch).pipe(
      Effect.catchTag("ProcessLockTaken", (error) => Deferred.fail(lost, error)),
      Effect.tapDefect((defect) => Effect.logError("The process lock is not watched any more.", defect))
    )
  )
  return ProcessLock.of({ lost: Deferred.await(lost), isHeld: Effect.sync(() => isHeld) })
})
