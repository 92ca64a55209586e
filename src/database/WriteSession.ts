import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Data, Effect, Exit, Fiber, Layer, Option, Scope, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { isPassing } from "./DatabaseError.ts"
import type { Statements } from "./Projection.ts"
import { writerName } from "./WriterTerm.ts"

/** Reads something that the transaction decides on. Statements sent at once travel together, in order. */
export type Run = <Row>(statement: Statement<Row>) => Effect.Effect<ReadonlyArray<Row>, SqlError>

/** What the transaction was decided on is not so: nothing of it was written. */
export class Outdated extends Data.TaggedError("Outdated") {}

/** What a transaction writes and answers, once it is decided. */
export interface Decided<A> {
  readonly answer: A
  /** Fails where what was decided on is not so. None: nothing can have changed. */
  readonly condition?: Statement<unknown>
  /** They return no rows. */
  readonly statements: Statements
}

/** How long a transaction may go without its end, in milliseconds. Then its connection is closed. */
export const TRANSACTION_WAIT = 5_000

/** Never prepared, so that none is ever sent again. */
const control = (connection: PgConnection.PgConnection, text: "BEGIN" | "COMMIT" | "ROLLBACK") =>
  connection.query(text, [], false)

interface Session {
  readonly connection: PgConnection.PgConnection
  readonly scope: Scope.Closeable
}

/**
 * A connection of the writer's own, on which the statements of one transaction travel together instead of each waiting
 * for the one before. What is decided without reading takes one round trip, from `BEGIN` to `COMMIT`.
 *
 * Nothing that is sent behind a failed statement takes effect: PostgreSQL refuses the statements and turns the `COMMIT`
 * into a `ROLLBACK`. The driver sends a prepared statement again where its plan became stale, which statements without
 * rows never are; after the `COMMIT` it would stand alone.
 *
 * A transaction may be sent before the one before it is answered; they run in the order of sending. What is decided on
 * the one before has a condition for it. A connection on which a transaction could not be ended is closed, and the next
 * one opens another.
 */
export class WriteSession extends Context.Service<
  WriteSession,
  {
    readonly transaction: <A, E>(
      decide: (run: Run) => Effect.Effect<Decided<A>, E>
    ) => Effect.Effect<A, E | SqlError | Outdated>
  }
>()("emporion/database/WriteSession") {
  static readonly layer: Layer.Layer<WriteSession, never, PgClient.PgClient> = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** Whether a condition failed by itself, and not for the state of the database. */
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
  return {
    connect: Effect.suspend(() => (state.session === undefined ? opened : Effect.succeed(state.session))),
    close
  }
})

const make = Effect.gen(function* () {
  const { close, connect } = yield* makeConnecting

  const transaction = Effect.fnUntraced(function* <A, E>(decide: (run: Run) => Effect.Effect<Decided<A>, E>) {
    const session = yield* connect
    const { connection } = session
    const run: Run = <Row>(statement: Statement<Row>) => {
      const [text, parameters] = statement.compile()
      // The rows of a statement are what its type says; the driver does not know it.
      return Effect.map(connection.query(text, parameters), ({ rows }) => rows as unknown as ReadonlyArray<Row>)
    }

    /** Waits for all of them, whatever becomes of one: the connection is in order again only then. */
    const together = (effects: ReadonlyArray<Effect.Effect<unknown, SqlError>>) =>
      Effect.forEach(effects, Effect.exit, { concurrency: "unbounded" })

    const end = Effect.fnUntraced(function* ({ answer, condition, statements }: Decided<A>) {
      const conditions = condition === undefined ? [] : [condition]
      const exits = yield* together([...[...conditions, ...statements].map(run), control(connection, "COMMIT")])
      const [first, last] = [exits[0], exits.at(-1)]
      if (last === undefined || Exit.isFailure(last)) yield* close(session)
      else if (condition !== undefined && first !== undefined && isUntrue(first)) return yield* new Outdated()
      for (const exit of exits) yield* exit
      return answer
    })

    const undo = Effect.flatMap(Effect.exit(control(connection, "ROLLBACK")), (exit) =>
      Exit.isFailure(exit) ? close(session) : Effect.void
    )

    const waiting = yield* Effect.forkChild(Effect.delay(close(session), TRANSACTION_WAIT))
    const [began, ended] = yield* Effect.all(
      [
        Effect.exit(control(connection, "BEGIN")),
        Effect.suspend(() => decide(run)).pipe(
          Effect.onError(() => undo),
          Effect.flatMap(end),
          Effect.exit
        )
      ],
      { concurrency: "unbounded" }
    )
    yield* Fiber.interrupt(waiting)
    yield* began
    return yield* ended
  }, Effect.uninterruptible)

  return WriteSession.of({ transaction })
})
