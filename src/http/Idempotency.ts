import { Clock, Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { NAMED, type NamedSending } from "../../engine/cluster/RequestName.ts"
import { type AnswerStore, KeyedRequests, type KeptResponse } from "../../engine/journal/KeyedRequests.ts"
import type { StoredResponse } from "../../engine/journal/StoredResponse.ts"
import { ApiError, CATALOGUE } from "../api/ApiError.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { KeyedRequest } from "./IdempotencyScope.ts"
import { IdempotencyRepository } from "./IdempotencyRepository.ts"
import { JSON_TYPE, ofJson, type PlainResponse } from "./PlainResponse.ts"
import type { RequestFacts } from "../RequestState.ts"

/** Longest `Idempotency-Key`, in characters. */
export const MAX_KEY_LENGTH = 255

/** The longest answer that is kept, in bytes. Longer ones are not replayed. */
const MAX_KEPT_BYTES = 1_048_576

const VISIBLE = /^[\x21-\x7e]+$/

/** Seconds that a retry of a running request is told to wait. */
const RUNNING_RETRY = 1

/** In one call, which costs a third of a call for each part. */
const digest = (...parts: ReadonlyArray<string>): string => {
  let text = ""
  for (const part of parts) text += `${part.length}:${part}`
  return hash("sha256", text)
}

const replay = ({ body, status }: KeptResponse): PlainResponse =>
  ofJson(status, body, { "idempotency-replayed": "true" })

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Refusals that are about who asks, or when, and not about what is asked. */
const UNKEPT: ReadonlySet<number> = new Set([401, 403, 429])

/** The text of a response that may be kept: no such refusal, no fault of ours, JSON, and not too long. */
const keepable = ({ body, headers, status }: PlainResponse): string | undefined => {
  if (UNKEPT.has(status) || status >= 500) return undefined
  if (body === undefined || headers["content-type"]?.startsWith(JSON_TYPE) !== true) return undefined
  const bytes = typeof body === "string" ? encoder.encode(body) : body
  if (bytes.byteLength > MAX_KEPT_BYTES) return undefined
  return typeof body === "string" ? body : decoder.decode(body)
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

/** To another node, which asks again: its caller gave no key. */
const named = new ApiError("conflict", "The first request of this name is still running.", RUNNING_RETRY)

const forgotten = new ApiError(
  "unavailable",
  "Whether the request took effect is no longer known: look before you send it again.",
  RUNNING_RETRY
)

const badKey = new ApiError(
  "invalid_request",
  `headers.idempotency-key: Expected 1 to ${MAX_KEY_LENGTH} visible ASCII characters`
)

/** A keyed request with everything that its key covers. */
export interface ReadRequest {
  readonly method: string
  readonly key: string
  readonly contentType: string
  /** With its question mark; empty where there is none. */
  readonly query: string
  readonly body: string
}

/** Whether a header names a key. */
const isKey = (given: string): boolean => given.length <= MAX_KEY_LENGTH && VISIBLE.test(given)

/** A request that has begun under its key. */
export interface Begun {
  readonly scope: KeyedRequest
  /** Keeps its response where that is to be kept, and gives what is answered; undefined where there is nothing to keep. */
  readonly keeping: (response: PlainResponse) => Effect.Effect<PlainResponse, Unavailable> | undefined
  /** Ends it, with whatever response. Does nothing when it is asked again. */
  readonly end: () => void
}

type Answering<R> = (keyed: KeyedRequest) => Effect.Effect<PlainResponse, never, R>

/** Runs a keyed request at most once, and answers its retries with what was answered. */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Begins a request whose key is certainly new, without asking anybody. Undefined where `serve` has to. `now`:
     * milliseconds since 1970.
     */
    readonly begin: (state: RequestFacts, request: ReadRequest, now: number) => Begun | undefined
    /** The same for one without a key that another node names. */
    readonly beginNamed: (sending: NamedSending) => Begun | undefined
    /**
     * Serves a request that carries a key. `answer` turns every outcome of the handler into a response, and may itself
     * keep it.
     */
    readonly serve: <R>(
      state: RequestFacts,
      request: ReadRequest,
      answer: Answering<R>
    ) => Effect.Effect<PlainResponse, ApiError | Unavailable, R>
    /** Serves a request without a key that another node names, for a caller of its own. */
    readonly serveNamed: <R>(
      sending: NamedSending,
      answer: Answering<R>
    ) => Effect.Effect<PlainResponse, ApiError | Unavailable, R>
  }
>()("emporion/http/Idempotency") {
  static readonly layer: Layer.Layer<Idempotency, never, IdempotencyRepository> = Layer.effect(
    this,
    Effect.map(IdempotencyRepository, (repository) => make(repository))
  )
}

const keyOf = (state: RequestFacts, { key, method }: ReadRequest): string =>
  digest(state.caller, method, state.path, key)

const scopeOf = (key: string, { body, contentType, query }: ReadRequest): KeyedRequest =>
  new KeyedRequest(key, digest(contentType, query, body))

const keepableOf = (scope: KeyedRequest, response: PlainResponse): StoredResponse | undefined => {
  const kept = scope.stored ? undefined : keepable(response)
  return kept === undefined ? undefined : { status: response.status, body: kept }
}

const make = (repository: IdempotencyRepository["Service"]): Idempotency["Service"] => {
  const requests = new KeyedRequests()
  const keepingOf = (key: string): AnswerStore<PlainResponse, Unavailable> => ({
    replay,
    keep: (kept) => Effect.flatMap(Clock.currentTimeMillis, (now) => repository.keep(key, kept, now))
  })

  return {
    begin: (state, request, now) => {
      if (!isKey(request.key)) return undefined
      const key = keyOf(state, request)
      if (!repository.isNew(key, now)) return undefined
      // Whatever may fail comes before: from here on only who gets the request can end it.
      const scope = scopeOf(key, request)
      const end = requests.begin(key)
      if (end === undefined) return undefined
      const keeping = (response: PlainResponse) => {
        const stored = keepableOf(scope, response)
        return stored === undefined ? undefined : requests.keep(scope, response, stored, keepingOf(key))
      }
      return { scope, keeping, end }
    },
    beginNamed: ({ isAwaited, isFirst, name }) => {
      const end = isFirst && isAwaited() ? requests.begin(name) : undefined
      return end === undefined ? undefined : { scope: new KeyedRequest(name, NAMED), keeping: () => undefined, end }
    },
    serveNamed: (sending, answer) => {
      const { name } = sending
      const scope = new KeyedRequest(name, NAMED)
      return requests
        .serveNamed(sending, repository, {
          find: repository.findNamed(name),
          replay,
          isUnavailable: ({ status }) => status === CATALOGUE.unavailable.status,
          run: answer(scope)
        })
        .pipe(Effect.catchTags({ KeyRunning: () => Effect.fail(named), Forgotten: () => Effect.fail(forgotten) }))
    },
    serve: (state, request, answer) =>
      Effect.suspend(
        (): Effect.Effect<PlainResponse, ApiError | Unavailable, Effect.Services<ReturnType<typeof answer>>> => {
          if (!isKey(request.key)) return Effect.fail(badKey)
          const key = keyOf(state, request)
          const scope = scopeOf(key, request)
          return requests
            .serve(scope, {
              ...keepingOf(key),
              find: Effect.flatMap(Clock.currentTimeMillis, (now) => repository.find(key, now)),
              run: answer(scope),
              keepable: (response) => keepableOf(scope, response)
            })
            .pipe(Effect.catchTags({ KeyRunning: () => Effect.fail(running), KeyReused: () => Effect.fail(otherBody) }))
        }
      )
  }
}
