import type { ErrorCode } from "./Contract.ts"

/** A field of a request that was not taken, such as `payload.quantity`, and what belongs there. */
export interface FaultyField {
  readonly field: string
  readonly expected: string
}

/** What a refusal says besides its code and its sentence. */
export interface RefusalDetails {
  readonly status: number
  /** `X-Request-Id` of the answer, to quote. */
  readonly requestId: string | undefined
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  readonly errors: ReadonlyArray<FaultyField>
}

/** The platform refused a request. `code` is for programs, the message for people. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "ApiError"
  readonly code: Code
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly errors: ReadonlyArray<FaultyField>

  constructor(code: Code, message: string, { errors, requestId, retryAfter, status }: RefusalDetails) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.errors = errors
  }
}

/**
 * No answer came: the server cannot be reached, the connection was lost, the time is over, or the client is closed. What
 * was asked may have happened.
 */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer"
  readonly code: "timeout" | "unreachable" | "closed"

  constructor(code: NoAnswer["code"], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Whether another try with the same credentials is in vain. */
export const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429

/** Whether the same may succeed later. */
export const isPassing = ({ status }: ApiError): boolean =>
  status === 429 || status === 502 || status === 503 || status === 504

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Seconds of `Retry-After`. */
export const retryAfterOf = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** What an answer refuses. An answer of something else, such as a proxy, is `unavailable` or `internal`. */
export const apiErrorOf = (response: Response, body: unknown): ApiError => {
  const { headers, status } = response
  const told = isObject(body) ? body : {}
  const code =
    typeof told["code"] === "string" ? (told["code"] as ErrorCode) : status === 500 ? "internal" : "unavailable"
  const message = typeof told["message"] === "string" ? told["message"] : `The server answered ${status}.`
  return new ApiError(code, message, {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterOf(headers),
    errors: Array.isArray(told["errors"]) ? (told["errors"] as ReadonlyArray<FaultyField>) : []
  })
}
