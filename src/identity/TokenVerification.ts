import { Effect, Layer } from "effect"
import type { Principal } from "../api/Authorization.ts"
import { TierOf } from "../http/RateLimiter.ts"
import type { Tier } from "../http/RateLimiter.ts"
import { TokenVerifier, Unauthorized } from "../http/TokenVerifier.ts"
import { AccessTokens } from "./AccessTokens.ts"
import type { VerifiedPrincipal } from "./AccessTokens.ts"

const isVerified = (principal: Principal): principal is VerifiedPrincipal => "plan" in principal

/** The company's plan is its tier. */
export const tierOf = (principal: Principal): Tier => (isVerified(principal) ? principal.plan : "standard")

/** Access tokens and plans as the HTTP face asks for them. */
export const layer: Layer.Layer<TokenVerifier, never, AccessTokens> = Layer.effect(
  TokenVerifier,
  Effect.map(AccessTokens, (tokens) =>
    TokenVerifier.of({
      verify: (token) =>
        Effect.catchTag(tokens.verify(token), "InvalidToken", ({ reason }) => Effect.fail(new Unauthorized({ reason })))
    })
  )
).pipe(Layer.provideMerge(Layer.succeed(TierOf, tierOf)))
