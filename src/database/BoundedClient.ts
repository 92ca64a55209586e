import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Context, Deferred, Effect, Exit, Fiber, Layer, type Scope, Stream } from "effect"
import { layer as ReactivityLayer, type Reactivity } from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Acquirer, Borrower, Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { Presence } from "./Presence.ts"
import { TablePosition } from "./ProjectedPosition.ts"

/** A client whose statements never wait for the tables to follow the journal, on the same connections. */
export class Direct extends Context.Service<Direct, SqlClient.SqlClient>()("emporion/database/Direct") {}

/** Has what asks for a client never wait for the tables. */
export const directly: Layer.Layer<SqlClient.SqlClient, never, Direct> = Layer.effect(SqlClient.SqlClient, Direct)

/**
 * What each connection of this process is asked before its first statement. A writer that was replaced while it was stopped
 * finds its connections ended, and opens others: their check tells it so before it reads what its successor wrote.
 */
export class ConnectionCheck extends Context.Service<ConnectionCheck, ConnectionChecking>()(
  "emporion/database/ConnectionCheck"
) {}

type Check = (connection: Connection) => Effect.Effect<void, SqlError>

/** Connections that passed the check, which is nothing until it is set. */
export class ConnectionChecking {
  #check: Check | undefined
  readonly #passed = new WeakSet<PgConnection.PgConnection>()

  /** Asks every connection until the scope ends, also those that are open. */
  readonly set = (check: Check): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        this.#check = check
      }),
      () =>
        Effect.sync(() => {
          if (this.#check === check) this.#check = undefined
        })
    )

  /**
   * Runs behind the connection's check, which fails in its place.
   *
   * @param lent - the same connection as its lender bounds it: the check waits for no longer than other statements
   */
  readonly behind = <A, E, R>(
    connection: PgConnection.PgConnection,
    lent: Connection,
    use: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | SqlError, R> => {
    const check = this.#check
    if (check === undefined || this.#passed.has(connection)) return use
    const passed = Effect.sync(() => void this.#passed.add(connection))
    return Effect.andThen(Effect.andThen(check(lent), passed), use)
  }
}

/** How long a request's statement may go without an answer, in milliseconds. */
export const STATEMENT_WAIT = 6_000

/** How long a transaction waits for a connection of its own, in milliseconds. */
const CONNECTION_WAIT = 5_000

/** How long the server may take to end a statement that it was asked to cancel, in milliseconds. */
const CANCEL_WAIT = 1_000

/** Statements outside of transactions that may wait for a connection or an answer at once. */
const MAX_STATEMENTS = 4_096

/** How long a statement may go without an answer, in milliseconds, if its caller sets that. */
export const StatementWait = Context.Reference<number | undefined>("emporion/database/StatementWait", {
  defaultValue: () => undefined
})

const silence = (what: string): SqlError =>
  new SqlError({
    reason: new ConnectionError({ cause: new Error(what), message: what, operation: "query" })
  })

const SILENT = "PostgreSQL did not answer in time"
const AWAY = "PostgreSQL does not answer"
const TOO_MANY = "Too many statements wait for PostgreSQL"

/** A connection on which statements may wait for ever: its lender has the deadline. */
class Lent implements Connection {
  readonly #connection: PgConnection.PgConnection

  constructor(connection: PgConnection.PgConnection) {
    this.#connection = connection
  }

  execute(sql: string, params: ReadonlyArray<unknown>) {
    return this.#rows(this.#connection.query(sql, params))
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#rows(this.#connection.query(sql, params, false))
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.ask(this.#connection.query(sql, params))
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.ask(this.#connection.queryValues(sql, params))
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.ask(this.#connection.queryValues(sql, params, false))
  }

  executeStream(sql: string, params: ReadonlyArray<unknown>) {
    return Stream.suspend(() => this.#connection.stream(sql, params))
  }

  protected ask<A>(query: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return query
  }

  #rows(query: Effect.Effect<PgConnection.Result, SqlError>) {
    return Effect.map(this.ask(query), ({ rows }) => rows)
  }
}

/** A private connection whose statements fail if the server says nothing. A silent server counts as away. */
class Bounded extends Lent {
  readonly #wait: number
  readonly #drop: Effect.Effect<void>
  #isGone = false

  constructor(connection: PgConnection.PgConnection, wait: number, drop: Effect.Effect<void>) {
    super(connection)
    this.#wait = wait
    this.#drop = drop
  }

  /** The driver waits for the end of a statement that it asks the server to cancel. This does not. */
  protected override ask<A>(query: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.flatMap(StatementWait, (asked) => {
      if (this.#isGone) return Effect.fail(silence(SILENT))
      const duration = asked ?? this.#wait
      if (!Number.isFinite(duration)) return query
      return Effect.flatMap(Effect.forkDetach(query, { startImmediately: true }), (asking) =>
        Effect.timeoutOrElse(Fiber.join(asking), {
          duration,
          orElse: () => Effect.andThen(Effect.forkDetach(Fiber.interrupt(asking)), this.#silent)
        }).pipe(Effect.onInterrupt(() => this.#cancelled(asking)))
      )
    })
  }

  /** The next statement on the connection waits for the end of a cancelled one, but not for ever. */
  readonly #cancelled = Effect.fnUntraced(
    { self: this },
    function* (this: Bounded, asking: Fiber.Fiber<unknown, unknown>) {
      const ended = Deferred.makeUnsafe<boolean>()
      asking.addObserver(() => Deferred.doneUnsafe(ended, Exit.succeed(true)))
      asking.interruptUnsafe()
      const late = yield* Effect.forkDetach(Effect.delay(Deferred.succeed(ended, false), CANCEL_WAIT))
      const isEnded = yield* Deferred.await(ended)
      late.interruptUnsafe()
      if (!isEnded) yield* Effect.ignore(this.#silent)
    }
  )

  readonly #silent = Effect.suspend(() => {
    this.#isGone = true
    return Effect.andThen(this.#drop, Effect.fail(silence(SILENT)))
  })
}

/** `COMMIT` answers `ROLLBACK` if a statement failed before. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(silence("COMMIT rolled back an aborted transaction"))
      : Effect.void
  )

const NO_CONNECTION = "No connection to PostgreSQL became free in time"

const inTime = <A, R>(acquire: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
  Effect.timeoutOrElse(acquire, { duration: CONNECTION_WAIT, orElse: () => Effect.fail(silence(NO_CONNECTION)) })

/** Drops a connection, once: each call would make the pool check its size. */
const makeDrop = (pool: PgPool.PgPool) => {
  const dropped = new WeakSet<PgConnection.PgConnection>()
  return (connection: PgConnection.PgConnection): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (dropped.has(connection)) return Effect.void
      dropped.add(connection)
      return pool.invalidate(connection)
    })
}

/** Lends connections. Each wait for one, and for an answer on it, is bounded. */
const makeLending = Effect.fnUntraced(function* (
  pool: PgPool.PgPool,
  { check, isShared, wait }: { readonly check: ConnectionChecking; readonly isShared: boolean; readonly wait: number }
) {
  const drop = makeDrop(pool)
  const look = pool.use((connection) => connection.query("SELECT 1", [], false))
  const presence = new Presence(look, yield* Effect.scope)
  let underWay = 0

  const silent = (connection: PgConnection.PgConnection): Effect.Effect<void> =>
    Effect.andThen(drop(connection), presence.doubt)
  const own = (connection: PgConnection.PgConnection): Connection => new Bounded(connection, wait, silent(connection))

  const unlessAway = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.suspend((): Effect.Effect<A, E | SqlError, R> => (presence.isAway ? Effect.fail(silence(AWAY)) : effect))

  const acquired = <R>(acquire: Effect.Effect<PgConnection.PgConnection, SqlError, R>) =>
    Effect.tapError(inTime(acquire), () => presence.doubt)

  /** One statement on a connection that others share: the wait for the connection counts as well. */
  const shared: Borrower = (use) =>
    Effect.flatMap(StatementWait, (asked) => {
      if (presence.isAway) return Effect.fail(silence(AWAY))
      if (underWay >= MAX_STATEMENTS) return Effect.fail(silence(TOO_MANY))
      underWay += 1
      let lent: PgConnection.PgConnection | undefined
      const sent = pool.use((connection) => {
        lent = connection
        const bounded = new Lent(connection)
        return check.behind(connection, bounded, use(bounded))
      })
      return Effect.timeoutOrElse(sent, {
        duration: asked ?? wait,
        orElse: () =>
          Effect.andThen(
            lent === undefined ? presence.doubt : silent(lent),
            Effect.fail(silence(lent === undefined ? NO_CONNECTION : SILENT))
          )
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            underWay -= 1
          })
        )
      )
    })

  const alone: Borrower = (use) =>
    unlessAway(
      pool.use((connection) => {
        const bounded = own(connection)
        return check.behind(connection, bounded, use(bounded))
      })
    )
  const checked = Effect.flatMap(acquired(pool.get), (connection) =>
    check.behind(connection, own(connection), Effect.succeed(connection))
  )
  return {
    borrower: isShared ? shared : alone,
    acquirer: unlessAway(Effect.map(checked, own)),
    // As the pool itself reserves one, behind the check.
    reserver: unlessAway(
      Effect.map(
        Effect.flatMap(checked, ({ pin }) => acquired(pin)),
        own
      )
    )
  }
})

/** The clients on one pool of connections. */
export interface Clients {
  /** Its statements and transactions begin once the tables have every event that was told before. */
  readonly tables: PgClient.PgClient
  readonly direct: Direct["Service"]
  readonly position: TablePosition["Service"]
  readonly check: ConnectionCheck["Service"]
}

/**
 * The driver's client with a deadline on each wait: for a connection, and for the answer to a statement. A connection
 * on which a deadline passed is dropped, and the pool opens another. So a hanging server counts as away, and while it
 * does, nothing waits for it.
 *
 * @param wait - milliseconds that a statement may go without an answer
 */
export const make = Effect.fnUntraced(function* (
  config: PgClient.PgPoolConfig,
  wait: number = STATEMENT_WAIT
): Effect.fn.Return<Clients, SqlError, Scope.Scope | Reactivity> {
  const pool = yield* PgPool.make(config)
  const position = TablePosition.make()
  const check = new ConnectionChecking()
  const lending = yield* makeLending(pool, { check, isShared: config.multiplex === true, wait })
  const { acquirer, borrower, reserver } = lending
  const direct = yield* clientOn(lending)
  const client = yield* clientOn({
    acquirer: Effect.andThen(position.reached, acquirer),
    borrower: (use) => Effect.andThen(position.reached, borrower(use)),
    reserver: Effect.andThen(position.reached, reserver)
  })
  // Other features of the driver open their own connections when they are used.
  const { json, listen, notify } = yield* PgClient.make({ ...config, minConnections: 0 })
  const tables = Object.assign(client, { [PgClient.TypeId]: PgClient.TypeId, config, json, listen, notify })
  return { tables, direct, position, check }
})

const clientOn = ({
  acquirer,
  borrower,
  reserver
}: {
  readonly acquirer: Acquirer
  readonly borrower: Borrower
  readonly reserver: Acquirer
}) =>
  SqlClient.make({
    acquirer,
    borrower,
    transactionAcquirer: reserver,
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    compiler: PgClient.makeCompiler(),
    spanAttributes: [["db.system.name", "postgresql"]]
  })

/** The clients of a pool's settings, as services. */
export const layer = <E>(
  clients: Effect.Effect<Clients, E, Scope.Scope | Reactivity>
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient | Direct | TablePosition | ConnectionCheck, E> =>
  Layer.effectContext(
    Effect.map(clients, ({ check, direct, position, tables }) =>
      Context.make(PgClient.PgClient, tables).pipe(
        Context.add(SqlClient.SqlClient, tables),
        Context.add(Direct, direct),
        Context.add(TablePosition, position),
        Context.add(ConnectionCheck, check)
      )
    )
  ).pipe(Layer.provide(ReactivityLayer))
