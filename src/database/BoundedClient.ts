import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Context, Duration, Effect, Fiber, type Scope, Stream } from "effect"
import type { Reactivity } from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/** How long a request's statement may go without an answer, in milliseconds. */
export const STATEMENT_WAIT = 6_000

/** How long a transaction waits for a connection of its own, in milliseconds. */
const CONNECTION_WAIT = 5_000

/** How long a statement may go without an answer, in milliseconds, where what runs it says so. */
export const StatementWait = Context.Reference<number | undefined>("emporion/database/StatementWait", {
  defaultValue: () => undefined
})

const silence = (what: string): SqlError =>
  new SqlError({
    reason: new ConnectionError({ cause: new Error(what), message: what, operation: "query" })
  })

const SILENT = "PostgreSQL did not answer in time"

/** A connection whose statements fail where the server says nothing, which stands for one that is away. */
class Bounded implements Connection {
  readonly #connection: PgConnection.PgConnection
  readonly #wait: number
  readonly #isOwn: boolean
  readonly #drop: Effect.Effect<void>
  #isGone = false

  /** `isOwn`: no other fiber's statements are sent on it. */
  constructor(connection: PgConnection.PgConnection, wait: number, isOwn: boolean, drop: Effect.Effect<void>) {
    this.#connection = connection
    this.#wait = wait
    this.#isOwn = isOwn
    this.#drop = drop
  }

  execute(sql: string, params: ReadonlyArray<unknown>) {
    return this.#rows(this.#connection.query(sql, params))
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#rows(this.#connection.query(sql, params, false))
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.#ask(this.#connection.query(sql, params))
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.#ask(this.#connection.queryValues(sql, params))
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#ask(this.#connection.queryValues(sql, params, false))
  }

  executeStream(sql: string, params: ReadonlyArray<unknown>) {
    return Stream.suspend(() => this.#connection.stream(sql, params))
  }

  #rows(query: Effect.Effect<PgConnection.Result, SqlError>) {
    return Effect.map(this.#ask(query), ({ rows }) => rows)
  }

  #ask<A>(query: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.flatMap(StatementWait, (asked) => {
      if (this.#isGone) return Effect.fail(silence(SILENT))
      const duration = asked ?? this.#wait
      if (!Number.isFinite(duration)) return query
      return this.#isOwn ? this.#askApart(query, duration) : this.#askShared(query, duration)
    })
  }

  readonly #silent = Effect.suspend(() => {
    this.#isGone = true
    return Effect.andThen(this.#drop, Effect.fail(silence(SILENT)))
  })

  /** A shared connection lets go of a statement at once. */
  #askShared<A>(query: Effect.Effect<A, SqlError>, duration: Duration.Input): Effect.Effect<A, SqlError> {
    return Effect.timeoutOrElse(query, { duration, orElse: () => this.#silent })
  }

  /** One of its own waits for the end of what it asks the server to cancel, which is not waited for here. */
  #askApart<A>(query: Effect.Effect<A, SqlError>, duration: Duration.Input): Effect.Effect<A, SqlError> {
    return Effect.flatMap(Effect.forkDetach(query, { startImmediately: true }), (asking) =>
      Effect.timeoutOrElse(Fiber.join(asking), {
        duration,
        orElse: () => Effect.andThen(Effect.forkDetach(Fiber.interrupt(asking)), this.#silent)
      }).pipe(Effect.onInterrupt(() => Fiber.interrupt(asking)))
    )
  }
}

/** `COMMIT` answers `ROLLBACK` where a statement failed before. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(silence("COMMIT rolled back an aborted transaction"))
      : Effect.void
  )

const inTime = <A, R>(acquire: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
  Effect.timeoutOrElse(acquire, {
    duration: CONNECTION_WAIT,
    orElse: () => Effect.fail(silence("No connection to PostgreSQL became free in time"))
  })

/**
 * The driver's client with a deadline on each wait: for a connection, and for the answer to a statement. A connection on
 * which one passed is dropped, and the pool opens another. A server that hangs is so one that is away.
 *
 * @param wait - milliseconds that a statement may go without an answer
 */
export const make = Effect.fnUntraced(function* (
  config: PgClient.PgPoolConfig,
  wait: number = STATEMENT_WAIT
): Effect.fn.Return<PgClient.PgClient, SqlError, Scope.Scope | Reactivity> {
  const pool = yield* PgPool.make(config)
  const bounded = (connection: PgConnection.PgConnection, isOwn: boolean): Connection =>
    new Bounded(connection, wait, isOwn, pool.invalidate(connection))
  const isShared = config.multiplex === true

  const client = yield* SqlClient.make({
    acquirer: Effect.map(inTime(pool.get), (connection) => bounded(connection, !isShared)),
    borrower: (use) => pool.use((connection) => use(bounded(connection, !isShared))),
    transactionAcquirer: Effect.map(inTime(pool.reserve), (connection) => bounded(connection, true)),
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    compiler: PgClient.makeCompiler(),
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  // What it needs of the driver beside statements opens connections of its own, when it is used.
  const { json, listen, notify } = yield* PgClient.make({ ...config, minConnections: 0 })
  return Object.assign(client, { [PgClient.TypeId]: PgClient.TypeId, config, json, listen, notify })
})
