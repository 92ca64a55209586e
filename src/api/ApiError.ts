import { Effect, Schema, SchemaTransformation } from "effect"
import { isRefusal, type Refusal } from "../../engine/wire/Refusal.ts"
import { type FieldError, MAX_FIELD_ERRORS, namedIn, sentenceOf } from "./FieldError.ts"

/**
 * Every code an answer can carry, with its HTTP status and the sentence used when nothing more exact is known.
 * Specification 7, and the codes of the platform's own conventions.
 */
export const CATALOGUE = {
  invalid_request: { status: 400, sentence: "The request is malformed: correct it and send it again." },
  invalid_grant: { status: 400, sentence: "The refresh token is expired, revoked or unknown: sign in again." },
  unauthorized_client: { status: 400, sentence: "This client may not use the scope: ask for one it was given." },
  invalid_scope: { status: 400, sentence: "The requested scope is not allowed: ask for one of the client's scopes." },
  unsupported_grant_type: { status: 400, sentence: "Use grant_type client_credentials or refresh_token." },
  unauthorized: { status: 401, sentence: "Send a valid access token as Authorization: Bearer <token>." },
  invalid_client: { status: 401, sentence: "The client id or secret is wrong." },
  access_denied: { status: 403, sentence: "This account may not do that." },
  insufficient_scope: { status: 403, sentence: "The access token lacks the scope that this operation needs." },
  plan_required: { status: 403, sentence: "The company's plan does not include this: choose a paid plan." },
  entitlement_required: { status: 403, sentence: "The company lacks the machine_trader entitlement." },
  bot_limit_reached: { status: 403, sentence: "The plan's number of bots is reached: terminate one first." },
  not_found: { status: 404, sentence: "There is nothing at this address." },
  method_not_allowed: { status: 405, sentence: "This address does not take that method: see the Allow header." },
  conflict: { status: 409, sentence: "The request contradicts the present state: read it and decide again." },
  commitments_halted: {
    status: 409,
    sentence:
      "The company's kill switch is pulled, and none of its commitments is taken until " +
      "DELETE /api/arena/machine-traders/kill-switch lifts it."
  },
  range_not_satisfiable: { status: 416, sentence: "The file has no such bytes: see the Content-Range header." },
  payload_too_large: { status: 413, sentence: "The body is larger than 1048576 bytes: send a smaller one." },
  unsupported_media_type: { status: 415, sentence: "Send the body with a Content-Type that the operation takes." },
  unprocessable: { status: 422, sentence: "The request is well formed but cannot be carried out as it is." },
  credit_frozen: { status: 422, sentence: "Something of the company is overdue: pay it first, or order prepaid." },
  wallet_required: { status: 422, sentence: "Link a wallet address to the account first." },
  loss_limit: { status: 422, sentence: "The machine trader's loss limit leaves no room for this collateral." },
  rate_limited: { status: 429, sentence: "Too many requests: wait for the seconds in Retry-After." },
  internal: { status: 500, sentence: "Something failed on our side." },
  unavailable: { status: 503, sentence: "The service cannot take the request now: try again after Retry-After." },
  ARENA_001: { status: 404, sentence: "There is no such order: list the orders to find one." },
  ARENA_002: { status: 422, sentence: "The balance does not cover the collateral: add funds or lower the quantity." },
  ARENA_003: { status: 409, sentence: "The order takes no commitments: choose one that is open or competing." },
  ARENA_004: { status: 410, sentence: "The order's commitment window is closed: choose another order." },
  ARENA_005: { status: 422, sentence: "A price, quantity or tolerance is outside its range." },
  ARENA_006: { status: 403, sentence: "No active machine trader of that id is registered for this account." },
  ARENA_007: { status: 409, sentence: "Too few machine traders take part in the order for one to win it." },
  ARENA_008: { status: 503, sentence: "The yield vault takes no deposits now: try again after Retry-After." },
  ARENA_009: { status: 503, sentence: "Trading is paused by a circuit breaker: try again after Retry-After." }
} as const satisfies Record<string, { readonly status: number; readonly sentence: string }>

export type Code = keyof typeof CATALOGUE

const UNAVAILABLE = 503

/** Seconds that are told where the service cannot take a request, and nothing says for how long. */
const UNAVAILABLE_WAIT = 1

/** Seconds after which a refusal of a status may have passed, where it names so many or none. */
export const waitOf = (status: number, named: number | undefined): number | undefined =>
  named ?? (status === UNAVAILABLE ? UNAVAILABLE_WAIT : undefined)

/** A refusal as a handler gives it: the code decides the status, the message tells the caller what to do. */
export class ApiError<out C extends Code = Code> extends Error {
  readonly _tag = "ApiError"
  readonly code: C
  /** Seconds after which the same request may succeed, sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  /** The faulty fields, where the message is about one: it names the first. */
  readonly errors: ReadonlyArray<FieldError>

  constructor(code: C, message?: string, retryAfterSeconds?: number, errors?: ReadonlyArray<FieldError>) {
    super(message ?? CATALOGUE[code].sentence)
    this.name = "ApiError"
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.errors = errors ?? (message === undefined ? [] : namedIn(message))
  }
}

/** The refusal of a request by its faulty fields, of which there is at least one. */
export const faulty = (errors: ReadonlyArray<FieldError>): ApiError<"invalid_request"> => {
  const [first] = errors
  const message = first === undefined ? undefined : sentenceOf(first)
  return new ApiError("invalid_request", message, undefined, errors.slice(0, MAX_FIELD_ERRORS))
}

/** Fails with a code of the catalogue. Without a message its own sentence is used. */
export const refuse = <C extends Code>(
  code: C,
  message?: string,
  retryAfterSeconds?: number
): Effect.Effect<never, ApiError<C>> => Effect.fail(new ApiError(code, message, retryAfterSeconds))

/** The arena's own codes name a faulty field in their message alone. Specification 7. */
const isOfArena = (code: Code): boolean => code.startsWith("ARENA_")

/** A refusal as callers get it, over HTTP and `/rpc` alike: its code, what to do, and when to come back. */
export const apiErrorOf = <C extends Code>({ code, message, retryAfterSeconds }: Refusal<C>): ApiError<C> =>
  new ApiError(code, message === "" ? undefined : message, retryAfterSeconds, isOfArena(code) ? [] : undefined)

/** What callers get of an error that is a refusal; nothing of another one. */
export const refusedBy = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error
  return isRefusal(error) && error.code in CATALOGUE ? apiErrorOf(error as Refusal<Code>) : undefined
}

/** Whether a value is the refusal of one code. */
export const isApiError =
  <C extends Code>(code: C) =>
  (value: unknown): value is ApiError<C> | Refusal<C> =>
    (value instanceof ApiError || isRefusal(value)) && value.code === code

const messageOf = ({ code, message }: ApiError | Refusal<Code>): string =>
  message === "" ? CATALOGUE[code].sentence : message

const refusal = <C extends Code>(code: C) => Schema.declare(isApiError(code), { expected: `the refusal ${code}` })

const annotations = (code: Code, shape: string) => ({
  httpApiStatus: CATALOGUE[code].status,
  description: `${code}: ${CATALOGUE[code].sentence}`,
  title: `${shape}_${code}`
})

/** One code as `/v1` and `/api/v1` send it: `{message, code}`. Specification 7, ResponseError. */
export const wire = <const C extends Code>(code: C) =>
  Schema.Struct({ message: Schema.String, code: Schema.Literal(code) })
    .pipe(
      Schema.decodeTo(
        refusal(code),
        SchemaTransformation.transform({
          decode: (sent): ApiError<C> | Refusal<C> => new ApiError(code, sent.message),
          encode: (error: ApiError<C> | Refusal<C>) => ({ message: messageOf(error), code })
        })
      )
    )
    .annotate(annotations(code, "platform"))

/** One code as the arena sends it: `{success: false, message, code}`. */
export const arenaWire = <const C extends Code>(code: C) =>
  Schema.Struct({ success: Schema.Literal(false), message: Schema.String, code: Schema.Literal(code) })
    .pipe(
      Schema.decodeTo(
        refusal(code),
        SchemaTransformation.transform({
          decode: (sent): ApiError<C> | Refusal<C> => new ApiError(code, sent.message),
          encode: (error: ApiError<C> | Refusal<C>) => ({ success: false as const, message: messageOf(error), code })
        })
      )
    )
    .annotate(annotations(code, "arena"))

/** One code as the OAuth endpoints send it: `{error, error_description, message, code}`. RFC 6749, 5.2. */
export const oauthWire = <const C extends Code>(code: C) =>
  Schema.Struct({
    error: Schema.Literal(code),
    error_description: Schema.String,
    message: Schema.String,
    code: Schema.Literal(code)
  })
    .pipe(
      Schema.decodeTo(
        refusal(code),
        SchemaTransformation.transform({
          decode: (sent): ApiError<C> | Refusal<C> => new ApiError(code, sent.message),
          encode: (error: ApiError<C> | Refusal<C>) => ({
            error: code,
            error_description: messageOf(error),
            message: messageOf(error),
            code
          })
        })
      )
    )
    .annotate(annotations(code, "oauth"))

/** The three shapes of an error body. */
export type Shape = "platform" | "arena" | "oauth"

/** Paths whose errors have the shape of RFC 6749. */
export const OAUTH_PATHS: ReadonlySet<string> = new Set([
  "/api/v1/auth/token",
  "/api/v1/auth/revoke",
  "/api/v1/auth/google/callback",
  "/api/v1/auth/ecommerce/callback",
  "/v1/authorize"
])

/** The shape that a path's errors have, also where no endpoint was reached. */
export const shapeOf = (path: string): Shape =>
  path.startsWith("/api/arena/") || path === "/api/arena" ? "arena" : OAUTH_PATHS.has(path) ? "oauth" : "platform"

/** The body of an error in a shape, in the order the schemas above give. */
export const body = (shape: Shape, code: Code, message: string): Readonly<Record<string, unknown>> =>
  shape === "arena"
    ? { success: false, message, code }
    : shape === "oauth"
      ? { error: code, error_description: message, message, code }
      : { message, code }
