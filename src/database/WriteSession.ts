import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { Statements } from "./Projection.ts"

/** Reads something that the transaction decides on. Statements sent at once travel together, in order. */
export type Run = <Row>(statement: Statement<Row>) => Effect.Effect<ReadonlyArray<Row>, SqlError>

/** What a transaction writes and answers, once it is decided. */
export interface Decided<A> {
  readonly answer: A
  /** They return no rows. */
  readonly statements: Statements
}

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
 * One transaction at a time. A connection on which a transaction could not be ended is closed, and the next one opens
 * another.
 */
export class WriteSession extends Context.Service<
  WriteSession,
  {
    readonly transaction: <A, E>(decide: (run: Run) => Effect.Effect<Decided<A>, E>) => Effect.Effect<A, E | SqlError>
  }
>()("emporion/database/WriteSession") {
  static readonly layer: Layer.Layer<WriteSession, never, PgClient.PgClient> = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const { config } = yield* PgClient.PgClient
  const state: { session: Session | undefined } = { session: undefined }

  const close = Effect.suspend(() => {
    const { session } = state
    state.session = undefined
    return session === undefined ? Effect.void : Scope.close(session.scope, Exit.void)
  })

  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const connection = yield* PgConnection.make({
      ...config,
      multiplex: true,
      applicationName: "emporion writer"
    }).pipe(
      Scope.provide(scope),
      Effect.onError(() => Scope.close(scope, Exit.void))
    )
    state.session = { connection, scope }
    return state.session
  })

  yield* Effect.addFinalizer(() => close)

  const transaction = Effect.fnUntraced(function* <A, E>(decide: (run: Run) => Effect.Effect<Decided<A>, E>) {
    const { connection } = state.session ?? (yield* open)
    const run: Run = <Row>(statement: Statement<Row>) => {
      const [text, parameters] = statement.compile()
      // The rows of a statement are what its type says; the driver does not know it.
      return Effect.map(connection.query(text, parameters), ({ rows }) => rows as unknown as ReadonlyArray<Row>)
    }

    /** Waits for all of them, whatever becomes of one: the connection is in order again only then. */
    const together = (effects: ReadonlyArray<Effect.Effect<unknown, SqlError>>) =>
      Effect.forEach(effects, Effect.exit, { concurrency: "unbounded" })

    const end = Effect.fnUntraced(function* ({ answer, statements }: Decided<A>) {
      const exits = yield* together([...statements.map(run), control(connection, "COMMIT")])
      if (exits.some(Exit.isFailure)) yield* close
      for (const exit of exits) yield* exit
      return answer
    })

    const undo = Effect.flatMap(Effect.exit(control(connection, "ROLLBACK")), (exit) =>
      Exit.isFailure(exit) ? close : Effect.void
    )

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
    yield* began
    return yield* ended
  }, Effect.uninterruptible)

  return WriteSession.of({ transaction })
})
