import { Clock, Context, Effect, Layer } from "effect"
import { Settings } from "../Config.ts"
import { BEARER, commonHeaders, securityHeaders, withRequestId } from "./HttpFace.ts"
import { ReadyAnswers } from "./ReadyAnswers.ts"
import { RateLimiter } from "./RateLimiter.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import { RequestFacts } from "./RequestState.ts"
import { TokenVerifier } from "./TokenVerifier.ts"

/**
 * Answers what needs nobody to be asked: a `GET` whose answer is ready, by a caller whose token is known. Undefined for
 * every other request, and for one beyond its rate limit, which `HttpFace` then refuses; a request is counted once.
 *
 * It meets the same conventions: the caller, the rate limit, the headers and the metrics.
 */
export const DirectFace = Context.Reference<{
  readonly serve: (request: Request, peer: string) => Response | undefined
}>("emporion/http/DirectFace", { defaultValue: () => ({ serve: () => undefined }) })

/** Needs the limiter that the router's face counts with. */
export const layer = Layer.effect(
  DirectFace,
  Effect.gen(function* () {
    const { server } = yield* Settings
    const verifier = yield* TokenVerifier
    const limiter = yield* RateLimiter
    const answers = yield* ReadyAnswers
    const clock = yield* Clock.Clock
    const context = yield* Effect.context<never>()
    const fixedHeaders = securityHeaders(server)
    const record = RequestMetrics.make()

    const serve = (request: Request, peer: string): Response | undefined => {
      if (request.method !== "GET") return undefined
      if (server.corsOrigins.length > 0 && request.headers.get("origin") !== null) return undefined
      const token = BEARER.exec(request.headers.get("authorization") ?? "")?.[1]
      if (token === undefined) return undefined
      const started = clock.monotonicTimeNanosUnsafe()
      const now = clock.currentTimeMillisUnsafe()
      const path = request.url.slice(request.url.indexOf("/", request.url.indexOf("//") + 2))
      const answer = answers.find(path, now)
      const principal = answer === undefined ? undefined : verifier.known(token, now)
      if (answer === undefined || principal === undefined) return undefined
      const state = withRequestId(new RequestFacts(peer), request.headers.get("x-request-id") ?? undefined)
      state.route = answer.route
      state.identity = { _tag: "Verified", principal }
      const allowance = limiter.take(state.caller, principal, now)
      if (!allowance.allowed) return undefined
      record(context, state, "GET", 200, Number(clock.monotonicTimeNanosUnsafe() - started) / 1e9)
      return new Response(answer.body, {
        headers: { ...fixedHeaders, "content-type": "application/json", ...commonHeaders(state, allowance) }
      })
    }
    return { serve }
  })
)
