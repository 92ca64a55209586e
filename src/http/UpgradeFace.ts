import { Clock, Context, Effect, Layer } from "effect"
import { ApiError } from "../api/ApiError.ts"
import { Settings } from "../Config.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { bearerOf, commonHeaders, withRequestId } from "./HttpFace.ts"
import { RateLimiter } from "./RateLimiter.ts"
import { RequestFacts } from "./RequestState.ts"
import { TokenVerifier } from "./TokenVerifier.ts"

/**
 * Counts a request that is about to become a WebSocket, which never passes the router: by its user where the token is
 * known, else by its address. Answers the headers of the 101. One that is refused for another reason is counted by the
 * router's face.
 */
export const UpgradeFace = Context.Reference<{
  readonly admit: (request: Request, peer: string) => Readonly<Record<string, string>> | ApiError<"rate_limited">
}>("emporion/http/UpgradeFace", { defaultValue: () => ({ admit: () => ({}) }) })

/** Needs the limiter that the router's face counts with. */
export const layer = Layer.effect(
  UpgradeFace,
  Effect.gen(function* () {
    const { server } = yield* Settings
    const limiter = yield* RateLimiter
    const verifier = yield* TokenVerifier
    const clock = yield* Clock.Clock
    const addressOf = ClientAddress.make(server.trustedProxies)
    return {
      admit: ({ headers }, peer) => {
        const now = clock.currentTimeMillisUnsafe()
        const state = withRequestId(new RequestFacts(peer), headers.get("x-request-id") ?? undefined)
        state.address = ClientAddress.countedAs(addressOf(peer, headers.get("x-forwarded-for") ?? undefined))
        const token = bearerOf(headers.get("authorization"))
        const principal = token === undefined ? undefined : verifier.known(token, now)
        if (principal !== undefined) state.identity = { _tag: "Verified", principal }
        const allowance = limiter.take(state.caller, principal, now)
        return allowance.allowed ? commonHeaders(state, allowance) : new ApiError("rate_limited")
      }
    }
  })
)
