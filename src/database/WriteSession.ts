import { PgClient, PgConnection } from "@effect/sql-pg"
import { Clock, Context, Effect, Exit, Fiber, Layer, Option, Scope, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { Outdated } from "../../engine/journal/Outdated.ts"
import { isPassing } from "./DatabaseError.ts"
import { inTurns } from "./InTurns.ts"
import type { Statements } from "./RowWriter.ts"
import { writerName } from "./WriterTerm.ts"

/** What a transaction writes. */
export interface Written {
  /** Fails if the state that was decided on has changed. Without it nothing can have changed. */
  readonly condition?: Statement<unknown>
  /** The statements return no rows. */
  readonly statements: Statements
}

/** How long a transaction may go without its end once it is sent, in milliseconds. Then its connection is closed. */
export const TRANSACTION_WAIT = 5_000

/** Never prepared, so that the driver never sends one again. */
const control = (connection: PgConnection.PgConnection, text: "BEGIN" | "COMMIT" | "ROLLBACK") =>
  connection.query(text, [], false)

interface Session {
  readonly connection: PgConnection.PgConnection
  readonly scope: Scope.Closeable
}

/**
 * A connection of the writer's own, on which it appends by one statement at a time, sent before the one before it is
 * answered; they run in the order of sending. A statement has its own condition: that the state it was decided on still
 * holds.
 */
export class WriteSession extends Context.Service<
  WriteSession,
  { readonly append: (statement: Statement<unknown>) => Effect.Effect<void, SqlError | Outdated> }
>()("emporion/database/WriteSession") {
  static readonly layer: Layer.Layer<WriteSession, never, PgClient.PgClient> = Layer.effect(
    this,
    Effect.map(
      Effect.suspend(() => makeSending),
      (send) => ({
        append: (statement: Statement<unknown>) => send((connection) => [connection.query(...statement.compile())], 0)
      })
    )
  )
}

/**
 * A connection on which the tables follow the journal, by transactions whose statements travel together instead of each
 * waiting for the one before: each takes one round trip, from `BEGIN` to `COMMIT`.
 *
 * Transactions are sent one after the other, and sending gives others turns of the event loop: thousands of rows take long to
 * encode.
 *
 * Nothing that is sent behind a failed statement takes effect: PostgreSQL refuses the statements and turns the `COMMIT`
 * into a `ROLLBACK`. The driver sends a prepared statement again where its plan became stale, which statements without
 * rows never are; after the `COMMIT` it would stand alone.
 */
export class ProjectionSession extends Context.Service<
  ProjectionSession,
  { readonly transaction: (written: Written) => Effect.Effect<void, SqlError | Outdated> }
>()("emporion/database/ProjectionSession") {
  static readonly layer: Layer.Layer<ProjectionSession, never, PgClient.PgClient> = Layer.effect(
    this,
    Effect.map(
      Effect.suspend(() => makeSending),
      (send) => ({
        transaction: ({ condition, statements }: Written) =>
          send(
            (connection) => [
              control(connection, "BEGIN"),
              ...[...(condition === undefined ? [] : [condition]), ...statements].map((statement) =>
                connection.query(...statement.compile())
              ),
              control(connection, "COMMIT")
            ],
            condition === undefined ? undefined : 1
          )
      })
    )
  )
}

/** Sessions that take everything and write nothing. */
export const discarding: Layer.Layer<WriteSession | ProjectionSession> = Layer.merge(
  Layer.succeed(WriteSession, WriteSession.of({ append: () => Effect.void })),
  Layer.succeed(ProjectionSession, ProjectionSession.of({ transaction: () => Effect.void }))
)

/** Whether a condition itself failed, and not the database. */
const isUntrue = (exit: Exit.Exit<unknown, SqlError>): boolean =>
  Option.exists(Exit.findErrorOption(exit), (error) => !isPassing(error))

/** The connection that there is, or a new one. */
const makeConnecting = Effect.gen(function* () {
  const { config } = yield* PgClient.PgClient
  const state: { session: Session | undefined } = { session: undefined }

  const close = (session: Session | undefined): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (state.session === session) state.session = undefined
      return session === undefined ? Effect.void : Scope.close(session.scope, Exit.void)
    })

  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const connection = yield* PgConnection.make({
      ...config,
      multiplex: true,
      applicationName: writerName(config.applicationName ?? "")
    }).pipe(
      Scope.provide(scope),
      Effect.onError(() => Scope.close(scope, Exit.void))
    )
    state.session = { connection, scope }
    return state.session
  })

  /** One connection for all who come while there is none, in their order. */
  const opened = Semaphore.makeUnsafe(1).withPermit(
    Effect.suspend(() => (state.session === undefined ? open : Effect.succeed(state.session)))
  )

  yield* Effect.addFinalizer(() => close(state.session))
  // Whoever writes first need not wait for a new process of PostgreSQL.
  yield* Effect.forkScoped(Effect.ignore(opened))
  return {
    connect: Effect.suspend(() => (state.session === undefined ? opened : Effect.succeed(state.session))),
    close
  }
})

/**
 * Sends statements together on a connection of its own, and waits for all of them. A connection on which the last one,
 * which ends the transaction, fails for its own state is closed, and the next one opens another. `condition` is the
 * place of the statement that fails where what was decided on is not so.
 */
const makeSending = Effect.gen(function* () {
  const { close, connect } = yield* makeConnecting
  const clock = yield* Clock.Clock
  const time = { now: () => clock.monotonicTimeNanosUnsafe(), spent: () => {} }
  const alone = Semaphore.makeUnsafe(1)

  /** Begins each once the one before it is on its way. */
  const begin = (sent: ReadonlyArray<Effect.Effect<unknown, SqlError>>) =>
    alone.withPermit(
      inTurns(sent, time, (one) =>
        Effect.forkChild(Effect.exit(one), { startImmediately: true, uninterruptible: "inherit" })
      )
    )

  /** Waits for the outcomes of what was sent, or closes its connection. */
  const inTime = Effect.fnUntraced(function* <A, E>(session: Session, outcomes: Effect.Effect<A, E>) {
    const waiting = yield* Effect.forkChild(Effect.delay(close(session), TRANSACTION_WAIT))
    const found = yield* outcomes
    yield* Fiber.interrupt(waiting)
    return found
  })

  /** Sends them, and waits for all of them, whatever the outcome of one. */
  const exitsOf = Effect.fnUntraced(function* (
    session: Session,
    sent: ReadonlyArray<Effect.Effect<unknown, SqlError>>
  ) {
    if (sent.length < 2) return yield* inTime(session, Effect.forEach(sent, Effect.exit))
    return yield* inTime(session, Effect.forEach(yield* begin(sent), Fiber.join))
  })

  return Effect.fnUntraced(function* (
    send: (connection: PgConnection.PgConnection) => ReadonlyArray<Effect.Effect<unknown, SqlError>>,
    condition: number | undefined
  ) {
    const session = yield* connect
    // Only when all of them have an outcome is the connection in order again.
    const exits = yield* exitsOf(session, send(session.connection))
    const last = exits.at(-1)
    const first = condition === undefined ? undefined : exits[condition]
    if (last === undefined || (Exit.isFailure(last) && !isUntrue(last))) yield* close(session)
    else if (first !== undefined && isUntrue(first)) return yield* new Outdated()
    for (const exit of exits) yield* exit
  }, Effect.uninterruptible)
})
