import { Effect, type Schema } from "effect"
import { storedAs } from "../http/KeptResponse.ts"
import { IdempotencyScope, type KeyedRequest, markStored } from "../http/IdempotencyScope.ts"
import type { KeptReply } from "./KeptReply.ts"

/** What an operation keeps under the key of its request: `answerOf` what was decided, with status 200. */
export const keptReplies = <A, T, I>(schema: Schema.Codec<T, I>, answerOf: (decided: A) => T) => {
  const stored = storedAs(schema)
  return (keyed: KeyedRequest | undefined): KeptReply<A> | undefined =>
    keyed && {
      key: keyed.key,
      fingerprint: keyed.fingerprint,
      answer: (made) => stored(answerOf(made))
    }
}

/**
 * Runs an operation that writes its answer in its own transaction, under the `Idempotency-Key` of the request being
 * served, and answers the same: `answerOf` what was decided, with status 200.
 */
export const keeping = <A, T, I>(schema: Schema.Codec<T, I>, answerOf: (decided: A) => T) => {
  const replyOf = keptReplies(schema, answerOf)
  return Effect.fnUntraced(function* <E, R>(operation: (kept: KeptReply<A> | undefined) => Effect.Effect<A, E, R>) {
    const decided = yield* operation(replyOf(yield* IdempotencyScope))
    yield* markStored
    return answerOf(decided)
  })
}
