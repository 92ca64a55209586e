import { Clock, Effect } from "effect"
import { ApiError } from "../api/ApiError.ts"
import { type Access, authenticated, type Principal } from "../api/Authorization.ts"
import { MAX_UNDER_WAY } from "../api/rpc/FastLane.ts"
import { refusalOf } from "../http/Authorizing.ts"
import { RateLimiter, REQUEST_COST } from "../http/RateLimiter.ts"
import { TokenVerifier } from "../http/TokenVerifier.ts"
import type { RpcConnection } from "./RpcConnection.ts"
import type { Call, Failure } from "./RpcHandler.ts"

const NOBODY = "Send authenticate with an access token first, or connect with Authorization: Bearer <token>."

const TOO_MANY = `A connection has at most ${MAX_UNDER_WAY} requests and streams under way: await some of their ends.`

/** What every message meets before it is handled: its caller, the rate limit and the policy of its kind. */
export class RpcGate {
  readonly #verifier: TokenVerifier["Service"]
  readonly #limiter: RateLimiter["Service"]
  readonly #clock: Clock.Clock
  isClosing = false

  private constructor(verifier: TokenVerifier["Service"], limiter: RateLimiter["Service"], clock: Clock.Clock) {
    this.#verifier = verifier
    this.#limiter = limiter
    this.#clock = clock
  }

  static readonly make = Effect.gen(function* () {
    return new RpcGate(yield* TokenVerifier, yield* RateLimiter, yield* Clock.Clock)
  })

  /** Counts a message, and says who sent it. Does not wait where the caller's token is known. */
  admit(connection: RpcConnection, access: Access, cost = REQUEST_COST): Effect.Effect<Call, Failure> {
    if (this.isClosing) return Effect.fail(new ApiError("unavailable"))
    if (connection.underWay > MAX_UNDER_WAY) return Effect.fail(new ApiError("rate_limited", TOO_MANY))
    const { token } = connection
    if (token === undefined) {
      const refused = this.#count(connection, undefined, cost)
      return Effect.fail(refused ?? new ApiError("unauthorized", NOBODY))
    }
    const known = this.#verifier.known(token, this.#clock.currentTimeMillisUnsafe())
    return known === undefined
      ? Effect.flatMap(this.verified(token), (principal) => this.#let(connection, access, cost, token, principal))
      : this.#let(connection, access, cost, token, known)
  }

  /** Whether a connection's caller may still do what it was let to. Nothing is counted. */
  recheck(connection: RpcConnection, access: Access): Effect.Effect<void, Failure> {
    return Effect.suspend(() => {
      const { token = "" } = connection
      const known = this.#verifier.known(token, this.#clock.currentTimeMillisUnsafe())
      const principal = known === undefined ? this.verified(token) : Effect.succeed(known)
      return Effect.flatMap(principal, (holder) => {
        const refused = refusalOf(access, holder)
        return refused === undefined ? Effect.void : Effect.fail(refused)
      })
    })
  }

  /** Counts a message that says who sends it. */
  count(connection: RpcConnection): Effect.Effect<void, ApiError> {
    const { identity } = connection.facts
    const refused = this.#count(connection, identity._tag === "Verified" ? identity.principal : undefined)
    return refused === undefined ? Effect.void : Effect.fail(refused)
  }

  /** Who a token stands for. */
  verified(token: string): Effect.Effect<Principal, Failure> {
    return Effect.catchTag(this.#verifier.verify(token), "Unauthorized", ({ reason }) =>
      Effect.fail(new ApiError("unauthorized", reason))
    )
  }

  /** Who a token of an upgrade stands for. A suspended one connects as nobody does. */
  bearer(token: string): Effect.Effect<Principal, ApiError> {
    return Effect.flatMap(
      Effect.mapError(this.verified(token), (error) =>
        error._tag === "ApiError" ? error : new ApiError("unavailable")
      ),
      (principal) => {
        const refused = refusalOf(authenticated, principal)
        return refused === undefined ? Effect.succeed(principal) : Effect.fail(refused)
      }
    )
  }

  #let(
    connection: RpcConnection,
    access: Access,
    cost: number,
    token: string,
    principal: Principal
  ): Effect.Effect<Call, ApiError> {
    connection.become(token, principal)
    const refused = this.#count(connection, principal, cost) ?? refusalOf(access, principal)
    return refused === undefined
      ? Effect.succeed({ principal, caller: connection.facts.caller, connection })
      : Effect.fail(refused)
  }

  #count({ facts }: RpcConnection, principal: Principal | undefined, cost = REQUEST_COST): ApiError | undefined {
    const now = this.#clock.currentTimeMillisUnsafe()
    const { allowed, reset } = this.#limiter.take(facts.caller, principal, now, cost)
    if (allowed) return undefined
    return new ApiError("rate_limited", undefined, Math.max(1, reset - Math.floor(now / 1_000)))
  }
}
