import { ByteSize, Clock, Context, Effect, Layer } from "effect"
import type { Types } from "effect"
import { Headers, HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { ApiError, shapeOf } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import type { UnavailableLike } from "../api/Conventions.ts"
import { type ServerSettings, Settings } from "../Config.ts"
import { BodyBudgets } from "./BodyBudgets.ts"
import * as ClientAddress from "./ClientAddress.ts"
import * as CrossOrigin from "./CrossOrigin.ts"
import type { EndpointTable } from "./EndpointTable.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { Idempotency } from "./Idempotency.ts"
import { isTooDeep, SMALL_LENGTH } from "./JsonDepth.ts"
import { RateLimiter } from "./RateLimiter.ts"
import type { Allowance } from "./RateLimiter.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import { RequestState } from "./RequestState.ts"
import type { RequestFacts } from "./RequestState.ts"
import { RequestUsage } from "./RequestUsage.ts"
import { SessionVerifier } from "./SessionVerifier.ts"
import { TokenVerifier } from "./TokenVerifier.ts"
import type { Unauthorized } from "./TokenVerifier.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** What the router makes of a request. */
type Routed = Effect.Effect<Response, Types.unhandled>

/** What becomes of a request that may be refused before it is routed. */
type Served = Effect.Effect<Response, Types.unhandled | ApiError | UnavailableLike>

/** Largest request body, in bytes: 1 MiB. */
export const MAX_BODY_BYTES = 1_048_576

const BODY_LIMIT = ByteSize.bytes(MAX_BODY_BYTES)

/** `Retry-After` of a 503 whose refusal names none, in seconds. */
const UNAVAILABLE_RETRY = 1

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

const SCHEME = "Bearer "
const BEARER = /^bearer +(\S+)$/i

/** The token of an `Authorization` header. As it is nearly always written it is cut out, which costs half a microsecond less. */
export const bearerOf = (header: string | undefined | null): string | undefined => {
  if (header === undefined || header === null) return undefined
  const token = header.startsWith(SCHEME) ? header.slice(SCHEME.length) : ""
  return token === "" || token.includes(" ") || token.includes("\t") ? BEARER.exec(header)?.[1] : token
}

/** Paths that probes and scrapers ask often: they are not counted against a caller. */
const UNCOUNTED: ReadonlySet<string> = new Set(["/health/live", "/health/ready", "/metrics", "/dashboard"])

/** A page's own files: one visit asks for several at once. */
const UNCOUNTED_BELOW = "/dashboard/"

/** Whether requests to a path are counted against nobody. */
export const isUncounted = (path: string): boolean => UNCOUNTED.has(path) || path.startsWith(UNCOUNTED_BELOW)

/** The headers of every answer. */
export const securityHeaders = ({ corsOrigins, publicUrl, tls }: ServerSettings): Readonly<Record<string, string>> => ({
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  ...CrossOrigin.make(corsOrigins).fixedHeaders,
  ...(tls !== undefined || publicUrl?.protocol === "https:" ? { "strict-transport-security": "max-age=31536000" } : {})
})

interface Parts {
  readonly table: EndpointTable
  readonly verifier: TokenVerifier["Service"]
  readonly sessions: typeof SessionVerifier.Service
  readonly limiter: RateLimiter["Service"]
  readonly bodies: BodyBudgets
  readonly idempotency: Idempotency["Service"]
  readonly crossOrigin: CrossOrigin.CrossOrigin
  readonly addressOf: (peer: string, forwardedFor: string | undefined) => string
  readonly fixedHeaders: Readonly<Record<string, string>>
  readonly record: ReturnType<typeof RequestMetrics.make>
}

/** The path without its query. */
export const pathOf = (url: string): string => {
  const end = url.indexOf("?")
  return end === -1 ? url : url.slice(0, end)
}

/**
 * Another way to write a path that the router would take for the same: what follows a semicolon, or a letter, a digit or
 * one of `-._~` in hexadecimal (RFC 3986, 2.3). A rule for a path, ours or a proxy's, would not know it.
 */
const ALIAS = /[;#]|%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i

/** The caller's own id of the request, if it is sane. */
export const withRequestId = (state: RequestFacts, given: string | undefined): RequestFacts => {
  state.id = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID()
  return state
}

const begin = (parts: Parts, state: RequestFacts, request: Request): void => {
  withRequestId(state, request.headers["x-request-id"])
  state.path = pathOf(request.url)
  state.allowedOrigin = parts.crossOrigin.allowed(request.headers["origin"])
  state.address = ClientAddress.countedAs(parts.addressOf(state.peer, request.headers["x-forwarded-for"]))
}

type Verification = Effect.Effect<Principal | undefined, Unauthorized | ApiError<"access_denied"> | UnavailableLike>

const identified = (state: RequestFacts, presented: "token" | "session", verification: Verification): Identification =>
  Effect.matchEffect(verification, {
    onSuccess: (principal) => {
      if (principal !== undefined) state.identity = { _tag: "Verified", principal }
      return Effect.void
    },
    onFailure: (error) => {
      if (error._tag !== "Unauthorized") return Effect.fail(error)
      state.identity = { _tag: "Refused", presented, reason: error.reason }
      return Effect.void
    }
  })

type Identification = Effect.Effect<void, ApiError<"access_denied"> | UnavailableLike>

/** A bearer token decides alone; a session serves the arena. Undefined: nobody has to be asked. */
const identify = (
  parts: Parts,
  state: RequestFacts,
  { headers, method }: Request,
  now: number
): Identification | undefined => {
  if (state.refusal !== undefined) return undefined
  const { authorization, cookie, host, origin } = headers
  const token = bearerOf(authorization)
  if (token !== undefined) {
    const principal = parts.verifier.known(token, now)
    if (principal === undefined) {
      return Effect.map(identified(state, "token", parts.verifier.verify(token)), () => {
        if (state.identity._tag === "Refused") parts.limiter.tokenRefused(state.address, now)
      })
    }
    state.identity = { _tag: "Verified", principal }
    return undefined
  }
  if (cookie === undefined || shapeOf(state.path) !== "arena") return undefined
  return identified(state, "session", parts.sessions.verify({ method, cookie, origin, host }))
}

const allowanceOf = (parts: Parts, state: RequestFacts, now: number): Allowance => {
  const principal = state.identity._tag === "Verified" ? state.identity.principal : undefined
  return isUncounted(state.path)
    ? { ...parts.limiter.peek(state.caller, principal, now), allowed: true }
    : parts.limiter.take(state.caller, principal, now)
}

/** The answer to a preflight, where the origin and the path are known. */
const preflighted = (parts: Parts, state: RequestFacts, { headers }: Request): Served | undefined => {
  if (state.allowedOrigin === undefined || headers["access-control-request-method"] === undefined) return undefined
  const methods = parts.table.allowed(state.path)
  return methods.length === 0 ? undefined : Effect.succeed(CrossOrigin.preflight(methods))
}

const NO_JSON = "["

/** A body that nests too deep is read as one that is no JSON. */
const refuseDepth = (request: Request): void => {
  const text = Effect.map(request.text, (body) => (isTooDeep(body) ? NO_JSON : body))
  Object.defineProperty(request, "text", { value: text })
}

/** A body that does not say what it is: a page of any other site can send one without asking. */
const isUnnamed = ({ headers }: Request): boolean =>
  headers["content-type"] === undefined &&
  (headers["content-length"] === undefined
    ? headers["transfer-encoding"] !== undefined
    : headers["content-length"] !== "0")

const TOO_MUCH = "Too many bytes in large bodies: send them more slowly."

/** What a body may have that does not say how long it is. */
const unsizedBytes = ({ headers }: Request): number => (headers["transfer-encoding"] === undefined ? 0 : MAX_BODY_BYTES)

const hasBody = (method: string): boolean => method !== "GET" && method !== "HEAD"

/** The request after it was counted: refused early, run once under its key, or routed. */
const route = (parts: Parts, state: RequestFacts, request: Request, inner: Routed, now: number): Served => {
  if (state.refusal !== undefined) return Effect.fail(state.refusal)
  if (ALIAS.test(state.path)) return Effect.fail(new ApiError("not_found", "Write the path as it is documented."))
  if (request.method === "OPTIONS") return preflighted(parts, state, request) ?? inner
  if (!hasBody(request.method)) return inner
  const length = request.headers["content-length"]
  if (length !== undefined && !(Number(length) <= MAX_BODY_BYTES)) {
    return Effect.succeed(ErrorResponse.make(state, "payload_too_large"))
  }
  const bytes = length === undefined ? unsizedBytes(request) : Number(length)
  if (!parts.bodies.take(state.caller, state.identity._tag === "Verified", bytes, now)) {
    return Effect.fail(new ApiError("rate_limited", TOO_MUCH, 1))
  }
  if (isUnnamed(request) && parts.table.find(request.method, state.path)?.takesBody === true) {
    return Effect.succeed(ErrorResponse.make(state, "unsupported_media_type"))
  }
  if (!(Number(length) <= SMALL_LENGTH)) refuseDepth(request)
  return keyed(parts, state, request, inner, length === undefined)
}

/** A suspended caller is told nothing that was kept, and being refused is not kept for the time after. */
const isRefused = ({ identity }: RequestFacts): boolean =>
  identity._tag === "Refused" || (identity._tag === "Verified" && identity.principal.status === "suspended")

/** Whether an answer of the path may be kept. An unknown path has none to keep. */
const isKept = (parts: Parts, state: RequestFacts): boolean =>
  !isRefused(state) && parts.table.find("POST", state.path)?.answersSecret === false

const keyed = (parts: Parts, state: RequestFacts, request: Request, routed: Routed, unsized: boolean): Served => {
  const inner: Routed = Effect.suspend(() => {
    state.begun = request.method
    return routed
  })
  const key = request.method === "POST" ? request.headers["idempotency-key"] : undefined
  const served: Served =
    key === undefined || !isKept(parts, state)
      ? inner
      : parts.idempotency.serve(state, request, key, answered(parts, state, inner))
  return unsized ? Effect.provideService(served, HttpIncomingMessage.MaxBodySize, BODY_LIMIT) : served
}

/** The effect with every failure and defect turned into its answer. */
const answered = (parts: Parts, state: RequestFacts, effect: Served): Effect.Effect<Response> =>
  Effect.matchCauseEffect(effect, {
    onSuccess: (response) => Effect.succeed(plainTextRefusal(state, response)),
    onFailure: (cause) => ErrorResponse.ofCause(state, cause, parts.table.allowed)
  })

/** The router refuses a content type in plain text. */
const plainTextRefusal = (state: RequestFacts, response: Response): Response =>
  response.status === 415 ? ErrorResponse.make(state, "unsupported_media_type") : response

const retryAfter = (state: RequestFacts, response: Response, allowance: Allowance, now: number): string | undefined => {
  if (response.status === 429)
    return String(state.retryAfterSeconds ?? Math.max(1, allowance.reset - Math.floor(now / 1000)))
  if (response.status === 503) return String(state.retryAfterSeconds ?? UNAVAILABLE_RETRY)
  return state.retryAfterSeconds === undefined ? undefined : String(state.retryAfterSeconds)
}

/** What an answer says of its own request and of the caller's allowance. */
export const commonHeaders = (state: RequestFacts, allowance: Allowance): Record<string, string> => ({
  "x-request-id": state.id,
  "x-ratelimit-limit": String(allowance.limit),
  "x-ratelimit-remaining": String(allowance.remaining),
  "x-ratelimit-reset": String(allowance.reset),
  ...(state.allowedOrigin === undefined ? {} : CrossOrigin.headersOf(state.allowedOrigin))
})

/** The answer with the headers that belong to it. */
export const finish = (
  parts: Pick<Parts, "fixedHeaders">,
  state: RequestFacts,
  response: Response,
  allowance: Allowance,
  now: number
): Response => {
  const headers: Record<string, string> = {
    ...parts.fixedHeaders,
    ...response.headers,
    ...commonHeaders(state, allowance)
  }
  if (state.link !== undefined && response.status === 200) headers["link"] = state.link
  if (response.status === 401 && headers["www-authenticate"] === undefined) {
    const { identity } = state
    const isTokenRefused = identity._tag === "Refused" && identity.presented === "token"
    headers["www-authenticate"] = isTokenRefused ? 'Bearer error="invalid_token"' : "Bearer"
  }
  const wait = response.status < 400 ? undefined : retryAfter(state, response, allowance, now)
  if (wait !== undefined && headers["retry-after"] === undefined) headers["retry-after"] = wait
  if (response.status === 413) headers["connection"] = "close"
  return HttpServerResponse.setHeaders(response, Headers.fromRecordUnsafe(headers))
}

const conventions =
  (parts: Parts) =>
  (inner: Routed): Routed =>
    Effect.withFiber((fiber) => {
      const state = Context.getUnsafe(fiber.context, RequestState)
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const clock = fiber.getRef(Clock.Clock)
      const started = clock.monotonicTimeNanosUnsafe()
      const now = clock.currentTimeMillisUnsafe()
      begin(parts, state, request)
      let allowance: Allowance | undefined
      const admit = (): Served => {
        allowance = allowanceOf(parts, state, now)
        return allowance.allowed
          ? route(parts, state, request, inner, now)
          : Effect.succeed(ErrorResponse.make(state, "rate_limited"))
      }
      const identification = identify(parts, state, request, now)
      const served = identification === undefined ? admit() : Effect.flatMap(identification, admit)
      return Effect.map(answered(parts, state, served), (response) => {
        allowance ??= allowanceOf(parts, state, now)
        const seconds = Number(clock.monotonicTimeNanosUnsafe() - started) / 1e9
        parts.record(fiber.context, state, request.method, response.status, seconds)
        return finish(parts, state, response, allowance, now)
      })
    })

/**
 * What every request meets: an id, its caller, the rate limit, the size limit, `Idempotency-Key`, errors as JSON, the
 * headers of every answer and the metrics. One layer, so that a request pays for one pass.
 */
export const layer = (table: EndpointTable) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const { server } = yield* Settings
      return conventions({
        table,
        verifier: yield* TokenVerifier,
        sessions: yield* SessionVerifier,
        limiter: yield* RateLimiter,
        bodies: new BodyBudgets(server.rateLimits),
        idempotency: yield* Idempotency,
        crossOrigin: CrossOrigin.make(server.corsOrigins),
        addressOf: ClientAddress.make(server.trustedProxies),
        fixedHeaders: securityHeaders(server),
        record: RequestMetrics.make(yield* RequestUsage)
      })
    }),
    { global: true }
  )

/** Dependencies of {@link layer} that this folder builds itself. */
export const services = Layer.mergeAll(RateLimiter.layer, Idempotency.layer)
