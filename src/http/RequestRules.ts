import { Buffer } from "node:buffer"
import type { HttpServerRequest } from "effect/http"
import { Effect } from "effect"
import { ApiError } from "../api/ApiError.ts"
import type { ServerSettings } from "../Config.ts"
import { refusalOf as diskFull } from "../database/DiskGuard.ts"
import { BodyBudgets } from "./BodyBudgets.ts"
import * as CrossOrigin from "./CrossOrigin.ts"
import type { EndpointTable, Entry } from "./EndpointTable.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { isTooDeep, SMALL_LENGTH } from "./JsonDepth.ts"
import type { PlainResponse } from "./PlainResponse.ts"
import type { RequestFacts } from "../RequestState.ts"
import type { ArrivedRequest } from "../runtime/ServerRuntime.ts"

type GivenHeaders = ArrivedRequest["headers"]

/** Largest request body, in bytes: 1 MiB. */
export const MAX_BODY_BYTES = 1_048_576

/** What a `Host` may be made of. The runtime joins several by commas. RFC 9112, section 3.2. */
const HOST = /^[\w.~%!$&'()*+;=:[\]-]*$/

const SEVERAL_HOSTS = "Send one Host header that names one host."

/**
 * Another spelling of a path that the router would take for the same: something after a semicolon, or a letter, a digit
 * or one of `-._~` in hexadecimal (RFC 3986, 2.3). A rule for a path, ours or a proxy's, would miss it.
 */
const ALIAS = /[;#]|%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i

const TOO_MUCH = "Too many bytes in large bodies: send them more slowly."

/** The refusal of a path that is nearly one of ours. */
export const AS_DOCUMENTED = "Write the path as it is documented."

/** Paths that probes and scrapers request often: they do not count against a caller. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  "/health/live",
  "/health/ready",
  "/metrics",
  "/dashboard",
  "/simulation"
])

/** A page's own files: one visit asks for several at once. */
const UNCOUNTED_BELOW = ["/dashboard/", "/simulation/"] as const

/** Whether requests to a path count against nobody. */
export const isUncounted = (path: string): boolean =>
  UNCOUNTED.has(path) || UNCOUNTED_BELOW.some((folder) => path.startsWith(folder))

/** The path without its query. */
export const pathOf = (target: string): string => {
  const end = target.indexOf("?")
  return end === -1 ? target : target.slice(0, end)
}

/** Whether a request of a method has a body, and may change something. */
export const hasBody = (method: string): boolean => method !== "GET" && method !== "HEAD"

/** Whether a request names one host, if any. */
export const namesOneHost = ({ headers }: ArrivedRequest): boolean => HOST.test(headers.get("host") ?? "")

/** The refusal of one that does not. */
export const severalHosts = (): ApiError => new ApiError("invalid_request", SEVERAL_HOSTS)

/** The most bytes of a body that does not give its length. */
const unsizedBytes = (headers: GivenHeaders): number => (headers.get("transfer-encoding") === null ? 0 : MAX_BODY_BYTES)

/** Whether a body has no content type: a page of any other site can send such a body without asking. */
const isUnnamed = (headers: GivenHeaders, length: string | null): boolean =>
  headers.get("content-type") === null && (length === null ? headers.get("transfer-encoding") !== null : length !== "0")

const NO_JSON = "["

/** What a runtime's reader puts for bytes that are no UTF-8. */
const UNREADABLE = "\ufffd"

/**
 * A body as it counts. One that was no UTF-8 is not JSON (RFC 8259, section 8.1): whoever sends another encoding must not
 * find other letters in a name later. Its text is longer than it was, unless a character was cut behind its third byte.
 */
export const genuine = (text: string, request: ArrivedRequest): string => {
  if (!text.includes(UNREADABLE)) return text
  const length = lengthOf(request)
  return length === undefined || Buffer.byteLength(text) === length ? text : NO_JSON
}

/** A body that nests too deep counts as one that is not JSON. */
const refuseDepth = (request: HttpServerRequest.HttpServerRequest): void => {
  const text = Effect.map(request.text, (body) => (isTooDeep(body) ? NO_JSON : body))
  Object.defineProperty(request, "text", { value: text, configurable: true })
}

/** The rules that refuse a request before anybody looks at what it asks for. */
export class RequestRules {
  readonly #bodies: BodyBudgets
  readonly #table: EndpointTable
  readonly #isDiskFull: () => boolean

  constructor({ rateLimits }: Pick<ServerSettings, "rateLimits">, table: EndpointTable, isDiskFull: () => boolean) {
    this.#bodies = new BodyBudgets(rateLimits)
    this.#table = table
    this.#isDiskFull = isDiskFull
  }

  /** The refusal, or the answer to a preflight. Undefined: it may go on. */
  early(
    facts: RequestFacts,
    { headers, method }: ArrivedRequest,
    entry: Entry | undefined,
    now: number
  ): PlainResponse | ApiError | undefined {
    if (ALIAS.test(facts.path)) return new ApiError("not_found", AS_DOCUMENTED)
    if (method === "OPTIONS") return this.#preflight(facts, headers)
    if (!hasBody(method)) return undefined
    const length = headers.get("content-length")
    if (length !== null && !(Number(length) <= MAX_BODY_BYTES)) return ErrorResponse.make(facts, "payload_too_large")
    const bytes = length === null ? unsizedBytes(headers) : Number(length)
    if (!this.#bodies.take(facts.caller, facts.identity._tag === "Verified", bytes, now)) {
      return new ApiError("rate_limited", TOO_MUCH, 1)
    }
    if (entry?.takesBody === true && isUnnamed(headers, length)) {
      return ErrorResponse.make(facts, "unsupported_media_type")
    }
    // Whoever reads needs a token.
    return this.#isDiskFull() && entry?.answersSecret === false ? diskFull() : undefined
  }

  #preflight(facts: RequestFacts, headers: GivenHeaders): PlainResponse | undefined {
    if (facts.allowedOrigin === undefined || headers.get("access-control-request-method") === null) return undefined
    const methods = this.#table.allowed(facts.path)
    return methods.length === 0 ? undefined : CrossOrigin.preflight(methods)
  }
}

/** The body's length; undefined if the request does not give it. */
export const lengthOf = ({ headers }: ArrivedRequest): number | undefined => {
  const length = headers.get("content-length")
  return length === null ? undefined : Number(length)
}

/** Guards the reading of a large body against deep nesting. */
export const guardDepth = (request: HttpServerRequest.HttpServerRequest, length: number | undefined): void => {
  if (length === undefined || length > SMALL_LENGTH) refuseDepth(request)
}
