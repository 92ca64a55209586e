import { Effect, type Schema } from "effect"
import { storedAs } from "../http/KeptResponse.ts"
import { IdempotencyScope, markStored } from "../http/IdempotencyScope.ts"
import type { KeptReply } from "./KeptReply.ts"

/**
 * Runs an operation that writes its answer in its own transaction, under the `Idempotency-Key` of the request being
 * served, and answers the same: `answerOf` what was decided, with status 200.
 */
export const keeping = <A, T, I>(schema: Schema.Codec<T, I>, answerOf: (decided: A) => T) => {
  const stored = storedAs(schema)
  return Effect.fnUntraced(function* <E, R>(operation: (kept: KeptReply<A> | undefined) => Effect.Effect<A, E, R>) {
    const keyed = yield* IdempotencyScope
    const decided = yield* operation(
      keyed === undefined
        ? undefined
        : {
            key: keyed.key,
            fingerprint: keyed.fingerprint,
            answer: (made) => stored(answerOf(made))
          }
    )
    yield* markStored
    return answerOf(decided)
  })
}
