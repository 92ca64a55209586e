import { Clock, Context, Effect, Layer } from "effect"
import { body, CATALOGUE, type Shape, shapeOf } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import { Settings } from "../Config.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { bearerOf, commonHeaders, isUncounted, securityHeaders, withRequestId } from "./HttpConventions.ts"
import { type Allowance, RateLimiter } from "./RateLimiter.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import { RequestFacts } from "./RequestState.ts"
import { RequestUsage } from "./RequestUsage.ts"
import { withoutServices } from "./RuntimeContext.ts"
import { TokenVerifier } from "./TokenVerifier.ts"

/**
 * Refuses who has spent all requests of the minute as the conventions do, at a small part of what that costs: what
 * somebody sends too much must cost least. Undefined where the caller may go on, or is not known without asking.
 *
 * A refused upgrade to a WebSocket is answered like a request.
 */
export const SpentCallers = Context.Reference<{
  readonly refuse: (request: Request, path: string, peer: string) => Response | undefined
}>("emporion/http/SpentCallers", { defaultValue: () => ({ refuse: () => undefined }) })

const textOf = (shape: Shape): string => JSON.stringify(body(shape, "rate_limited", CATALOGUE.rate_limited.sentence))

const TEXTS: Readonly<Record<Shape, string>> = {
  platform: textOf("platform"),
  arena: textOf("arena"),
  oauth: textOf("oauth")
}

/** Whether a request without a token says in another way who sends it: with a session's cookie, or a stream's ticket. */
const isIdentified = ({ headers }: Request): boolean =>
  Boolean(headers.get("cookie")) || Boolean(headers.get("sec-websocket-protocol"))

interface Caller {
  readonly state: RequestFacts
  readonly principal: Principal | undefined
  /** Its address has sent too many tokens that were refused, and this one is not known to be good. */
  readonly isForging: boolean
}

/** Needs the limiter that the conventions count with. Where requests are traced, only the router makes their spans. */
export const layer = Layer.effect(
  SpentCallers,
  Effect.gen(function* () {
    const { observability, server } = yield* Settings
    const limiter = yield* RateLimiter
    const verifier = yield* TokenVerifier
    const clock = yield* Clock.Clock
    const context = withoutServices(yield* Effect.context<never>())
    const addressOf = ClientAddress.make(server.trustedProxies)
    const fixedHeaders = securityHeaders(server)
    const record = RequestMetrics.make(yield* RequestUsage)

    const callerOf = (request: Request, peer: string, now: number): Caller | undefined => {
      const { headers } = request
      const token = bearerOf(headers.get("authorization"))
      if (token === undefined && isIdentified(request)) return undefined
      const principal = token === undefined ? undefined : verifier.known(token, now)
      const state = new RequestFacts(peer)
      if (principal !== undefined) state.identity = { _tag: "Verified", principal }
      state.address = ClientAddress.countedAs(addressOf(peer, headers.get("x-forwarded-for") ?? undefined))
      const isUnknown = token !== undefined && principal === undefined
      if (isUnknown && (verifier.isSigned(token) || limiter.looksAtTokens(state.address, now))) return undefined
      return { state, principal, isForging: isUnknown }
    }

    const answer = (request: Request, state: RequestFacts, allowance: Allowance, now: number): Response => {
      withRequestId(state, request.headers.get("x-request-id") ?? undefined)
      record(context, state, request.method, CATALOGUE.rate_limited.status, 0)
      return new Response(TEXTS[shapeOf(state.path)], {
        status: CATALOGUE.rate_limited.status,
        headers: {
          ...fixedHeaders,
          "content-type": "application/json",
          ...commonHeaders(state, allowance),
          "retry-after": String(Math.max(1, allowance.reset - Math.floor(now / 1000)))
        }
      })
    }

    const isLeft = (request: Request): boolean =>
      observability.otlpEndpoint !== undefined ||
      request.method === "HEAD" ||
      (server.corsOrigins.length > 0 && request.headers.get("origin") !== null)

    return {
      refuse: (request, path, peer) => {
        if (!server.rateLimits || isLeft(request) || isUncounted(path)) return undefined
        const now = clock.currentTimeMillisUnsafe()
        const caller = callerOf(request, peer, now)
        if (caller === undefined) return undefined
        const { isForging, principal, state } = caller
        const allowance = limiter.peek(state.caller, principal, now)
        if (allowance.remaining > 0 && !isForging) return undefined
        state.path = path
        return answer(request, state, allowance, now)
      }
    }
  })
)
