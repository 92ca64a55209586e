import { Clock, Context, Data, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash } from "node:crypto"
import type { Scope } from "../../api/Authorization.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import * as Identifier from "../../Identifier.ts"
import { PRUNE_BATCH, RefreshTokenRepository } from "./RefreshTokenRepository.ts"
import type { Family } from "./RefreshTokenRepository.ts"
import * as Seal from "../secrets/Seal.ts"
import * as Worker from "../../Worker.ts"
import { SignInOutdated, UserSuspended } from "../users/UserError.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** Life of a family from sign-in, however often it is refreshed: 30 days. Specification 8. */
export const LIFETIME_MILLISECONDS = 30 * 24 * 3_600_000

/** How long a rotated token still gets the answer of its rotation, for callers that refreshed at the same time. */
export const GRACE_MILLISECONDS = 10_000

/** Sign-ins that one user can have open; the oldest makes room. */
const MAX_FAMILIES = 100

const TOKEN_BYTES = 32
const PURPOSE = "refresh-answer"

/** The refresh token is unknown, expired, revoked, another client's, or was used before. */
export class InvalidRefreshToken extends refusal("InvalidRefreshToken", "invalid_grant") {}

/** The token was given to a client, which has to authenticate to use it. RFC 6749, section 6. */
export class ClientUnauthenticated extends Data.TaggedError("ClientUnauthenticated")<Record<never, never>> {}

/** What a refresh token stands for. */
export interface Grant {
  readonly userId: string
  readonly clientId: string | undefined
  readonly scopes: ReadonlyArray<Scope>
}

/** A grant as a sign-in makes it. */
export interface NewGrant extends Grant {
  /** The user's when it was decided who signs in. */
  readonly tokenEpoch: number
}

const hashOf = (token: string): Uint8Array => new Uint8Array(createHash("sha256").update(token).digest())

/** Only the holder of a token can open what its rotation answered. */
const keyOf = (token: string): Uint8Array => hashOf(`${PURPOSE}:${token}`)

const open = (token: string, box: Uint8Array): Effect.Effect<string, InvalidRefreshToken> =>
  Effect.fromResult(Seal.open(keyOf(token), PURPOSE, box)).pipe(
    Effect.map((plain) => Buffer.from(plain).toString()),
    Effect.mapError(() => new InvalidRefreshToken())
  )

const newToken = Effect.fnUntraced(function* () {
  const random = yield* SecureRandom
  return `rt_${Buffer.from(yield* random.randomBytes(TOKEN_BYTES)).toString("base64url")}`
})

/** How answers are made: the first for the next token, one within the grace from what was answered before. */
export interface Minting<E, R> {
  readonly first: (grant: Grant, next: string) => Effect.Effect<string, E, R>
  readonly again: (grant: Grant, kept: string) => Effect.Effect<string, E, R>
}

const isAlive = (family: Family, now: number): boolean => !family.revoked && now < family.expiresAt

/** Undefined: refused. A refusal is an answer here, because the revocation that comes with it must be committed. */
const exchange = Effect.fnUntraced(function* <E, R>(token: string, clientId: string | undefined, mint: Minting<E, R>) {
  const repository = yield* RefreshTokenRepository
  const random = yield* SecureRandom
  const used = hashOf(token)
  const family = yield* repository.lockFamilyOf(used)
  const now = yield* Clock.currentTimeMillis
  const stored = yield* repository.find(used)
  if (family === undefined || stored === undefined || !isAlive(family, now)) return undefined
  if (family.clientId !== clientId) return clientId === undefined ? yield* new ClientUnauthenticated() : undefined
  if (stored.rotatedAt !== undefined) {
    if (now - stored.rotatedAt < GRACE_MILLISECONDS && stored.answer !== undefined)
      return yield* mint.again(family, yield* open(token, stored.answer))
    yield* repository.revokeFamily(family.id, now)
    return undefined
  }
  const next = yield* newToken()
  const answer = yield* mint.first(family, next)
  const nonce = yield* random.randomBytes(Seal.NONCE_LENGTH)
  const box = Seal.seal(keyOf(token), nonce, PURPOSE, new TextEncoder().encode(answer))
  yield* repository.rotate(family, used, hashOf(next), box, now, now - GRACE_MILLISECONDS)
  return answer
})

/**
 * Refresh tokens: random, stored as hashes, replaced at every use. One that is presented again after its grace revokes
 * its whole family, because either its holder or somebody else has a copy.
 */
export class RefreshTokens extends Context.Service<
  RefreshTokens,
  {
    /** The first token of a new family. */
    readonly begin: (grant: NewGrant) => Effect.Effect<string, UserSuspended | SignInOutdated | Unavailable>
    /**
     * Uses a token once. `mint` makes the answer for its grant in the same transaction: when it fails, the token is
     * unused. `clientId` is the client that authenticated, if one did; it must be the one that the token was given to.
     */
    readonly exchange: <E, R>(
      token: string,
      clientId: string | undefined,
      mint: Minting<E, R>
    ) => Effect.Effect<string, E | InvalidRefreshToken | ClientUnauthenticated | Unavailable, R>
    /** Ends the token's family. An unknown token is no error. */
    readonly revoke: (token: string) => Effect.Effect<void, Unavailable>
    /** Ends every family that a client was given. */
    readonly revokeClient: (clientId: string) => Effect.Effect<void, Unavailable>
    /** Ends every family of a user. */
    readonly revokeUser: (userId: string) => Effect.Effect<void, Unavailable>
  }
>()("emporion/identity/RefreshTokens") {
  static readonly layer: Layer.Layer<RefreshTokens, never, RefreshTokenRepository | SecureRandom> = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* RefreshTokenRepository
      const random = yield* SecureRandom
      yield* Worker.pruning("Expired sign-ins", PRUNE_BATCH, repository.prune)
      return RefreshTokens.of({
        begin: Effect.fn("RefreshTokens.begin")(
          function* (grant) {
            const now = yield* Clock.currentTimeMillis
            const token = yield* newToken()
            const id = yield* Identifier.make("rtf")
            const family = { ...grant, id, expiresAt: now + LIFETIME_MILLISECONDS, revoked: false }
            const standing = yield* repository.begin(family, hashOf(token), now, MAX_FAMILIES)
            if (standing === "suspended") return yield* new UserSuspended({ userId: grant.userId })
            if (standing === "outdated") return yield* new SignInOutdated({ userId: grant.userId })
            return token
          },
          Effect.provideService(SecureRandom, random)
        ),
        exchange: Effect.fn("RefreshTokens.exchange")(function* (token, clientId, mint) {
          const answer = yield* exchange(token, clientId, mint).pipe(
            Effect.provideService(RefreshTokenRepository, repository),
            Effect.provideService(SecureRandom, random),
            repository.transaction
          )
          return answer ?? (yield* new InvalidRefreshToken())
        }),
        revoke: Effect.fn("RefreshTokens.revoke")(function* (token) {
          yield* repository.revokeFamilyOf(hashOf(token), yield* Clock.currentTimeMillis)
        }),
        revokeClient: Effect.fn("RefreshTokens.revokeClient")(function* (clientId) {
          yield* repository.revokeClient(clientId, yield* Clock.currentTimeMillis)
        }),
        revokeUser: Effect.fn("RefreshTokens.revokeUser")(function* (userId) {
          yield* repository.revokeUser(userId, yield* Clock.currentTimeMillis)
        })
      })
    })
  )
}
