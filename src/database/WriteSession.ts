import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"

/** Sends a statement of a transaction. Those sent at once travel together, and run in the order of sending. */
export type Run = <Row>(statement: Statement<Row>) => Effect.Effect<ReadonlyArray<Row>, SqlError>

/** Nothing is sent a second time under another plan: it would run outside its transaction. */
const control = (connection: PgConnection.PgConnection, text: "BEGIN" | "COMMIT" | "ROLLBACK") =>
  connection.query(text, [], false)

interface Session {
  readonly connection: PgConnection.PgConnection
  readonly scope: Scope.Closeable
}

/**
 * A connection of the writer's own, on which the statements of one transaction travel together instead of each waiting
 * for the one before: a transaction takes as many round trips as it has decisions, not as it has statements.
 *
 * One transaction at a time. A connection on which a transaction could not be ended is closed, and the next one opens
 * another.
 */
export class WriteSession extends Context.Service<
  WriteSession,
  {
    readonly transaction: <A, E>(body: (run: Run) => Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError>
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

  const transaction = Effect.fnUntraced(function* <A, E>(body: (run: Run) => Effect.Effect<A, E>) {
    const { connection } = state.session ?? (yield* open)
    const run: Run = <Row>(statement: Statement<Row>) => {
      const [text, parameters] = statement.compile()
      // The rows of a statement are what its type says; the driver does not know it.
      return Effect.map(connection.query(text, parameters), ({ rows }) => rows as unknown as ReadonlyArray<Row>)
    }
    const began = control(connection, "BEGIN")
    const done = yield* Effect.exit(Effect.all([began, Effect.suspend(() => body(run))], { concurrency: "unbounded" }))
    const ended = yield* Effect.exit(control(connection, Exit.isSuccess(done) ? "COMMIT" : "ROLLBACK"))
    if (Exit.isFailure(ended)) yield* close
    const [, result] = yield* done
    yield* ended
    return result
  }, Effect.uninterruptible)

  return WriteSession.of({ transaction })
})
