import { Clock, Context, Effect } from "effect"
import type { Principal } from "./api/Authorization.ts"
import { CATALOGUE } from "./api/ApiError.ts"

/** The caller, as the request's token or session identifies it. */
export type Identity =
  | { readonly _tag: "Anonymous" }
  | { readonly _tag: "Verified"; readonly principal: Principal }
  | { readonly _tag: "Refused"; readonly presented: "token" | "session"; readonly reason: string }

/** The client or user for whom a principal's requests are counted and remembered. */
export const callerOf = ({ clientId, kind, userId }: Principal): string =>
  kind === "service" ? `client:${clientId}` : `user:${userId}`

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

const nothing = Effect.succeed(undefined)

/**
 * Begins to measure a commit of the request being served. What it gives is to be called with the sequence of the event,
 * once that is durable; undefined outside of a request.
 */
export const measureCommit: Effect.Effect<((seq: number) => void) | undefined> = Effect.withFiber((fiber) => {
  const facts = Context.getOrUndefined(fiber.context, RequestState)
  if (facts === undefined) return nothing
  const clock = fiber.getRef(Clock.Clock)
  const askedAt = clock.monotonicTimeNanosUnsafe()
  return Effect.succeed((seq: number) => facts.committed({ seq, askedAt, knownAt: clock.monotonicTimeNanosUnsafe() }))
})
