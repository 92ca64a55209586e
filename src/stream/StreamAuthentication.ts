import { Context, Data, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { ApiError } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import { AccessTokens } from "../identity/tokens/AccessTokens.ts"
import { Owners } from "../identity/users/Owners.ts"
import { Sessions } from "../identity/sessions/Sessions.ts"

/** Who a connection speaks for. */
export interface ConnectedCaller {
  readonly principal: Pick<Principal, "userId">
  /** Whether its credentials still hold. True if that cannot be checked now. */
  readonly isStillValid: Effect.Effect<boolean>
}

/** The headers that somebody authenticated with. */
export type Proof = Readonly<Record<string, string>>

/** Who asks to connect. */
export interface Caller extends ConnectedCaller {
  readonly principal: Principal
  /** With these headers it is the same caller again. */
  readonly proof: Proof
}

const BEARER = /^bearer +(\S+)$/i

/** Finds out who asks, by the headers of a request: a bearer token, or the session cookie of a page of the platform. */
export class StreamAuthentication extends Context.Service<
  StreamAuthentication,
  {
    /** Undefined for an anonymous request. A token must be valid. */
    readonly callerOf: (
      headers: Headers
    ) => Effect.Effect<Caller | undefined, ApiError<"unauthorized"> | ApiError<"unavailable">>
    /** Hears whose authentication may no longer hold, by the user's id; undefined for anybody's. */
    readonly watch: (watcher: (userId: string | undefined) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("emporion/stream/StreamAuthentication") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const sessions = yield* Sessions
      const owners = yield* Owners

      const byToken = (authorization: string, token: string) => {
        const verified = Effect.flatMap(tokens.verify(token), inGoodStanding)
        return verified.pipe(
          Effect.map((principal): Caller => ({ principal, isStillValid: holds(verified), proof: { authorization } })),
          Effect.catchTags({
            InvalidToken: ({ reason }) => Effect.fail(new ApiError("unauthorized", reason)),
            Suspended: () => Effect.fail(new ApiError("unauthorized", "This account is suspended: ask the operator.")),
            Unavailable: () => Effect.fail(new ApiError("unavailable"))
          })
        )
      }

      const bySession = (headers: Headers) => {
        const verified = sessions.ofUpgrade(headers)
        return verified.pipe(
          Effect.map((session): Caller | undefined =>
            session === undefined
              ? undefined
              : { principal: session.principal, isStillValid: holds(verified), proof: sessionProof(headers) }
          ),
          Effect.catchTags({
            SessionEnded: () => Effect.undefined,
            ForeignOrigin: () => Effect.undefined,
            Unavailable: () => Effect.fail(new ApiError("unavailable"))
          })
        )
      }

      return StreamAuthentication.of({
        watch: owners.watch,
        callerOf: (headers) => {
          const authorization = headers.get("authorization")
          if (authorization === null) return bySession(headers)
          const token = BEARER.exec(authorization)?.[1]
          return token === undefined ? Effect.fail(new ApiError("unauthorized")) : byToken(authorization, token)
        }
      })
    })
  )
}

/** What a session's cookie is looked at together with. */
const sessionProof = (headers: Headers): Proof =>
  Object.fromEntries(["cookie", "origin", "host"].map((name) => [name, headers.get(name) ?? ""]))

class Suspended extends Data.TaggedError("Suspended")<Record<never, never>> {}

const inGoodStanding = (principal: Principal) =>
  principal.status === "suspended" ? Effect.fail(new Suspended()) : Effect.succeed(principal)

const holds = <A, E extends { readonly _tag: string }>(verified: Effect.Effect<A, E>): Effect.Effect<boolean> =>
  Effect.match(verified, { onSuccess: () => true, onFailure: ({ _tag }) => _tag === "Unavailable" })
