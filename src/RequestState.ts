import { Clock, Context, Effect, type Fiber } from "effect"
import type { Principal } from "./api/Authorization.ts"
import { CATALOGUE } from "./api/ApiError.ts"

/** The caller, as the request's token or session identifies it. */
export type Identity =
  | { readonly _tag: "Anonymous" }
  | { readonly _tag: "Verified"; readonly principal: Principal }
  | { readonly _tag: "Refused"; readonly presented: "token" | "session"; readonly reason: string }

/** By principal: a request looks several maps up by it, and a text that was made before has its hash already. */
const callers = new WeakMap<Principal, string>()

/** The client or user for whom a principal's requests are counted and remembered. */
export const callerOf = (principal: Principal): string => {
  const known = callers.get(principal)
  if (known !== undefined) return known
  const made = principal.kind === "service" ? `client:${principal.clientId}` : `user:${principal.userId}`
  callers.set(principal, made)
  return made
}

/** A commit that a request waited for. Times are nanoseconds of the monotonic clock. */
export interface OwnCommit {
  /** The sequence of its event. */
  readonly seq: number
  /** When it was asked for. */
  readonly askedAt: bigint
  /** When the request learned that it is durable. */
  readonly knownAt: bigint
}

/** Commits of one request that are noted. */
export const MAX_OWN_COMMITS = 16

/** The facts of one request while it is served. Filled from the outside in; never shared between requests. */
export class RequestFacts {
  /** `X-Request-Id`: the caller's, if it is sane, else made here. */
  id = ""
  /** The path without query. */
  path = ""
  /** The path's template, such as `/api/arena/orders/:order_id`; `unmatched` until an endpoint takes the request. */
  route = "unmatched"
  /** The address the request comes from, behind trusted proxies the forwarded one. */
  address: string
  identity: Identity = { _tag: "Anonymous" }
  /** The `Origin` it comes from, if pages of that origin may read the answer. */
  allowedOrigin: string | undefined = undefined
  /** `Link` of a page of a list to the next one. */
  link: string | undefined = undefined
  /** `Retry-After` of a refusal, in seconds. */
  retryAfterSeconds: number | undefined = undefined
  /** The method of a request that may have taken effect: its handler began, and does more than read. */
  begun: string | undefined = undefined
  /** The trace that a span is sent of, in hexadecimal digits. */
  traceId: string | undefined = undefined
  /** What it wrote, in order: the first {@link MAX_OWN_COMMITS}. */
  commits: Array<OwnCommit> | undefined = undefined
  /** Address of the other end of the connection. */
  readonly peer: string

  constructor(peer: string) {
    this.peer = peer
    this.address = peer
  }

  /** Notes a commit that the request waited for. */
  committed(commit: OwnCommit): void {
    if (this.commits === undefined) this.commits = [commit]
    else if (this.commits.length < MAX_OWN_COMMITS) this.commits.push(commit)
  }

  /** The verified sender of the request, if there is one. */
  get principal(): Principal | undefined {
    return this.identity._tag === "Verified" ? this.identity.principal : undefined
  }

  /** The client, user or address for which the request is counted and remembered. */
  get caller(): string {
    return this.identity._tag === "Verified" ? callerOf(this.identity.principal) : `address:${this.address}`
  }

  /** The sentence that belongs to a 401. */
  get unauthorizedReason(): string {
    return this.identity._tag === "Refused" ? this.identity.reason : CATALOGUE.unauthorized.sentence
  }
}

/** The facts of the request being served. The conventions make them, one a request. */
export class RequestState extends Context.Service<RequestState, RequestFacts>()("emporion/http/RequestState") {}

/** Hears the sequence of a commit's event, once that is durable. */
export type Measured = (seq: number) => void

/** The same as {@link measureCommit}, for what has the request's facts at hand. */
export const measuring = (facts: RequestFacts, clock: Clock.Clock): Measured => {
  const askedAt = clock.monotonicTimeNanosUnsafe()
  return (seq) => facts.committed({ seq, askedAt, knownAt: clock.monotonicTimeNanosUnsafe() })
}

/** The same as {@link measureCommit}, for what has its fiber at hand. */
export const measuredBy = (fiber: Fiber.Fiber<unknown, unknown>): Measured | undefined => {
  const facts = Context.getOrUndefined(fiber.context, RequestState)
  return facts === undefined ? undefined : measuring(facts, fiber.getRef(Clock.Clock))
}

/** Begins to measure a commit of the request being served; undefined outside of a request. */
export const measureCommit: Effect.Effect<Measured | undefined> = Effect.withFiber((fiber) =>
  Effect.succeed(measuredBy(fiber))
)
