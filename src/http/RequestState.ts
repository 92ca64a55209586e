import { Context } from "effect"
import type { Principal } from "../api/Authorization.ts"
import { CATALOGUE } from "../api/ApiError.ts"

/** The caller, as the request's token or session identifies it. */
export type Identity =
  | { readonly _tag: "Anonymous" }
  | { readonly _tag: "Verified"; readonly principal: Principal }
  | { readonly _tag: "Refused"; readonly presented: "token" | "session"; readonly reason: string }

/** The client or user for whom a principal's requests are counted and remembered. */
export const callerOf = ({ clientId, kind, userId }: Principal): string =>
  kind === "service" ? `client:${clientId}` : `user:${userId}`

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
  /** Address of the other end of the connection. */
  readonly peer: string

  constructor(peer: string) {
    this.peer = peer
    this.address = peer
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
