import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Match } from "./EndpointTable.ts"
import type { FastEndpoint } from "./FastEndpoints.ts"
import type { Allowance } from "./RateLimiter.ts"
import { genuine } from "./RequestRules.ts"
import type { RequestFacts } from "../RequestState.ts"
import type { ArrivedRequest, CarriedRequest } from "../runtime/ServerRuntime.ts"

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
  /** The allowance that its caller had left when it was counted; undefined before. */
  allowance: Allowance | undefined = undefined
  match: Match | undefined = undefined
  /** The endpoint, if it is served without the router. */
  fast: FastEndpoint | undefined = undefined
  /** Its body, if that was read for {@link fast}. */
  text: string | undefined = undefined
  /** Its body, once somebody has read it. */
  sent: string | undefined = undefined
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

  /** Its body was read: from here on every reader gets this. */
  isRead(read: string): void {
    const text = genuine(read, this.request)
    this.text = text
    this.sent = text
    Object.defineProperty(this.server, "text", { value: Effect.succeed(text), configurable: true })
  }

  /** Has its body noted when the router reads it. */
  noteBody(): void {
    const noted = Effect.map(this.server.text, (text) => {
      this.sent = genuine(text, this.request)
      return this.sent
    })
    Object.defineProperty(this.server, "text", { value: noted, configurable: true })
  }

  /** The path with its query, as the caller wrote it. */
  get target(): string {
    return this.server.url
  }
}
