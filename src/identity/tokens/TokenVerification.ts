import { Effect, Layer } from "effect"
import { apiErrorOf } from "../../api/ApiError.ts"
import type { Principal } from "../../api/Authorization.ts"
import { SessionVerifier } from "../../http/SessionVerifier.ts"
import { PlanOf } from "../../http/RateLimiter.ts"
import type { CompanyPlan } from "../../../engine/company/CompanyEvent.ts"
import { TokenVerifier, Unauthorized } from "../../http/TokenVerifier.ts"
import { AccessTokens } from "./AccessTokens.ts"
import type { VerifiedPrincipal } from "./AccessTokens.ts"
import { Sessions } from "../sessions/Sessions.ts"

const isVerified = (principal: Principal): principal is VerifiedPrincipal => "plan" in principal

/** The company's plan decides its rate limit. */
export const planOf = (principal: Principal): CompanyPlan => (isVerified(principal) ? principal.plan : "standard")

const sessions = Layer.effect(
  SessionVerifier,
  Effect.map(Sessions, ({ ofRequest }) => ({
    verify: ({ method, ...headers }) =>
      ofRequest(method, headers).pipe(
        Effect.map((session) => session?.principal),
        Effect.catchTag("SessionEnded", ({ reason }) => Effect.fail(new Unauthorized({ reason }))),
        Effect.catchTag("ForeignOrigin", (refused) => Effect.fail(apiErrorOf(refused)))
      )
  }))
)

/** Access tokens, sessions and plans as the HTTP conventions ask for them. */
export const layer: Layer.Layer<TokenVerifier, never, AccessTokens | Sessions> = Layer.effect(
  TokenVerifier,
  Effect.map(AccessTokens, (tokens) =>
    TokenVerifier.of({
      known: tokens.known,
      isSigned: tokens.isSigned,
      verify: (token) =>
        Effect.catchTag(tokens.verify(token), "InvalidToken", ({ reason }) => Effect.fail(new Unauthorized({ reason })))
    })
  )
).pipe(Layer.provideMerge(Layer.merge(sessions, Layer.succeed(PlanOf, planOf))))
