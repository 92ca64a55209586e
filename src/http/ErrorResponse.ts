import { Cause, Effect } from "effect"
import { HttpServerError } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { ApiError, body, CATALOGUE, faulty, shapeOf } from "../api/ApiError.ts"
import type { Code } from "../api/ApiError.ts"
import type { FieldError } from "../api/FieldError.ts"
import { faultOf, refusalOf } from "./ExplainedFailure.ts"
import { ofJson, type PlainResponse } from "./PlainResponse.ts"
import { cutSentence } from "./RequestDeadline.ts"
import type { RequestFacts } from "../RequestState.ts"
import * as ValidationErrors from "./ValidationErrors.ts"

/** An error response in the shape of the request's path. */
export const make = (
  state: RequestFacts,
  code: Code,
  message: string = CATALOGUE[code].sentence,
  headers?: Readonly<Record<string, string>>
): PlainResponse => ofJson(CATALOGUE[code].status, JSON.stringify(body(shapeOf(state.path), code, message)), headers)

/**
 * The response of a refusal. A refusal of faulty fields names each of them and the request. Its `Retry-After` goes to
 * the request's facts.
 */
export const ofApiError = (
  state: RequestFacts,
  { code, errors, message, retryAfterSeconds }: ApiError
): PlainResponse => {
  state.retryAfterSeconds = retryAfterSeconds ?? state.retryAfterSeconds
  if (errors.length === 0) return make(state, code, message)
  const fields = body(shapeOf(state.path), code, message)
  return ofJson(CATALOGUE[code].status, JSON.stringify({ ...fields, errors, request_id: state.id }))
}

const PLACES = {
  Params: "path",
  Headers: "headers",
  Query: "query",
  Payload: "payload",
  Body: "response",
  ResponseHeaders: "response"
} as const

/** The faults of a request, as far as its decoding went. */
export const faultsOf = ({ cause, kind }: HttpApiError.HttpApiSchemaError): ReadonlyArray<FieldError> =>
  ValidationErrors.at(PLACES[kind], cause.issue)

/** The sentence for a request that began before the database, or the server, went away. */
const cutOf = ({ begun }: RequestFacts): string | undefined => (begun === undefined ? undefined : cutSentence(begun))

/** The refusal of a body that breaks off. */
export const unreadable = (): ApiError =>
  new ApiError("invalid_request", "payload: Expected a body that can be read to its end")

/** The refusal of a body in another encoding, or one that ends in the middle of a character. */
export const noUtf8 = (): ApiError => new ApiError("invalid_request", "payload: Expected a body that is valid UTF-8")

/** The refusal of a body of another content type than those that are taken. */
export const otherMedia = (state: RequestFacts, media: ReadonlyArray<string>): PlainResponse =>
  make(
    state,
    "unsupported_media_type",
    media.length === 0 ? undefined : `Send the body as Content-Type: ${media.join(" or ")}.`
  )

/** The refusal of a method that a path does not take. */
export const otherMethod = (state: RequestFacts, allowed: ReadonlyArray<string>): PlainResponse =>
  make(state, "method_not_allowed", undefined, { allow: allowed.join(", ") })

const ofServerError = (
  state: RequestFacts,
  { reason }: HttpServerError.HttpServerError,
  allowed: (path: string) => ReadonlyArray<string>
): PlainResponse | undefined => {
  if (reason._tag === "RouteNotFound") {
    const methods = allowed(state.path)
    return methods.length === 0 ? make(state, "not_found") : otherMethod(state, methods)
  }
  if (reason._tag !== "RequestParseError") return undefined
  if (reason.reason === "BodyTooLarge") return make(state, "payload_too_large")
  return ofApiError(state, reason.cause instanceof ApiError ? reason.cause : unreadable())
}

/** The response to a failure or defect; undefined if it is a fault of ours. */
export const ofError = (
  state: RequestFacts,
  error: unknown,
  allowed: (path: string) => ReadonlyArray<string>
): PlainResponse | undefined => {
  if (HttpApiError.HttpApiSchemaError.is(error)) {
    const ours = error.kind === "Body" || error.kind === "ResponseHeaders"
    return ours ? undefined : ofApiError(state, faulty(faultsOf(error)))
  }
  if (error instanceof HttpServerError.HttpServerError) return ofServerError(state, error, allowed)
  const refusal = refusalOf(error, "query.after", cutOf(state))
  return refusal === undefined ? undefined : ofApiError(state, refusal)
}

/**
 * The response of a request that failed. A failure that no rule explains is logged in full under the request's id and
 * answered as `internal` with that id alone.
 */
export const ofCause = (
  state: RequestFacts,
  cause: Cause.Cause<unknown>,
  allowed: (path: string) => ReadonlyArray<string>
): Effect.Effect<PlainResponse> => {
  for (const reason of cause.reasons) {
    if (reason._tag === "Interrupt") continue
    const found = ofError(state, reason._tag === "Fail" ? reason.error : reason.defect, allowed)
    if (found !== undefined) return Effect.succeed(found)
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(make(state, "unavailable", cutOf(state)))
  return Effect.as(
    Effect.annotateLogs(Effect.logError("A request failed", cause), { requestId: state.id, route: state.route }),
    ofApiError(state, faultOf(state.id))
  )
}
