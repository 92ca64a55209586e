import { Cause, Effect, Metric } from "effect"

/**
 * What becomes of an actor's failure besides its restart: it is counted and logged, a fault in full, and in a sentence
 * that something is away or was written by another.
 *
 * @param kind - such as `Order`
 */
export const counted =
  (kind: string, failures: Metric.Counter<number>) =>
  (id: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
    const error = Cause.squash(cause)
    const told =
      Cause.hasDies(cause) || !(error instanceof Error)
        ? Effect.logError(`${kind} actor ${id} restarts`, cause)
        : Effect.logWarning(`${kind} actor ${id} restarts: ${error.message}`)
    return Effect.andThen(Metric.update(failures, 1), told)
  }
