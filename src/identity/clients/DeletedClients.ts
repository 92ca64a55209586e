import { Clock, Context, Effect, Layer } from "effect"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { ApiClientRepository } from "./ApiClientRepository.ts"

/** How long a deleted client's access tokens would still live: 1800 seconds, and a minute for clocks. */
const REMEMBERED = 31 * 60_000

/** API clients that were deleted so lately that access tokens of theirs have not expired by themselves. */
export class DeletedClients extends Context.Service<
  DeletedClients,
  {
    readonly has: (clientId: string) => boolean
    /** To be run after the deletion has committed. */
    readonly add: (clientId: string) => Effect.Effect<void>
    readonly remove: (clientId: string) => Effect.Effect<void>
  }
>()("emporion/identity/DeletedClients") {
  static readonly layer: Layer.Layer<DeletedClients, Unavailable, ApiClientRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const { deletedSince } = yield* ApiClientRepository
      const deleted = new Map(yield* deletedSince((yield* Clock.currentTimeMillis) - REMEMBERED))
      const forgetOld = (now: number): void => {
        for (const [clientId, at] of deleted) if (now - at > REMEMBERED) deleted.delete(clientId)
      }
      return DeletedClients.of({
        has: (clientId) => deleted.has(clientId),
        add: (clientId) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            forgetOld(now)
            deleted.set(clientId, now)
          }),
        remove: (clientId) => Effect.sync(() => void deleted.delete(clientId))
      })
    })
  )
}
