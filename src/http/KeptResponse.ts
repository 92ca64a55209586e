import { Clock, Effect, Schema } from "effect"
import type { StoredResponse } from "../../engine/journal/StoredResponse.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { IdempotencyScope, markStored } from "./IdempotencyScope.ts"
import { IdempotencyRepository } from "./IdempotencyRepository.ts"

/** What is answered with status 200, as it is kept. */
export const storedAs = <A, I>(schema: Schema.Codec<A, I>): ((value: A) => StoredResponse) => {
  const encode = encoderOf(schema)
  return (value) => ({ status: 200, body: encode(value) })
}

/**
 * For operations with a transaction of their own: keeps in it what they will answer under the `Idempotency-Key`, so that
 * what was done is never done again, whatever becomes of the process or of the answer.
 */
export const keepWithin = <A, I>(schema: Schema.Codec<A, I>) => {
  const stored = storedAs(schema)
  return Effect.map(
    Effect.zip(IdempotencyScope, IdempotencyRepository),
    ([keyed, repository]) =>
      (answer: A): Effect.Effect<void, Unavailable> =>
        keyed === undefined
          ? Effect.void
          : Effect.andThen(
              Effect.flatMap(Clock.currentTimeMillis, (now) =>
                repository.keepWithin(keyed.key, { ...stored(answer), fingerprint: keyed.fingerprint }, now)
              ),
              Effect.sync(() => void (keyed.stored = true))
            )
  )
}

/**
 * For operations whose own transaction writes the answer under the `Idempotency-Key`: the kept answer, which a retry
 * gets too, else `answer`. Call it once the operation is durable.
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
