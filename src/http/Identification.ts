import { Effect } from "effect"
import { type ApiError, shapeOf } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import type { UnavailableLike } from "../api/Conventions.ts"
import { bearerOf, type Callers } from "./Callers.ts"
import type { Exchange } from "./Exchange.ts"
import { isUncounted } from "./RequestRules.ts"
import type { RequestFacts } from "../RequestState.ts"
import type { SessionVerifier } from "./SessionVerifier.ts"
import type { Unauthorized } from "./TokenVerifier.ts"

type Verification = Effect.Effect<Principal | undefined, Unauthorized | ApiError<"access_denied"> | UnavailableLike>

/** Finds out who sends a request. */
export type Identification = Effect.Effect<void, ApiError<"access_denied"> | UnavailableLike>

const identified = (facts: RequestFacts, presented: "token" | "session", verification: Verification): Identification =>
  Effect.matchEffect(verification, {
    onSuccess: (principal) => {
      if (principal !== undefined) facts.identity = { _tag: "Verified", principal }
      return Effect.void
    },
    onFailure: (error) => {
      if (error._tag !== "Unauthorized") return Effect.fail(error)
      facts.identity = { _tag: "Refused", presented, reason: error.reason }
      return Effect.void
    }
  })

/**
 * Notes in a request's facts who sends it: a bearer token decides alone, and a session serves the arena. Returns how to
 * find out if somebody has to be asked; `forged` if its address has sent too many bad tokens.
 */
export const identify = (
  callers: Callers,
  sessions: typeof SessionVerifier.Service,
  { facts, now, request: { bearer, headers, method } }: Exchange
): Identification | "forged" | undefined => {
  const token = bearer ?? bearerOf(headers.get("authorization"))
  if (token !== undefined) {
    const principal = callers.known(token, now)
    if (principal !== undefined) {
      facts.identity = { _tag: "Verified", principal }
      return undefined
    }
    if (!isUncounted(facts.path) && !callers.looksAt(token, facts, now)) return "forged"
    return Effect.map(identified(facts, "token", callers.verify(token)), () => {
      if (facts.identity._tag === "Refused") callers.refused(facts, now)
    })
  }
  const cookie = headers.get("cookie")
  if (cookie === null || shapeOf(facts.path) !== "arena") return undefined
  const origin = headers.get("origin") ?? undefined
  const host = headers.get("host") ?? undefined
  return identified(facts, "session", sessions.verify({ method, cookie, origin, host }))
}
