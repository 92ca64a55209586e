import { Buffer, isUtf8 } from "node:buffer"
import type { HttpServerRequest } from "effect/http"
import { Context, Effect } from "effect"
import { ApiError } from "../api/ApiError.ts"
import { TakesAnyQuery } from "../api/Conventions.ts"
import type { ServerSettings } from "../Config.ts"
import { refusalOf as diskFull } from "../database/DiskGuard.ts"
import { BodyBudgets } from "./BodyBudgets.ts"
import * as CrossOrigin from "./CrossOrigin.ts"
import { type EndpointTable, type Entry, MAX_NAME_LENGTH, namesNothing } from "./EndpointTable.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { isTooDeep, SMALL_LENGTH } from "./JsonDepth.ts"
import type { PlainResponse } from "./PlainResponse.ts"
import type { RequestFacts } from "../RequestState.ts"
import type { ArrivedRequest } from "../runtime/ServerRuntime.ts"
import type { WebSocketRoute } from "./WebSocketRoutes.ts"

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

/** Bytes beyond ASCII in hexadecimal, one behind another: the characters of one text. */
const ESCAPED_BYTES = /(?:%[89a-f][\da-f])+/gi

/** A percent sign that begins no escape. In a query it stands for itself, as browsers read it. */
const LONE_PERCENT = /%(?![\da-f]{2})/i

const ESCAPED_PATH = "path: Expected percent escapes of valid UTF-8, and %25 for a percent sign"

const ESCAPED_QUERY = "query: Expected percent escapes of valid UTF-8"

const UNCOMPRESSED = "Send the body as it is, without Content-Encoding: the server takes no compressed body."

const UTF_8 = "Send the body as UTF-8: leave the charset of Content-Type out, or say utf-8."

/** The charsets that a content type names. */
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi

const LONG_NAME = `path: Expected at most ${MAX_NAME_LENGTH} characters between slashes`

const SOCKET_METHODS = ["GET"] as const

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

/** Whether a body comes, as far as the headers tell. */
const isBodySent = (headers: GivenHeaders, length: string | null): boolean =>
  length === null ? headers.get("transfer-encoding") !== null : length !== "0"

/** Whether a body is compressed. RFC 9110, section 8.4. */
const isCompressed = (headers: GivenHeaders): boolean => {
  const encoding = headers.get("content-encoding")
  return encoding !== null && encoding !== "" && encoding.toLowerCase() !== "identity"
}

/** Whether escapes in a path or a query are of another encoding: read as UTF-8 they would be another text. */
const isOtherText = (escaped: string): boolean =>
  escaped.includes("%") &&
  (escaped.match(ESCAPED_BYTES) ?? []).some((run) => !isUtf8(Buffer.from(run.replaceAll("%", ""), "hex")))

const queryOf = (target: string): string => {
  const start = target.indexOf("?")
  return start === -1 ? "" : target.slice(start)
}

/** Whether a path that is text has a name that the router does not look at. */
const hasLongName = (path: string): boolean =>
  path.length > MAX_NAME_LENGTH && path.split("/").some((name) => decodeURIComponent(name).length > MAX_NAME_LENGTH)

/** The refusal of a path that cannot be read. */
const unreadablePath = (path: string): ApiError | undefined => {
  if (path.includes("%") && (LONE_PERCENT.test(path) || isOtherText(path))) {
    return new ApiError("invalid_request", ESCAPED_PATH)
  }
  return hasLongName(path) ? new ApiError("invalid_request", LONG_NAME) : undefined
}

const NO_JSON = "["

/** A body that nests too deep counts as one that is not JSON. */
const refuseDepth = (request: HttpServerRequest.HttpServerRequest): void => {
  const text = Effect.map(request.text, (body) => (isTooDeep(body) ? NO_JSON : body))
  Object.defineProperty(request, "text", { value: text, configurable: true })
}

/** Whether a content type says that its text is not UTF-8, as which it would be read. */
const isOtherCharset = (type: string): boolean =>
  type.includes(";") && Array.from(type.matchAll(CHARSET)).some(([, name = ""]) => !/^utf-?8$/i.test(name))

/** The refusal of a body that is compressed, is not UTF-8, or has no type: a page of any other site can send such a body without asking. */
const otherMedia = (
  facts: RequestFacts,
  headers: GivenHeaders,
  media: ReadonlyArray<string>
): PlainResponse | undefined => {
  if (isCompressed(headers)) {
    return ErrorResponse.make(facts, "unsupported_media_type", UNCOMPRESSED, { "accept-encoding": "identity" })
  }
  const type = headers.get("content-type")
  if (type === null) return ErrorResponse.otherMedia(facts, media)
  return isOtherCharset(type) ? ErrorResponse.make(facts, "unsupported_media_type", UTF_8) : undefined
}

/** The rules that refuse a request before anybody looks at what it asks for. */
export class RequestRules {
  readonly #bodies: BodyBudgets
  readonly #table: EndpointTable
  /** Paths that take WebSockets. */
  readonly #sockets: ReadonlySet<string>
  readonly #isDiskFull: () => boolean

  constructor(
    { rateLimits }: Pick<ServerSettings, "rateLimits">,
    table: EndpointTable,
    sockets: ReadonlyArray<Pick<WebSocketRoute, "path">>,
    isDiskFull: () => boolean
  ) {
    this.#bodies = new BodyBudgets(rateLimits)
    this.#table = table
    this.#sockets = new Set(sockets.map(({ path }) => path))
    this.#isDiskFull = isDiskFull
  }

  /** The refusal, or the answer to a preflight. Undefined: it may go on. */
  early(
    facts: RequestFacts,
    { headers, method, url }: ArrivedRequest,
    entry: Entry | undefined,
    now: number
  ): PlainResponse | ApiError | undefined {
    if (ALIAS.test(facts.path)) return new ApiError("not_found", AS_DOCUMENTED)
    const unreadable = unreadablePath(facts.path) ?? this.#unreadableQuery(facts.path, method, url, entry)
    if (unreadable !== undefined) return unreadable
    if (method === "OPTIONS") return this.#preflight(facts, headers) ?? this.#undocumented(facts, method)
    if (!hasBody(method)) return entry === undefined ? this.#undocumented(facts, method) : undefined
    const length = headers.get("content-length")
    if (length !== null && !(Number(length) <= MAX_BODY_BYTES)) return ErrorResponse.make(facts, "payload_too_large")
    const bytes = length === null ? unsizedBytes(headers) : Number(length)
    if (!this.#bodies.take(facts.caller, facts.identity._tag === "Verified", bytes, now)) {
      return new ApiError("rate_limited", TOO_MUCH, 1)
    }
    if (entry === undefined) return this.#undocumented(facts, method)
    const takesIt = entry.media.length > 0 && isBodySent(headers, length)
    const refused = takesIt ? otherMedia(facts, headers, entry.media) : undefined
    if (refused !== undefined) return refused
    // Whoever reads needs a token.
    return this.#isDiskFull() && !entry.answersSecret ? diskFull() : undefined
  }

  /** The refusal of a query that cannot be read, where somebody reads it. */
  #unreadableQuery(path: string, method: string, url: string, entry: Entry | undefined): ApiError | undefined {
    if (!isOtherText(queryOf(url))) return undefined
    const { endpoint } = (method === "HEAD" ? this.#table.find("GET", path)?.entry : entry) ?? {}
    const isRead = endpoint !== undefined && !Context.get(endpoint.annotations, TakesAnyQuery)
    return isRead ? new ApiError("invalid_request", ESCAPED_QUERY) : undefined
  }

  /**
   * The refusal of a method that a path does not take, even if the router would take its last part for a name, or of a
   * path that is nearly one of ours.
   */
  #undocumented(facts: RequestFacts, method: string): PlainResponse | undefined {
    const { path } = facts
    const methods = this.#sockets.has(path) ? SOCKET_METHODS : this.#table.allowed(path)
    if (methods.length > 0) return methods.includes(method) ? undefined : ErrorResponse.otherMethod(facts, methods)
    const isNearly = path !== "/" && (namesNothing(path) || this.#table.allowed(path.toLowerCase()).length > 0)
    return isNearly ? ErrorResponse.make(facts, "not_found", AS_DOCUMENTED) : undefined
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
