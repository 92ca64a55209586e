import { Data, Effect, Predicate } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import type { SqlError } from "effect/sql/SqlError"

/** The database cannot answer now. Nothing is wrong with the request: the same one may be sent again a little later. */
export class Unavailable extends Data.TaggedError("Unavailable")<{
  /** What happened, for the log. */
  readonly reason: string
  readonly cause?: unknown
}> {}

/**
 * SQLSTATE classes and codes that pass by themselves (PostgreSQL documentation, appendix A): 08 connection, 53
 * resources, 57P operator intervention, 58 system errors, and a server that is read-only or lost patience.
 */
const PASSING_STATES = /^(08...|53...|57P..|58...|25006|25P03|25P04)$/

const PASSING_REASONS: ReadonlySet<string> = new Set([
  "ConnectionError",
  "AuthenticationError",
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

/** The SQLSTATE that the server gave, if it gave one. */
export const sqlState = (error: SqlError): string | undefined => {
  const { cause } = error.reason
  return Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined
}

/** Whether the failure is the database's state and not a fault of the statement. */
export const isPassing = (error: SqlError): boolean =>
  PASSING_REASONS.has(error.reason._tag) || PASSING_STATES.test(sqlState(error) ?? "")

/** For repositories: a failure that passes becomes `Unavailable`, any other failure of SQL is a defect. */
export const unavailableOrDie = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError> | Unavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | Unavailable> => {
    if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError>)
    if (!isPassing(error)) return Effect.die(error)
    const detail = Predicate.hasProperty(error.reason.cause, "message") ? `: ${error.reason.cause.message}` : ""
    return Effect.fail(new Unavailable({ reason: `${error.message}${detail}`, cause: error }))
  })
