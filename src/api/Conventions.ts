import { Context, Schema, SchemaTransformation } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { ApiError, CATALOGUE, isApiError } from "./ApiError.ts"

/** Anything that says by its tag that the request cannot be taken now, such as a database that is away. */
export interface UnavailableLike {
  readonly _tag: "Unavailable"
}

/** Anything that says by its tag that the cursor of a list names no row of it. */
export interface UnknownCursorLike {
  readonly _tag: "UnknownCursor"
}

const ROW_OF_LIST = "the id of a row of this list: begin without it, and go on with"

/** What `after` takes, by where it is sent. */
export const CURSOR_EXPECTED = {
  "query.after": `${ROW_OF_LIST} the Link header`,
  "payload.after": `${ROW_OF_LIST} the next of the page before`
} as const

/** The tag of a failure, where it has one. */
export const tagOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "_tag" in value ? value._tag : undefined

const isUnknownCursor = (value: unknown): value is UnknownCursorLike => tagOf(value) === "UnknownCursor"

const unknownCursor = Schema.Struct({ message: Schema.String, code: Schema.Literal("invalid_request") })
  .pipe(
    Schema.decodeTo(
      Schema.declare(isUnknownCursor, { expected: "the refusal of a cursor" }),
      SchemaTransformation.transform<UnknownCursorLike, { message: string; code: "invalid_request" }>({
        decode: () => ({ _tag: "UnknownCursor" }),
        encode: () => ({ message: `query.after: Expected ${CURSOR_EXPECTED["query.after"]}`, code: "invalid_request" })
      })
    )
  )
  .annotate({ httpApiStatus: 400, description: `invalid_request: ${CATALOGUE.invalid_request.sentence}` })

const isUnavailable = (value: unknown): value is UnavailableLike | ApiError<"unavailable"> =>
  tagOf(value) === "Unavailable" || isApiError("unavailable")(value)

const unavailable = Schema.Struct({ message: Schema.String, code: Schema.Literal("unavailable") })
  .pipe(
    Schema.decodeTo(
      Schema.declare(isUnavailable, { expected: "the refusal unavailable" }),
      SchemaTransformation.transform<
        UnavailableLike | ApiError<"unavailable">,
        { message: string; code: "unavailable" }
      >({
        decode: (sent) => new ApiError("unavailable", sent.message),
        encode: () => ({ message: CATALOGUE.unavailable.sentence, code: "unavailable" })
      })
    )
  )
  .annotate({ httpApiStatus: 503, description: `unavailable: ${CATALOGUE.unavailable.sentence}` })

/**
 * What every endpoint of the contract shares: refusals that name the field, `Retry-After`, `Idempotency-Key` on POST,
 * 503 for any failure tagged `Unavailable`, and 400 for one tagged `UnknownCursor`. Put on the whole API, last.
 */
export class Conventions extends HttpApiMiddleware.Service<Conventions>()("emporion/api/Conventions", {
  error: [unavailable, unknownCursor]
}) {}

/** Annotation of a POST whose answer holds a token, a secret or a cookie: it is never kept, and a key is ignored. */
export const AnswersSecret = Context.Reference<boolean>("emporion/api/AnswersSecret", { defaultValue: () => false })

/** Annotation of an endpoint that others redirect to: what they add to its query is ignored. */
export const TakesAnyQuery = Context.Reference<boolean>("emporion/api/TakesAnyQuery", { defaultValue: () => false })

/** Annotation of a GET that changes something, such as a page that begins a session: it is not sent a second time. */
export const ChangesOnGet = Context.Reference<boolean>("emporion/api/ChangesOnGet", { defaultValue: () => false })

/**
 * Annotation of an endpoint that is asked for often: where nothing about a request is unusual its handler runs without
 * the router. Such a handler finds the caller, the request and its facts, and answers with its one success.
 */
export const Fast = Context.Reference<boolean>("emporion/api/Fast", { defaultValue: () => false })
