/** Decides again where another write came first. */

import { Effect } from "effect"
import { StaleVersion } from "./Journal.ts"

/** How often something is decided in all, where others keep coming first. */
export const MAX_ATTEMPTS = 32

/**
 * Decides anew while another writer comes first, {@link MAX_ATTEMPTS} times in all, and fails with the last stale version.
 * `attempt` reads, decides and writes.
 *
 * @param stream - where it is given, another version of any other stream is a failure at once
 */
export const retryStale = <A, E, R>(
  attempt: Effect.Effect<A, E | StaleVersion, R>,
  stream?: string,
  left = MAX_ATTEMPTS
): Effect.Effect<A, E | StaleVersion, R> =>
  attempt.pipe(
    Effect.catch((error) =>
      error instanceof StaleVersion && (stream === undefined || error.stream === stream) && left > 1
        ? retryStale(attempt, stream, left - 1)
        : Effect.fail(error)
    )
  )
