import { Clock, Effect, Schema } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"
import { IdempotencyScope, markStored } from "./IdempotencyScope.ts"
import { IdempotencyRepository } from "./IdempotencyRepository.ts"

/**
 * For operations whose answer is written under the `Idempotency-Key` in their own transaction: what was kept there,
 * which is what a retry is answered, else `answer`. To be asked once the operation is durable.
 */
export const keptOr = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeEffect(Schema.fromJsonString(schema))
  return Effect.fnUntraced(function* <E, R>(
    answer: Effect.Effect<A, E, R>
  ): Effect.fn.Return<A, E | Unavailable, R | IdempotencyRepository> {
    const keyed = yield* IdempotencyScope
    if (keyed === undefined) return yield* answer
    yield* markStored
    const kept = yield* (yield* IdempotencyRepository).find(keyed.key, yield* Clock.currentTimeMillis)
    return kept === undefined ? yield* answer : yield* Effect.orDie(decode(kept.body))
  })
}
