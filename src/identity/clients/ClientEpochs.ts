import { Clock, Context, Effect, Layer } from "effect"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { ApiClientRepository } from "./ApiClientRepository.ts"

/** How long a client's access tokens of before would still live: 1800 seconds, and a minute for clocks. */
const REMEMBERED = 31 * 60_000

/**
 * API clients that were deleted, or got another secret, so lately that access tokens of before have not expired by
 * themselves. A client's epoch is its principal's token epoch.
 */
export class ClientEpochs extends Context.Service<
  ClientEpochs,
  {
    /** Whether a token that the client got in an epoch is refused. */
    readonly isOver: (clientId: string, epoch: number) => boolean
    /** To be run after the end has committed. */
    readonly end: (clientId: string, since: number | undefined) => Effect.Effect<void>
    /** Takes an end back, of a client that is there again. */
    readonly restore: (clientId: string) => Effect.Effect<void>
  }
>()("emporion/identity/ClientEpochs") {
  static readonly layer: Layer.Layer<ClientEpochs, Unavailable, ApiClientRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const { endedSince } = yield* ApiClientRepository
      const ended = new Map(yield* endedSince((yield* Clock.currentTimeMillis) - REMEMBERED))
      const forgetOld = (now: number): void => {
        for (const [clientId, { at }] of ended) if (now - at > REMEMBERED) ended.delete(clientId)
      }
      return ClientEpochs.of({
        isOver: (clientId, epoch) => {
          const end = ended.get(clientId)
          return end !== undefined && !(epoch >= (end.since ?? Number.POSITIVE_INFINITY))
        },
        end: (clientId, since) =>
          Effect.map(Clock.currentTimeMillis, (at) => {
            forgetOld(at)
            ended.set(clientId, { at, since })
          }),
        restore: (clientId) => Effect.sync(() => void ended.delete(clientId))
      })
    })
  )
}
