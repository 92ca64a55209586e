import { Cause, Effect } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { ApiError, body, CATALOGUE, faulty, shapeOf } from "../api/ApiError.ts"
import type { Code } from "../api/ApiError.ts"
import { CURSOR_EXPECTED } from "../api/Conventions.ts"
import type { FieldError } from "../api/FieldError.ts"
import { cutSentence } from "./RequestDeadline.ts"
import type { RequestFacts } from "./RequestState.ts"
import * as ValidationErrors from "./ValidationErrors.ts"

type Response = HttpServerResponse.HttpServerResponse

const answered = (
  code: Code,
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {}
): Response =>
  HttpServerResponse.text(JSON.stringify(fields), {
    status: CATALOGUE[code].status,
    contentType: "application/json",
    headers
  })

/** An error answer in the shape of the request's path. */
export const make = (
  state: RequestFacts,
  code: Code,
  message: string = CATALOGUE[code].sentence,
  headers: Readonly<Record<string, string>> = {}
): Response => answered(code, body(shapeOf(state.path), code, message), headers)

/**
 * The answer of a refusal. One for faulty fields names each of them and the request. Its `Retry-After` goes to the
 * request's facts.
 */
export const ofApiError = (state: RequestFacts, { code, errors, message, retryAfterSeconds }: ApiError): Response => {
  state.retryAfterSeconds = retryAfterSeconds ?? state.retryAfterSeconds
  const fields = body(shapeOf(state.path), code, message)
  return answered(code, errors.length === 0 ? fields : { ...fields, errors, request_id: state.id })
}

const PLACES = {
  Params: "path",
  Headers: "headers",
  Query: "query",
  Payload: "payload",
  Body: "response",
  ResponseHeaders: "response"
} as const

/** What is wrong with a request, as far as its decoding came. */
export const faultsOf = ({ cause, kind }: HttpApiError.HttpApiSchemaError): ReadonlyArray<FieldError> =>
  ValidationErrors.at(PLACES[kind], cause.issue)

const isUnwritten = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "isUnwritten" in error && error.isUnwritten === true

/** The answer where the database, or the server, goes away. One of unknown outcome says so. */
const unavailable = (state: RequestFacts, error?: unknown): Response =>
  make(state, "unavailable", state.begun === undefined || isUnwritten(error) ? undefined : cutSentence(state.begun))

const UNAVAILABLE: ReadonlySet<unknown> = new Set(["Unavailable", "JournalUnavailable"])

const tagOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined

const ofServerError = (
  state: RequestFacts,
  error: HttpServerError.HttpServerError,
  allowed: (path: string) => ReadonlyArray<string>
): Response | undefined => {
  const { reason } = error
  if (reason._tag === "RouteNotFound") {
    const methods = allowed(state.path)
    if (methods.length === 0) return make(state, "not_found")
    return make(state, "method_not_allowed", undefined, { allow: methods.join(", ") })
  }
  if (reason._tag !== "RequestParseError") return undefined
  return reason.reason === "BodyTooLarge"
    ? make(state, "payload_too_large")
    : ofApiError(state, new ApiError("invalid_request", "payload: Expected a body that can be read to its end"))
}

/** The answer that one failure or defect stands for; undefined when it is ours to explain. */
export const ofError = (
  state: RequestFacts,
  error: unknown,
  allowed: (path: string) => ReadonlyArray<string>
): Response | undefined => {
  if (error instanceof ApiError) return ofApiError(state, error)
  if (HttpApiError.HttpApiSchemaError.is(error)) {
    const ours = error.kind === "Body" || error.kind === "ResponseHeaders"
    return ours ? undefined : ofApiError(state, faulty(faultsOf(error)))
  }
  if (error instanceof HttpServerError.HttpServerError) return ofServerError(state, error, allowed)
  if (tagOf(error) === "UnknownCursor") {
    return ofApiError(state, faulty([{ field: "query.after", expected: CURSOR_EXPECTED }]))
  }
  return UNAVAILABLE.has(tagOf(error)) ? unavailable(state, error) : undefined
}

/**
 * The answer of a request that failed. What no rule explains is logged in full under the request's id and answered as
 * `internal` with that id alone.
 */
export const ofCause = (
  state: RequestFacts,
  cause: Cause.Cause<unknown>,
  allowed: (path: string) => ReadonlyArray<string>
): Effect.Effect<Response> => {
  for (const reason of cause.reasons) {
    if (reason._tag === "Interrupt") continue
    const found = ofError(state, reason._tag === "Fail" ? reason.error : reason.defect, allowed)
    if (found !== undefined) return Effect.succeed(found)
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(unavailable(state))
  const answer = make(
    state,
    "internal",
    `${CATALOGUE.internal.sentence} Quote the id ${state.id} to have it looked up.`
  )
  return Effect.as(
    Effect.annotateLogs(Effect.logError("A request failed", cause), { requestId: state.id, route: state.route }),
    answer
  )
}
