import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { ApiError } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import type { UnavailableLike } from "../api/Conventions.ts"
import { Settings } from "../Config.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { type Allowance, RateLimiter } from "./RateLimiter.ts"
import { RequestFacts } from "../RequestState.ts"
import type { ArrivedRequest } from "../runtime/ServerRuntime.ts"
import { TokenVerifier, type Unauthorized } from "./TokenVerifier.ts"

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

const SCHEME = "Bearer "
const BEARER = /^bearer +(\S+)$/i

/** The token of an `Authorization` header. The usual form is sliced, which saves half a microsecond. */
export const bearerOf = (header: string | null): string | undefined => {
  if (header === null) return undefined
  const token = header.startsWith(SCHEME) ? header.slice(SCHEME.length) : ""
  return token === "" || token.includes(" ") || token.includes("\t") ? BEARER.exec(header)?.[1] : token
}

/** Finds out who asks, and counts it: the same for requests, for upgrades and for messages of the fast lane. */
export class Callers {
  readonly #verifier: TokenVerifier["Service"]
  readonly #limiter: RateLimiter["Service"]
  readonly #addressOf: (peer: string, forwardedFor: string | undefined) => string

  private constructor(
    verifier: TokenVerifier["Service"],
    limiter: RateLimiter["Service"],
    trustedProxies: ReadonlyArray<string>
  ) {
    this.#verifier = verifier
    this.#limiter = limiter
    this.#addressOf = ClientAddress.make(trustedProxies)
  }

  static readonly make = Effect.gen(function* () {
    const { server } = yield* Settings
    return new Callers(yield* TokenVerifier, yield* RateLimiter, server.trustedProxies)
  })

  /** What is known of a request that has arrived: its id, which is the caller's own if that is sane, and its address. */
  arrived({ headers }: ArrivedRequest, peer: string): RequestFacts {
    const facts = new RequestFacts(peer)
    const given = headers.get("x-request-id")
    facts.id = given !== null && REQUEST_ID.test(given) ? given : randomUUID()
    facts.address = ClientAddress.countedAs(this.#addressOf(peer, headers.get("x-forwarded-for") ?? undefined))
    return facts
  }

  /** The principal of a token, if it is known without asking anybody. `now` is in milliseconds since 1970. */
  known(token: string, now: number): Principal | undefined {
    return this.#verifier.known(token, now)
  }

  /** Who a token stands for. */
  verify(token: string): Effect.Effect<Principal, Unauthorized | UnavailableLike> {
    return this.#verifier.verify(token)
  }

  /** The same, but refuses a token that stands for nobody. */
  verified(token: string): Effect.Effect<Principal, ApiError<"unauthorized"> | UnavailableLike> {
    return Effect.catchTag(this.#verifier.verify(token), "Unauthorized", ({ reason }) =>
      Effect.fail(new ApiError("unauthorized", reason))
    )
  }

  /** Whether to check an unknown token: its address may have sent too many bad ones. */
  looksAt(token: string, { address }: RequestFacts, now: number): boolean {
    return this.#verifier.isSigned(token) || this.#limiter.looksAtTokens(address, now)
  }

  /** Counts a token that was refused. */
  refused({ address }: RequestFacts, now: number): void {
    this.#limiter.tokenRefused(address, now)
  }

  /** Counts a request, for its principal or else for its address. One that is not allowed is not counted. */
  take(facts: RequestFacts, now: number, cost?: number): Allowance {
    return this.#limiter.take(facts.caller, facts.principal, now, cost)
  }

  /** The allowance without counting. */
  peek(facts: RequestFacts, now: number): Allowance {
    return this.#limiter.peek(facts.caller, facts.principal, now)
  }
}

/** Seconds until an allowance is whole again, at least one. */
export const waitFor = ({ reset }: Allowance, now: number): number => Math.max(1, reset - Math.floor(now / 1_000))
