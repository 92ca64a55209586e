import { isUtf8 } from "node:buffer"
import { Effect } from "effect"
import { HttpServerError, HttpServerRequest } from "effect/http"
import { refusalOf } from "./Authorizing.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import type { Match } from "./EndpointTable.ts"
import type { FastEndpoint } from "./FastEndpoints.ts"
import type { KeyedRequest } from "./IdempotencyScope.ts"
import type { Allowance } from "./RateLimiter.ts"
import type { RequestFacts } from "../RequestState.ts"
import type { ArrivedRequest, CarriedRequest } from "../runtime/ServerRuntime.ts"

const decoder = new TextDecoder()

/**
 * Whether a body is text as JSON and forms are sent, which is UTF-8 (RFC 8259, section 8.1): whoever sends another
 * encoding must not find other letters in a name later.
 */
const isText = (bytes: ArrayBuffer): boolean => isUtf8(new Uint8Array(bytes))

/** One request on its way to its response. */
export class Exchange {
  readonly request: ArrivedRequest
  /** The same as the runtime has it, or as code takes it that knows nothing else. */
  readonly web: Request
  /** The same where it shared a message with others. */
  readonly carried: CarriedRequest | undefined
  /** The same as the router takes it. */
  readonly server: HttpServerRequest.HttpServerRequest
  readonly facts: RequestFacts
  /** Milliseconds since 1970. */
  readonly now: number
  /** Nanoseconds of the monotonic clock. */
  readonly started: bigint
  /** The time that the main thread has spent on it beside its handler, in nanoseconds. */
  taken = 0n
  /** When the main thread went on with it, in nanoseconds; undefined while it waits. */
  since: bigint | undefined = undefined
  /** The allowance that its caller had left when it was counted; undefined before. */
  allowance: Allowance | undefined = undefined
  match: Match | undefined = undefined
  /** The endpoint, if it is served without the router. */
  fast: FastEndpoint | undefined = undefined
  /** Its body, if that was read for {@link fast}. */
  text: string | undefined = undefined
  /** Its body, once somebody has read it. */
  sent: string | undefined = undefined
  /** What it is executed once under; undefined where that is nothing. */
  keyed: KeyedRequest | undefined = undefined
  /** Its caller was answered that it takes too long. */
  isLate = false
  /** Whether a trace is made of it; undefined before that was chosen. */
  isTraced: boolean | undefined = undefined
  /** Its connection ends with it. */
  isLast = false

  constructor(request: Request | CarriedRequest, facts: RequestFacts, now: number, started: bigint) {
    const isWeb = request instanceof Request
    this.request = request
    this.carried = isWeb ? undefined : request
    this.web = isWeb ? request : request.source
    this.server = HttpServerRequest.fromWeb(this.web)
    this.facts = facts
    this.now = now
    this.started = started
  }

  /**
   * Reads its body for {@link fast}. A body that is no UTF-8 goes to the router instead, which refuses it where it
   * reads it, so that a caller who may not ask learns that first.
   */
  read(): Promise<void> {
    if (this.carried !== undefined) return Promise.resolve(this.isRead(this.carried.whole))
    return this.web
      .arrayBuffer()
      .then((bytes) => (isText(bytes) ? this.isRead(decoder.decode(bytes)) : this.#toRouter()))
  }

  #toRouter(): void {
    this.fast = undefined
    this.#define("arrayBuffer", Effect.fail(this.#noText()))
  }

  /** Its body was read: from here on every reader gets this. */
  isRead(text: string): void {
    this.text = text
    this.sent = text
    this.#define("text", Effect.succeed(text))
  }

  /** Has its body noted when the router reads it, and refused where it is no UTF-8. */
  noteBody(): void {
    const { server } = this
    const checked = Effect.flatMap(server.arrayBuffer, (bytes) =>
      isText(bytes) ? Effect.succeed(bytes) : Effect.fail(this.#noText())
    )
    this.#define("arrayBuffer", checked)
    const noted = Effect.map(server.text, (text) => {
      this.sent = text
      return text
    })
    this.#define("text", noted)
  }

  #define(name: "arrayBuffer" | "text", value: Effect.Effect<unknown, HttpServerError.HttpServerError>): void {
    Object.defineProperty(this.server, name, { value, configurable: true })
  }

  #noText(): HttpServerError.HttpServerError {
    const reason = new HttpServerError.RequestParseError({ request: this.server, cause: ErrorResponse.noUtf8() })
    return new HttpServerError.HttpServerError({ reason })
  }

  /** The main thread leaves it, and comes back later where it has no response yet. */
  leave(now: bigint): void {
    if (this.since !== undefined) this.taken += now - this.since
    this.since = undefined
  }

  /** Who may not call the operation gets no kept answer, and its refusal is not kept for later. */
  get isRefused(): boolean {
    const { identity } = this.facts
    if (identity._tag !== "Verified") return identity._tag === "Refused"
    const access = this.match?.entry.access
    const { principal } = identity
    return access === undefined ? principal.status === "suspended" : refusalOf(access, principal) !== undefined
  }

  /** The path with its query, as the caller wrote it. */
  get target(): string {
    return this.server.url
  }
}
