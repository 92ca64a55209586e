import { Cache, Context, Duration, Effect, Exit, Layer } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { Owner } from "./User.ts"
import { UserNotFound } from "./UserError.ts"
import { UserRepository } from "./UserRepository.ts"

/** Users kept in memory. */
const CAPACITY = 50_000

/** How long a change made by another process may go unseen. Changes of this process are seen at once. */
const FRESH_FOR = Duration.seconds(30)

/** Who stands behind a user id, cheap enough to ask on every request. */
export class Owners extends Context.Service<
  Owners,
  {
    readonly ownerOf: (userId: string) => Effect.Effect<Owner, UserNotFound | Unavailable>
    /** Reads the user again when next asked. To be run after the change has committed. */
    readonly forget: (userId: string) => Effect.Effect<void>
    /** Reads every user again when next asked, for changes of a company. */
    readonly forgetAll: Effect.Effect<void>
  }
>()("emporion/identity/Owners") {
  static readonly layer: Layer.Layer<Owners, never, UserRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* UserRepository
      const cache = yield* Cache.makeWith(
        (userId: string) =>
          Effect.flatMap(repository.owner(userId), (owner) =>
            owner === undefined ? Effect.fail(new UserNotFound({ userId })) : Effect.succeed(owner)
          ),
        { capacity: CAPACITY, timeToLive: (exit) => (Exit.isSuccess(exit) ? FRESH_FOR : Duration.zero) }
      )
      return Owners.of({
        ownerOf: (userId) => Cache.get(cache, userId),
        forget: (userId) => Cache.invalidate(cache, userId),
        forgetAll: Cache.invalidateAll(cache)
      })
    })
  )
}
