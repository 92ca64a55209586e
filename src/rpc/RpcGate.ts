import { Clock, Effect } from "effect"
import type { Refusal } from "../../engine/wire/Refusal.ts"
import { ApiError, type Code } from "../api/ApiError.ts"
import { type Access, authenticated, type Principal } from "../api/Authorization.ts"
import { MAX_UNDER_WAY } from "../api/rpc/FastLane.ts"
import { refusalOf } from "../http/Authorizing.ts"
import { Callers, waitFor } from "../http/Callers.ts"
import { REQUEST_COST } from "../http/RateLimiter.ts"
import type { RpcConnection } from "./RpcConnection.ts"
import type { Call, Failure } from "./RpcHandler.ts"

const NOBODY = "Send authenticate with an access token first, or connect with Authorization: Bearer <token>."

const TOO_MANY = `A connection has at most ${MAX_UNDER_WAY} requests and streams under way: await some of their ends.`

/** What every message meets before it is handled: its caller, the rate limit and the policy of its kind. */
export class RpcGate {
  readonly #callers: Callers
  readonly #clock: Clock.Clock
  isClosing = false

  private constructor(callers: Callers, clock: Clock.Clock) {
    this.#callers = callers
    this.#clock = clock
  }

  static readonly make = Effect.gen(function* () {
    return new RpcGate(yield* Callers.make, yield* Clock.Clock)
  })

  /** Counts a message, and says who sent it. Does not wait where the caller's token is known. */
  admit(connection: RpcConnection, access: Access, cost = REQUEST_COST): Effect.Effect<Call, Failure> {
    if (this.isClosing) return Effect.fail(new ApiError("unavailable"))
    if (connection.underWay > MAX_UNDER_WAY) return Effect.fail(new ApiError("rate_limited", TOO_MANY))
    const { token } = connection
    if (token === undefined) {
      const refused = this.#count(connection, cost)
      return Effect.fail(refused ?? new ApiError("unauthorized", NOBODY))
    }
    const known = this.#known(token)
    return known === undefined
      ? Effect.flatMap(this.verified(token), (principal) => this.#let(connection, access, cost, token, principal))
      : this.#let(connection, access, cost, token, known)
  }

  /** Whether a connection's caller may still do what it was let to. Nothing is counted. */
  recheck(connection: RpcConnection, access: Access): Effect.Effect<void, Failure> {
    return Effect.suspend(() => {
      const { token = "" } = connection
      const known = this.#known(token)
      const principal = known === undefined ? this.verified(token) : Effect.succeed(known)
      return Effect.flatMap(principal, (holder) => allowed(access, holder))
    })
  }

  /** Counts a message that says who sends it. */
  count(connection: RpcConnection): Effect.Effect<void, ApiError> {
    const refused = this.#count(connection)
    return refused === undefined ? Effect.void : Effect.fail(refused)
  }

  /** Who a token stands for. */
  verified(token: string): Effect.Effect<Principal, Exclude<Failure, Refusal<Code>>> {
    return this.#callers.verified(token)
  }

  /** Who a token of an upgrade stands for. A suspended one connects as nobody does. */
  bearer(token: string): Effect.Effect<Principal, ApiError> {
    return Effect.tap(
      Effect.mapError(this.#callers.verified(token), (error) =>
        error._tag === "ApiError" ? error : new ApiError("unavailable")
      ),
      (principal) => allowed(authenticated, principal)
    )
  }

  #known(token: string): Principal | undefined {
    return this.#callers.known(token, this.#clock.currentTimeMillisUnsafe())
  }

  #let(
    connection: RpcConnection,
    access: Access,
    cost: number,
    token: string,
    principal: Principal
  ): Effect.Effect<Call, ApiError> {
    connection.become(token, principal)
    const refused = this.#count(connection, cost) ?? refusalOf(access, principal)
    return refused === undefined
      ? Effect.succeed({ principal, caller: connection.facts.caller, connection })
      : Effect.fail(refused)
  }

  #count({ facts }: RpcConnection, cost = REQUEST_COST): ApiError | undefined {
    const now = this.#clock.currentTimeMillisUnsafe()
    const allowance = this.#callers.take(facts, now, cost)
    return allowance.allowed ? undefined : new ApiError("rate_limited", undefined, waitFor(allowance, now))
  }
}

const allowed = (access: Access, principal: Principal): Effect.Effect<void, ApiError> => {
  const refused = refusalOf(access, principal)
  return refused === undefined ? Effect.void : Effect.fail(refused)
}
