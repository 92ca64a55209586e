import { Cause, Data, Effect, Predicate } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import type { SqlError } from "effect/sql/SqlError"

/** The database cannot answer now. Nothing is wrong with the request: the same one may be sent again a little later. */
export class Unavailable extends Data.TaggedError("Unavailable")<{
  /** What happened, for the log. */
  readonly reason: string
  readonly cause?: unknown
  /** Nothing of the request was written, or will be. */
  readonly isUnwritten?: true
}> {
  override get message(): string {
    return this.reason
  }
}

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

/** Whether the failure comes from the database's state and not from the statement. */
export const isPassing = (error: SqlError): boolean =>
  PASSING_REASONS.has(error.reason._tag) || PASSING_STATES.test(sqlState(error) ?? "")

/** What failed, and what the driver or the server said of it. */
export const described = (error: SqlError): string => {
  const { cause } = error.reason
  const detail = Predicate.hasProperty(cause, "message") ? `: ${cause.message}` : ""
  return `${error.message}${detail}`
}

const sqlErrorOf = <E>(reason: Cause.Reason<E>): SqlError | undefined => {
  const found = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
  return isSqlError(found) ? found : undefined
}

/** Whether a reason is a fault of the program or of a statement. */
const isFault = <E>(reason: Cause.Reason<E>): boolean => {
  const error = sqlErrorOf(reason)
  return error === undefined ? Cause.isDieReason(reason) : !isPassing(error)
}

const withoutSqlError = <E>(cause: Cause.Cause<E>): Cause.Cause<Exclude<E, SqlError>> =>
  Cause.fromReasons(
    cause.reasons.map((reason) => {
      const isTyped = Cause.isFailReason(reason) && isSqlError(reason.error)
      return (isTyped ? Cause.makeDieReason(reason.error) : reason) as Cause.Reason<Exclude<E, SqlError>>
    })
  )

/**
 * For repositories: a failure that passes becomes `Unavailable`, any other failure of SQL is a defect. Belongs outside
 * of a transaction, because one whose connection is lost cannot be rolled back, which the client tells as a defect.
 */
export const unavailableOrDie = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError> | Unavailable, R> =>
  Effect.catchCause(effect, (cause): Effect.Effect<never, Exclude<E, SqlError> | Unavailable> => {
    const passing = cause.reasons.map(sqlErrorOf).find((error) => error !== undefined && isPassing(error))
    if (passing === undefined || cause.reasons.some(isFault) || Cause.hasInterrupts(cause)) {
      return Effect.failCause(withoutSqlError(cause))
    }
    return Effect.fail(new Unavailable({ reason: described(passing), cause: passing }))
  })
