import { Cause, Clock, Context, Effect, Exit, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Principal } from "../api/Authorization.ts"
import { phaseMeter } from "../CommitPhases.ts"
import type { PhaseMeter } from "../../engine/journal/WritePorts.ts"
import { Settings } from "../Config.ts"
import { refusalOf } from "./Authorizing.ts"
import { FREE_BODY_BYTES } from "./BodyBudgets.ts"
import { type FastRoute, type FastRun, FastRoutes, type PreparedRun } from "./FastRoutes.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { bearerOf, commonHeaders, finish, pathOf, securityHeaders, withRequestId } from "./HttpConventions.ts"
import { Idempotency, isKey } from "./Idempotency.ts"
import { isTooDeep } from "./JsonDepth.ts"
import { type Allowance, RateLimiter } from "./RateLimiter.ts"
import { CachedResponses } from "./CachedResponses.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import { deadlineOf, type InTime, lateSentence, RequestLimit } from "./RequestDeadline.ts"
import { RequestFacts } from "./RequestState.ts"
import { RequestUsage } from "./RequestUsage.ts"
import { TokenVerifier } from "./TokenVerifier.ts"
import { withoutServices } from "./RuntimeContext.ts"

/** What takes the requests that are not answered here. */
export type Router = (request: Request) => Response | Promise<Response>

/**
 * Answers, before the router is asked, callers whose token is known: a `GET` whose answer is ready, and a `POST` to one
 * of the {@link FastRoutes}, also under an `Idempotency-Key`. Every request with anything unusual about it goes to the router, before anything of it
 * ran; so does one that is refused for its caller, its body or the rate limit. A request is counted once.
 *
 * It meets the same conventions: the caller, the rate limit, the size limit, errors as JSON, the headers and the metrics.
 */
export const FastPath = Context.Reference<{
  readonly serve: (request: Request, peer: string, router: Router) => Response | Promise<Response>
  /** The answer of a request that got none in time. */
  readonly late: (state: RequestFacts, method: string) => Response
}>("emporion/http/FastPath", {
  defaultValue: () => ({
    serve: (request, _, router) => router(request),
    late: () => new Response(null, { status: 503, headers: { "retry-after": "1" } })
  })
})

const JSON_TYPE = "application/json"

const noMethods = (): ReadonlyArray<string> => []

interface Parts {
  readonly verifier: TokenVerifier["Service"]
  readonly limiter: RateLimiter["Service"]
  readonly idempotency: Idempotency["Service"]
  readonly clock: Clock.Clock
  readonly context: Context.Context<never>
  readonly fork: ReturnType<typeof Effect.runForkWith<never>>
  readonly fixedHeaders: Readonly<Record<string, string>>
  readonly record: ReturnType<typeof RequestMetrics.make>
  /** Of what is posted. */
  readonly meter: PhaseMeter
  readonly inTime: InTime
}

/** A request that is being answered here. */
interface Admitted {
  readonly started: bigint
  readonly now: number
  readonly state: RequestFacts
  readonly allowance: Allowance
}

/** One that was posted, and what the main thread has taken for it, in nanoseconds. */
interface Posted extends Admitted {
  taken: bigint
}

/** The path with its query. */
const targetOf = (url: string): string => url.slice(url.indexOf("/", url.indexOf("//") + 2))

const tokenOf = (request: Request): string | undefined => bearerOf(request.headers.get("authorization"))

/** Counts the request; undefined where the caller may not send one more, which is not counted. */
const admit = (parts: Parts, request: Request, peer: string, path: string, route: string, principal: Principal) => {
  const now = parts.clock.currentTimeMillisUnsafe()
  const state = withRequestId(new RequestFacts(peer), request.headers.get("x-request-id") ?? undefined)
  state.path = path
  state.route = route
  state.identity = { _tag: "Verified", principal }
  const allowance = parts.limiter.take(state.caller, principal, now)
  return allowance.allowed ? { state, allowance, now } : undefined
}

const answerWith = (
  { clock, context, fixedHeaders, record }: Parts,
  { allowance, started, state }: Admitted,
  method: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers?: Readonly<Record<string, string>>
): Response => {
  record(context, state, method, 200, Number(clock.monotonicTimeNanosUnsafe() - started) / 1e9)
  return new Response(body, {
    headers: { ...fixedHeaders, "content-type": JSON_TYPE, ...headers, ...commonHeaders(state, allowance) }
  })
}

const ready = (parts: Parts, answers: typeof CachedResponses.Service) => (request: Request, peer: string) => {
  const started = parts.clock.monotonicTimeNanosUnsafe()
  const now = parts.clock.currentTimeMillisUnsafe()
  const target = targetOf(request.url)
  const found = answers.find(target, now)
  const token = found === undefined ? undefined : tokenOf(request)
  const principal = token === undefined ? undefined : parts.verifier.known(token, now)
  if (found === undefined || principal === undefined || refusalOf(found.access, principal) !== undefined) {
    return undefined
  }
  const admitted = admit(parts, request, peer, pathOf(target), found.route, principal)
  if (admitted === undefined) return undefined
  const { body, headers } = found.answer
  return answerWith(parts, { ...admitted, started }, "GET", body, headers)
}

/** Whether a request says nothing that only the router knows how to take. A large body it refuses before reading it. */
const isPlain = ({ headers }: Request): boolean => {
  const length = headers.get("content-length")
  const key = headers.get("idempotency-key")
  return (
    headers.get("content-type") === JSON_TYPE &&
    (key === null || isKey(key)) &&
    length !== null &&
    Number(length) <= FREE_BODY_BYTES
  )
}

const parsed = (text: string): unknown => {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same request for the router, after its body was read here. */
const again = (request: Request, body: string): Request =>
  new Request(request.url, { method: request.method, headers: request.headers, body, signal: request.signal })

/** Not counted again. */
const lateAnswer = ({ clock, fixedHeaders, limiter }: Parts, state: RequestFacts, method: string): Response => {
  const now = clock.currentTimeMillisUnsafe()
  const principal = state.identity._tag === "Verified" ? state.identity.principal : undefined
  const refusal = ErrorResponse.make(state, "unavailable", lateSentence(method))
  return HttpServerResponse.toWeb(
    finish({ fixedHeaders }, state, refusal, limiter.peek(state.caller, principal, now), now)
  )
}

/** Makes an answer to what was posted. It is the last that is done for it. */
const metered = ({ meter }: Parts, admitted: Posted, make: () => Response): Response => {
  const begun = meter.now()
  const response = make()
  meter.add(admitted.taken + meter.now() - begun, 1)
  return response
}

/** Runs what was admitted to its end, also where the caller is gone. */
const finished = (parts: Parts, admitted: Posted, run: FastRun): Effect.Effect<Response> => {
  admitted.state.begun = "POST"
  return Effect.matchCauseEffect(run, {
    onSuccess: (body) => Effect.succeed(metered(parts, admitted, () => answerWith(parts, admitted, "POST", body))),
    onFailure: (cause) =>
      Effect.map(ErrorResponse.ofCause(admitted.state, cause, noMethods), (response) =>
        metered(parts, admitted, () => completed(parts, admitted, response))
      )
  })
}

const completed = (
  { clock, context, fixedHeaders, record }: Parts,
  { allowance, now, started, state }: Admitted,
  response: HttpServerResponse.HttpServerResponse
): Response => {
  record(context, state, "POST", response.status, Number(clock.monotonicTimeNanosUnsafe() - started) / 1e9)
  return HttpServerResponse.toWeb(finish({ fixedHeaders }, state, response, allowance, now))
}

/** The same once under a key: what was answered to it before is answered again. */
const finishedOnce = (
  parts: Parts,
  admitted: Posted,
  { body, key }: { readonly body: string; readonly key: string },
  run: PreparedRun
): Effect.Effect<Response> => {
  const { state } = admitted
  const ofCause = (cause: Cause.Cause<unknown>) => ErrorResponse.ofCause(state, cause, noMethods)
  const read = { method: "POST", key, contentType: JSON_TYPE, query: "", body }
  const served = parts.idempotency.serveRead(state, read, (keyed) => {
    state.begun = "POST"
    return Effect.matchCauseEffect(run(keyed), {
      onSuccess: (text) => Effect.succeed(HttpServerResponse.text(text, { contentType: JSON_TYPE })),
      onFailure: ofCause
    })
  })
  return Effect.map(Effect.catchCause(served, ofCause), (response) =>
    metered(parts, admitted, () => completed(parts, admitted, response))
  )
}

/** When a body was asked for and there, and what the main thread had taken before. */
interface Reading {
  readonly started: bigint
  readonly resumed: bigint
  readonly taken: bigint
}

const posted = (parts: Parts, routes: ReadonlyMap<string, FastRoute>) => {
  const run = (
    route: FastRoute,
    principal: Principal,
    request: Request,
    peer: string,
    text: string,
    { resumed, started, taken }: Reading
  ) => {
    const key = request.headers.get("idempotency-key")
    const prepared = route.prepare(parsed(text), principal)
    const admitted = prepared === undefined ? undefined : admit(parts, request, peer, route.path, route.path, principal)
    if (prepared === undefined || admitted === undefined) return undefined
    const admission: Posted = { ...admitted, started, taken }
    const served =
      key === null
        ? finished(parts, admission, prepared(undefined))
        : finishedOnce(parts, admission, { body: text, key }, prepared)
    return parts.inTime<Response>(
      (answer, fail) => {
        const fiber = parts.fork(served)
        admission.taken += parts.meter.now() - resumed
        fiber.addObserver((exit) => (Exit.isSuccess(exit) ? answer(exit.value) : fail(Cause.squash(exit.cause))))
      },
      () => lateAnswer(parts, admitted.state, "POST")
    )
  }

  return (request: Request, peer: string, router: Router): Promise<Response> | undefined => {
    const route = routes.get(targetOf(request.url))
    if (route === undefined || !isPlain(request)) return undefined
    const token = tokenOf(request)
    if (token === undefined) return undefined
    const started = parts.clock.monotonicTimeNanosUnsafe()
    const principal = parts.verifier.known(token, parts.clock.currentTimeMillisUnsafe())
    if (principal === undefined || refusalOf(route.access, principal) !== undefined) return undefined
    const body = request.text()
    const taken = parts.meter.now() - started
    return body.then(
      (text) =>
        run(route, principal, request, peer, text, { started, taken, resumed: parts.meter.now() }) ??
        router(again(request, text)),
      () => router(request)
    )
  }
}

/** Needs the limiter that the conventions count with. Where requests are traced, only the router makes their spans. */
export const layer = Layer.effect(
  FastPath,
  Effect.gen(function* () {
    const { observability, server } = yield* Settings
    const context = withoutServices(yield* Effect.context<never>())
    const parts: Parts = {
      verifier: yield* TokenVerifier,
      limiter: yield* RateLimiter,
      idempotency: yield* Idempotency,
      clock: yield* Clock.Clock,
      context,
      fork: Effect.runForkWith(context),
      fixedHeaders: securityHeaders(server),
      record: RequestMetrics.make(yield* RequestUsage),
      meter: yield* phaseMeter("http"),
      inTime: deadlineOf(yield* RequestLimit)
    }
    const get = ready(parts, yield* CachedResponses)
    const post = posted(parts, new Map((yield* FastRoutes).map((route) => [route.path, route])))
    const isTraced = observability.otlpEndpoint !== undefined
    return {
      late: (state, method) => lateAnswer(parts, state, method),
      serve: (request, peer, router) => {
        if (isTraced) return router(request)
        if (server.corsOrigins.length > 0 && request.headers.get("origin") !== null) return router(request)
        const { method } = request
        const answer =
          method === "GET" ? get(request, peer) : method === "POST" ? post(request, peer, router) : undefined
        return answer ?? router(request)
      }
    }
  })
)
