import { Clock, Context, Effect, Layer } from "effect"
import { ApiError } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import { Settings } from "../Config.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { commonHeaders, withRequestId } from "./HttpConventions.ts"
import { RateLimiter } from "./RateLimiter.ts"
import { RequestFacts } from "./RequestState.ts"
import type { SocketHolder } from "./SocketLimits.ts"

/** A request that may become a WebSocket. */
export interface AdmittedUpgrade {
  /** Of the 101. */
  readonly headers: Readonly<Record<string, string>>
  readonly holder: SocketHolder
}

/**
 * Counts a request that is about to become a WebSocket, which never passes the router: for its principal, else for its
 * address. One that is refused for another reason is counted by the conventions.
 */
export const UpgradeDispatcher = Context.Reference<{
  readonly admit: (
    request: Request,
    peer: string,
    principal: Principal | undefined
  ) => AdmittedUpgrade | ApiError<"rate_limited">
}>("emporion/http/UpgradeDispatcher", {
  defaultValue: () => ({ admit: (_, peer) => ({ headers: {}, holder: { caller: peer, companyId: undefined } }) })
})

/** Needs the limiter that the conventions count with. */
export const layer = Layer.effect(
  UpgradeDispatcher,
  Effect.gen(function* () {
    const { server } = yield* Settings
    const limiter = yield* RateLimiter
    const clock = yield* Clock.Clock
    const addressOf = ClientAddress.make(server.trustedProxies)
    return {
      admit: ({ headers }, peer, principal) => {
        const now = clock.currentTimeMillisUnsafe()
        const state = withRequestId(new RequestFacts(peer), headers.get("x-request-id") ?? undefined)
        state.address = ClientAddress.countedAs(addressOf(peer, headers.get("x-forwarded-for") ?? undefined))
        if (principal !== undefined) state.identity = { _tag: "Verified", principal }
        const { caller } = state
        const allowance = limiter.take(caller, principal, now)
        return allowance.allowed
          ? { headers: commonHeaders(state, allowance), holder: { caller, companyId: principal?.companyId } }
          : new ApiError("rate_limited")
      }
    }
  })
)
