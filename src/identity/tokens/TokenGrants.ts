import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SCOPES } from "../../api/Authorization.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { AccessTokens, FIRST_PARTY, LIFETIME_SECONDS } from "./AccessTokens.ts"
import { ApiClients, InvalidClient } from "../clients/ApiClients.ts"
import type { ApiClient } from "../clients/ApiClientRepository.ts"
import { Owners } from "../users/Owners.ts"
import { InvalidRefreshToken, RefreshTokens } from "./RefreshTokens.ts"
import type { Grant, Minting, NewGrant } from "./RefreshTokens.ts"
import * as GrantedScope from "./Scope.ts"
import type { ScopeNotGranted, UnknownScope } from "./Scope.ts"
import type { User } from "../users/User.ts"
import { UserSuspended } from "../users/UserError.ts"
import type { SignInOutdated } from "../users/UserError.ts"

/** An answer that holds tokens. Specification 2.1. */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: "Bearer"
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token: string
}

/** An answer as it is kept for callers that refresh at the same time, with the scopes that its access token has. */
const Kept = Schema.fromJsonString(
  Schema.Struct({
    answer: Schema.Struct({
      access_token: Schema.String,
      token_type: Schema.Literal("Bearer"),
      expires_in: Schema.Int,
      refresh_token: Schema.String
    }),
    scopes: Schema.Array(Schema.String)
  })
)

const decodeKept = Schema.decodeUnknownEffect(Kept)
const encodeKept = Schema.encodeEffect(Kept)

const isSameSet = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === right.length && left.every((scope) => right.includes(scope))

/** A client as it authenticates. */
export interface ClientCredentials {
  readonly clientId: string
  readonly secret: Redacted.Redacted
}

/** In which epochs it was decided to answer a grant. */
interface GrantEpochs {
  /** The user's. Undefined: its present one. */
  readonly tokenEpoch?: number
  /** The client's that asked. Undefined: none did. */
  readonly clientEpoch: number | undefined
}

/** The pair for a grant. */
const answering = (accessTokens: AccessTokens["Service"], owners: Owners["Service"]) =>
  Effect.fnUntraced(function* (grant: Grant, refreshToken: string, { clientEpoch, tokenEpoch }: GrantEpochs) {
    const found = yield* owners.ownerOf(grant.userId)
    if (found.status === "suspended") return yield* new UserSuspended({ userId: found.userId })
    const owner = { ...found, tokenEpoch: tokenEpoch ?? found.tokenEpoch }
    const { clientId = FIRST_PARTY, scopes } = grant
    const accessToken = yield* accessTokens.issue({ owner, clientId, clientEpoch, scopes })
    return {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: LIFETIME_SECONDS,
      refresh_token: refreshToken
    } satisfies TokenAnswer
  })

/** An access token alone, of the first party: the session of the cookie is what renews it. */
const sessionToken = Effect.fn("TokenGrants.session")(function* (userId: string) {
  const accessTokens = yield* AccessTokens
  const owner = yield* Effect.catchTag((yield* Owners).ownerOf(userId), "UserNotFound", Effect.die)
  if (owner.status === "suspended") return yield* new UserSuspended({ userId })
  const accessToken = yield* accessTokens.issue({ owner, clientId: FIRST_PARTY, scopes: owner.scopes ?? SCOPES })
  return { access_token: accessToken, token_type: "Bearer", expires_in: LIFETIME_SECONDS } as const
})

/** A new pair for a refresh token of a client that authenticated, or of none. */
const refreshing = (refreshTokens: RefreshTokens["Service"], answerOf: ReturnType<typeof answering>) =>
  Effect.fnUntraced(function* (token: string, client: ApiClient | undefined, requested: string | undefined) {
    const minted = Effect.fnUntraced(function* (grant: Grant, next: string) {
      const scopes = yield* Effect.fromResult(GrantedScope.narrow(grant.scopes, requested))
      const answer = yield* answerOf({ ...grant, scopes }, next, { clientEpoch: client?.tokenEpoch })
      return yield* Effect.orDie(encodeKept({ answer, scopes }))
    })
    const mint: Minting<Effect.Error<ReturnType<typeof minted>> | InvalidRefreshToken, never> = {
      first: minted,
      // Who asks for other scopes than the first gets those, with the refresh token that the first got.
      again: Effect.fnUntraced(function* (grant, kept) {
        const scopes = yield* Effect.fromResult(GrantedScope.narrow(grant.scopes, requested))
        const before = yield* Effect.mapError(decodeKept(kept), () => new InvalidRefreshToken())
        return isSameSet(before.scopes, scopes) ? kept : yield* minted(grant, before.answer.refresh_token)
      })
    }
    const { answer } = yield* Effect.orDie(decodeKept(yield* refreshTokens.exchange(token, client?.clientId, mint)))
    return answer
  })

const make = Effect.gen(function* () {
  const accessTokens = yield* AccessTokens
  const refreshTokens = yield* RefreshTokens
  const clients = yield* ApiClients
  const owners = yield* Owners
  const context = yield* Effect.context<AccessTokens | Owners>()
  const session = (userId: string) => Effect.provideContext(sessionToken(userId), context)

  const answerOf = answering(accessTokens, owners)

  /** The access token is of the epoch that the sign-in was decided in, not of one that came meanwhile. */
  const begin = (grant: NewGrant, clientEpoch?: number) =>
    Effect.flatMap(refreshTokens.begin(grant), (token) =>
      answerOf(grant, token, { tokenEpoch: grant.tokenEpoch, clientEpoch })
    ).pipe(Effect.catchTag("UserNotFound", Effect.die))

  const refresh = refreshing(refreshTokens, answerOf)

  return TokenGrants.of({
    login: Effect.fn("TokenGrants.login")(({ id, scopes, tokenEpoch }) =>
      begin({ userId: id, clientId: undefined, scopes: scopes ?? SCOPES, tokenEpoch })
    ),
    session,
    clientCredentials: Effect.fn("TokenGrants.clientCredentials")(function* (credentials, requested) {
      const client = yield* clients.authenticate(credentials.clientId, credentials.secret)
      const scopes = yield* Effect.fromResult(GrantedScope.narrow(client.scopes, requested))
      const { clientId, principalId: userId, tokenEpoch } = client
      return yield* Effect.catchTag(begin({ userId, clientId, scopes, tokenEpoch }, tokenEpoch), "SignInOutdated", () =>
        Effect.fail(new InvalidClient())
      )
    }),
    onBehalf: Effect.fn("TokenGrants.onBehalf")(function* (credentials, authenticate) {
      const client = yield* clients.authenticate(credentials.clientId, credentials.secret)
      const principal = yield* Effect.catchTag(owners.ownerOf(client.principalId), "UserNotFound", Effect.die)
      if (principal.status === "suspended") return yield* new UserSuspended({ userId: principal.userId })
      const { id: userId, scopes: most = SCOPES, tokenEpoch } = yield* authenticate
      const scopes = client.scopes.filter((scope) => most.includes(scope))
      return yield* begin({ userId, clientId: client.clientId, scopes, tokenEpoch }, client.tokenEpoch)
    }),
    refresh: Effect.fn("TokenGrants.refresh")(function* (token, credentials, requested) {
      const client =
        credentials === undefined ? undefined : yield* clients.authenticate(credentials.clientId, credentials.secret)
      return yield* refresh(token, client, requested).pipe(
        Effect.catchTag(["UserNotFound", "UserSuspended"], () => Effect.fail(new InvalidRefreshToken())),
        Effect.catchTag("ClientUnauthenticated", () => Effect.fail(new InvalidClient()))
      )
    }),
    revoke: Effect.fn("TokenGrants.revoke")((token) => refreshTokens.revoke(token))
  })
})

type ScopeError = UnknownScope | ScopeNotGranted

/** The ways to a pair of an access token and a refresh token. Specification 4.1, 5; RFC 6749, sections 4.4 and 6. */
export class TokenGrants extends Context.Service<
  TokenGrants,
  {
    /** For a user who has shown a password: every scope that the user may have. */
    readonly login: (
      user: Pick<User, "id" | "scopes" | "tokenEpoch">
    ) => Effect.Effect<TokenAnswer, UserSuspended | SignInOutdated | Unavailable>
    /** An access token alone, for the user of a session that was just verified. */
    readonly session: (userId: string) => Effect.Effect<Omit<TokenAnswer, "refresh_token">, UserSuspended | Unavailable>
    /** For a client's own principal. `requested` is a space-separated list of scopes; without it, all of the client's. */
    readonly clientCredentials: (
      credentials: ClientCredentials,
      requested: string | undefined
    ) => Effect.Effect<TokenAnswer, InvalidClient | ScopeError | UserSuspended | Unavailable>
    /** For a user who shows a password to a client: the client's scopes. The user is asked once the client is known. */
    readonly onBehalf: <E, R>(
      credentials: ClientCredentials,
      authenticate: Effect.Effect<User, E, R>
    ) => Effect.Effect<TokenAnswer, E | InvalidClient | UserSuspended | SignInOutdated | Unavailable, R>
    /** A new pair for a refresh token. One that was given to a client takes that client's authentication. */
    readonly refresh: (
      token: string,
      credentials: ClientCredentials | undefined,
      requested: string | undefined
    ) => Effect.Effect<TokenAnswer, InvalidClient | InvalidRefreshToken | ScopeError | Unavailable>
    /** Ends the sign-in that a refresh token belongs to, if any. */
    readonly revoke: (token: string) => Effect.Effect<void, Unavailable>
  }
>()("emporion/identity/TokenGrants") {
  static readonly layer: Layer.Layer<TokenGrants, never, AccessTokens | RefreshTokens | ApiClients | Owners> =
    Layer.effect(this, make)
}
