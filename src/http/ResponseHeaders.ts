import { waitOf } from "../api/ApiError.ts"
import type { ServerSettings } from "../Config.ts"
import { waitFor } from "./Callers.ts"
import * as CrossOrigin from "./CrossOrigin.ts"
import type { PlainResponse } from "./PlainResponse.ts"
import type { Allowance } from "./RateLimiter.ts"
import type { RequestFacts } from "../RequestState.ts"

type Fields = Readonly<Record<string, string>>

/** When a caller's allowance is whole again, in seconds since 1970 by the machine's clock. */
export const RESET = "x-ratelimit-reset"

/** The headers of every response. */
export const securityHeaders = ({ corsOrigins, publicUrl, tls }: ServerSettings): Fields => ({
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  ...CrossOrigin.make(corsOrigins).fixedHeaders,
  ...(tls !== undefined || publicUrl?.protocol === "https:" ? { "strict-transport-security": "max-age=31536000" } : {})
})

/** The headers about a response's own request and the caller's allowance. */
export const commonHeaders = (facts: RequestFacts, allowance: Allowance): Record<string, string> => {
  const common: Record<string, string> = {
    "x-request-id": facts.id,
    "x-ratelimit-limit": String(allowance.limit),
    "x-ratelimit-remaining": String(allowance.remaining),
    [RESET]: String(allowance.reset)
  }
  return facts.allowedOrigin === undefined ? common : { ...common, ...CrossOrigin.headersOf(facts.allowedOrigin) }
}

const challengeOf = ({ identity }: RequestFacts): string =>
  identity._tag === "Refused" && identity.presented === "token" ? 'Bearer error="invalid_token"' : "Bearer"

const waitIn = (status: number, { retryAfterSeconds }: RequestFacts, allowance: Allowance, now: number) =>
  waitOf(status, status === 429 ? (retryAfterSeconds ?? waitFor(allowance, now)) : retryAfterSeconds)

/** All headers of a response. `now` is in milliseconds since 1970. */
export const headersOf = (
  fixed: Fields,
  facts: RequestFacts,
  { headers: own, status }: PlainResponse,
  allowance: Allowance,
  now: number
): Record<string, string> => {
  const headers: Record<string, string> = { ...fixed, ...own, ...commonHeaders(facts, allowance) }
  if (status === 200) {
    if (facts.link !== undefined) headers["link"] = facts.link
    return headers
  }
  if (status < 400) return headers
  if (status === 401) headers["www-authenticate"] ??= challengeOf(facts)
  const wait = waitIn(status, facts, allowance, now)
  if (wait !== undefined) headers["retry-after"] ??= String(wait)
  if (status === 413) headers["connection"] = "close"
  return headers
}
