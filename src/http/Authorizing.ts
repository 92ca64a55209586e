import { Context, Effect, Layer } from "effect"
import type { Types } from "effect"
import type { HttpServerResponse } from "effect/http"
import { ApiError } from "../api/ApiError.ts"
import { Authorization, CurrentPrincipal, Policy, WRITE_SCOPES } from "../api/Authorization.ts"
import type { Access, Principal } from "../api/Authorization.ts"
import { RequestState } from "../RequestState.ts"

/**
 * Why a principal may not go on; undefined if it may. An undeclared policy admits nobody, and no policy admits a
 * suspended one.
 */
export const refusalOf = (
  access: Access | undefined,
  principal: Principal
): ApiError<"access_denied"> | ApiError<"insufficient_scope"> | undefined => {
  if (access === undefined) return new ApiError("access_denied")
  if (principal.status === "suspended") {
    return new ApiError("access_denied", "This account is suspended: ask the operator.")
  }
  if (access._tag === "Admin") {
    return principal.role === "admin" ? undefined : new ApiError("access_denied", "Only an administrator may do that.")
  }
  if (access._tag === "AnyWrite") {
    return WRITE_SCOPES.some((scope) => principal.scopes.includes(scope))
      ? undefined
      : new ApiError("insufficient_scope", "The access token only reads: it needs a :write scope.")
  }
  if (access._tag !== "Scopes") return undefined
  const missing = access.scopes.filter((scope) => !principal.scopes.includes(scope))
  return missing.length === 0
    ? undefined
    : new ApiError("insufficient_scope", `The access token lacks the scope ${missing.join(" ")}.`)
}

/** Fails unless the principal has a right that only some requests of an operation need. */
export const requireAccess = (access: Access, principal: Principal) => {
  const refusal = refusalOf(access, principal)
  return refusal === undefined ? Effect.void : Effect.fail(refusal)
}

type Answer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Types.unhandled | ApiError<"unauthorized"> | ApiError<"access_denied"> | ApiError<"insufficient_scope">
>

/** Enforces each endpoint's policy on the principal that the request's token stands for. */
export const layer: Layer.Layer<Authorization> = Layer.succeed(
  Authorization,
  Authorization.of({
    bearer: (httpEffect, { endpoint, group }) =>
      Effect.withFiber((fiber): Answer => {
        const state = Context.getUnsafe(fiber.context, RequestState)
        if (state.identity._tag !== "Verified") {
          return Effect.fail(new ApiError("unauthorized", state.unauthorizedReason))
        }
        const { principal } = state.identity
        const access =
          Context.getOrUndefined(endpoint.annotations, Policy) ?? Context.getOrUndefined(group.annotations, Policy)
        const refusal = refusalOf(access, principal)
        return refusal === undefined
          ? Effect.provideService(httpEffect, CurrentPrincipal, principal)
          : Effect.fail(refusal)
      })
  })
)
