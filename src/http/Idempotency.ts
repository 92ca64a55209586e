import { Context, Effect, Exit, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { ApiError } from "../api/ApiError.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { IdempotencyScope, KeyedRequest } from "./IdempotencyScope.ts"
import { IdempotencyRepository } from "./IdempotencyRepository.ts"
import type { KeptResponse } from "./IdempotencyRepository.ts"
import type { RequestFacts } from "./RequestState.ts"

/** Longest `Idempotency-Key`, in characters. */
export const MAX_KEY_LENGTH = 255

/** Longest answer that is kept, in bytes. Longer ones are not replayed. */
const MAX_KEPT_BYTES = 1_048_576

const VISIBLE = /^[\x21-\x7e]+$/

/** Seconds that a retry of a running request is told to wait. */
const RUNNING_RETRY = 1

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

const hash = (...parts: ReadonlyArray<string>): string => {
  const sha = createHash("sha256")
  for (const part of parts) sha.update(`${part.length}:`).update(part)
  return sha.digest("hex")
}

const replay = (kept: KeptResponse): Response =>
  HttpServerResponse.text(kept.body, {
    status: kept.status,
    contentType: "application/json",
    headers: { "idempotency-replayed": "true" }
  })

const decoder = new TextDecoder()

/** The text of an answer that may be kept: neither 401, 429 nor 5xx, JSON, and not too long. */
const keepable = (response: Response): string | undefined => {
  if (response.status === 401 || response.status === 429 || response.status >= 500) return undefined
  const { body } = response
  if (body._tag !== "Uint8Array" || body.body.byteLength > MAX_KEPT_BYTES) return undefined
  return body.contentType?.startsWith("application/json") ? decoder.decode(body.body) : undefined
}

const otherBody = new ApiError(
  "unprocessable",
  "This Idempotency-Key was used with another body: send a new key, or the first body again."
)

const running = new ApiError(
  "conflict",
  "The first request with this Idempotency-Key is still running: try again after Retry-After.",
  RUNNING_RETRY
)

const badKey = new ApiError(
  "invalid_request",
  `headers.idempotency-key: Expected 1 to ${MAX_KEY_LENGTH} visible ASCII characters`
)

/** A keyed request with all that its key is for. */
export interface ReadRequest {
  readonly method: string
  readonly key: string
  readonly contentType: string
  /** With its question mark; empty where there is none. */
  readonly query: string
  readonly body: string
}

/** Whether a header names a key. */
export const isKey = (given: string): boolean => given.length <= MAX_KEY_LENGTH && VISIBLE.test(given)

/** Runs a keyed request at most once, and answers its retries with what was answered. */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /** Serves a request that carries a key. `answer` turns every outcome of the handler into a response. */
    readonly serve: <R>(
      state: RequestFacts,
      request: Request,
      key: string,
      answer: Effect.Effect<Response, never, R>
    ) => Effect.Effect<Response, ApiError | Unavailable, R>
    /** The same of a request whose body was read: it is answered under its key by `answer`, which may keep that itself. */
    readonly serveRead: <R>(
      state: RequestFacts,
      request: ReadRequest,
      answer: (keyed: KeyedRequest) => Effect.Effect<Response, never, R>
    ) => Effect.Effect<Response, ApiError | Unavailable, R>
  }
>()("emporion/http/Idempotency") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(IdempotencyRepository, (repository) => make(repository))
  )
}

const make = (repository: IdempotencyRepository["Service"]): Idempotency["Service"] => {
  const inFlight = new Set<string>()

  const runOnce = Effect.fnUntraced(function* <R>(
    scope: KeyedRequest,
    answer: (keyed: KeyedRequest) => Effect.Effect<Response, never, R>
  ) {
    const clock = yield* Effect.clockWith(Effect.succeed)
    const kept = yield* repository.find(scope.key, clock.currentTimeMillisUnsafe())
    if (kept !== undefined) {
      return kept.fingerprint === scope.fingerprint ? replay(kept) : yield* Effect.fail(otherBody)
    }
    const response = yield* answer(scope)
    const body = scope.stored ? undefined : keepable(response)
    if (body !== undefined) {
      const { status } = response
      const { fingerprint, key } = scope
      yield* repository
        .keep(key, { fingerprint, status, body }, clock.currentTimeMillisUnsafe())
        .pipe(Effect.catch((error) => Effect.logWarning("An answer could not be kept for its retries", error)))
    }
    return response
  })

  const serveRead = <R>(
    state: RequestFacts,
    { body, contentType, key: given, method, query }: ReadRequest,
    answer: (keyed: KeyedRequest) => Effect.Effect<Response, never, R>
  ): Effect.Effect<Response, ApiError | Unavailable, R> =>
    Effect.suspend((): Effect.Effect<Response, ApiError | Unavailable, R> => {
      const key = hash(state.caller, method, state.path, given)
      if (inFlight.has(key)) return Effect.fail(running)
      inFlight.add(key)
      return Effect.ensuring(
        runOnce(new KeyedRequest(key, hash(contentType, query, body)), answer),
        Effect.sync(() => inFlight.delete(key))
      )
    })

  return {
    serveRead,
    serve: Effect.fnUntraced(function* (state, request, given, answer) {
      if (!isKey(given)) return yield* Effect.fail(badKey)
      const text = yield* Effect.exit(request.text)
      if (Exit.isFailure(text)) return yield* answer
      const query = request.url.slice(state.path.length)
      const contentType = request.headers["content-type"] ?? ""
      const read = { method: request.method, key: given, contentType, query, body: text.value }
      return yield* serveRead(state, read, (keyed) => Effect.provideService(answer, IdempotencyScope, keyed))
    })
  }
}
