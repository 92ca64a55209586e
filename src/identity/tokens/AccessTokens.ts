import type { CompanyPlan } from "../../../engine/company/CompanyEvent.ts"
import { Clock, Context, Data, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose"
import type { CryptoKey, JWTVerifyOptions } from "jose"
import type { Principal, Scope } from "../../api/Authorization.ts"
import { Settings } from "../../Config.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { ClientEpochs } from "../clients/ClientEpochs.ts"
import * as Identifier from "../../Identifier.ts"
import { AUDIENCE, issuer } from "./Issuer.ts"
import { Owners } from "../users/Owners.ts"
import { ALGORITHM, SigningKeys } from "./SigningKeys.ts"
import type { Owner } from "../users/User.ts"

/** Life of an access token in seconds. Specification 8. */
export const LIFETIME_SECONDS = 1800

/** The `client_id` of tokens that no API client asked for. */
export const FIRST_PARTY = "emporion"

/** The token is not one of ours, has expired, or was withdrawn. `reason` is a sentence for the caller. */
export class InvalidToken extends Data.TaggedError("InvalidToken")<{ readonly reason: string }> {}

/** Verified tokens kept in memory; the oldest makes room. */
const MAX_VERIFIED = 10_000

/** Ours have some 500 characters. */
const MAX_TOKEN_LENGTH = 4_096

/** RFC 9068, so that no other kind of token passes for an access token. */
const TYPE = "at+jwt"

const Claims = Schema.Struct({
  sub: Schema.String,
  client_id: Schema.String,
  scopes: Schema.Array(Schema.String),
  role: Schema.String,
  company_id: Schema.String,
  exp: Schema.Int,
  iat: Schema.Int,
  jti: Schema.String
})

type Claims = typeof Claims.Type

const decodeClaims = Schema.decodeUnknownEffect(Claims)

const forged = new InvalidToken({ reason: "The access token is not valid: get a new one." })
const expired = new InvalidToken({ reason: "The access token has expired: refresh it." })
const withdrawn = new InvalidToken({ reason: "The access token was withdrawn: sign in again." })

/** What an access token is issued for. */
export interface Subject {
  readonly owner: Owner
  readonly clientId: string
  /** The client's when it authenticated. Undefined: no API client asked. */
  readonly clientEpoch?: number | undefined
  readonly scopes: ReadonlyArray<Scope>
}

interface Epochs {
  readonly owner: number
  /** NaN where the token names none. */
  readonly client: number
}

/** The owner's epoch, and a client's, are parts of the id before its points, so that a token carries no further claim. */
const epochsOf = (jti: string): Epochs => {
  const [owner, client] = jti.split(".").slice(0, -1)
  return { owner: Number(owner || Number.NaN), client: Number(client || Number.NaN) }
}

const idWith = (tokenId: string, { clientEpoch, owner }: Subject): string =>
  [owner.tokenEpoch, clientEpoch, tokenId].filter((part) => part !== undefined).join(".")

const demands = (iss: string, now: number): JWTVerifyOptions => ({
  algorithms: [ALGORITHM],
  issuer: iss,
  audience: AUDIENCE,
  typ: TYPE,
  currentDate: new Date(now)
})

const verifySignature = Effect.fnUntraced(function* (token: string, options: JWTVerifyOptions) {
  const keys = yield* SigningKeys
  const header = yield* Effect.try({ try: () => decodeProtectedHeader(token), catch: () => forged })
  const key: CryptoKey | Uint8Array | undefined = yield* keys.trusted(header.kid ?? "")
  if (key === undefined) return yield* forged
  const { payload } = yield* Effect.tryPromise({
    try: () => jwtVerify(token, key, options),
    catch: (error) => (error instanceof Error && "code" in error && error.code === "ERR_JWT_EXPIRED" ? expired : forged)
  })
  return yield* Effect.mapError(decodeClaims(payload), () => forged)
})

/** A principal and what its company pays for. */
export interface VerifiedPrincipal extends Principal {
  readonly plan: CompanyPlan
}

/** The principal that a user is with the scopes, by the client. */
export const principalOf = (owner: Owner, clientId: string, scopes: ReadonlyArray<string>): VerifiedPrincipal => ({
  userId: owner.userId,
  clientId,
  companyId: owner.companyId,
  role: owner.role,
  scopes,
  kind: owner.role === "service" ? "service" : "user",
  status: owner.status,
  plan: owner.plan
})

const sign = Effect.fnUntraced(function* (subject: Subject, iss: string) {
  const key = yield* (yield* SigningKeys).current
  const tokenId = yield* Identifier.make("tok")
  const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const { owner, clientId, scopes } = subject
  const token = new SignJWT({ client_id: clientId, scopes, role: owner.role, company_id: owner.companyId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.kid })
    .setSubject(owner.userId)
    .setIssuer(iss)
    .setAudience(AUDIENCE)
    .setIssuedAt(iat)
    .setExpirationTime(iat + LIFETIME_SECONDS)
    .setJti(idWith(tokenId, subject))
  return yield* Effect.promise(() => token.sign(key.privateKey))
})

/** A token whose signature was verified. */
interface Verified {
  readonly claims: Claims
  readonly epochs: Epochs
  /** Whom it stood for last, and as which principal. */
  owner: Owner | undefined
  principal: VerifiedPrincipal | undefined
}

/** The principal, which is the same one as long as its owner is; undefined where the token was withdrawn. */
const principalBy = (token: Verified, owner: Owner): VerifiedPrincipal | undefined => {
  if (token.owner === owner) return token.principal
  const { claims, epochs } = token
  const isCurrent = epochs.owner === owner.tokenEpoch && claims.company_id === owner.companyId
  token.owner = owner
  token.principal = isCurrent ? principalOf(owner, claims.client_id, claims.scopes) : undefined
  return token.principal
}

const make = Effect.gen(function* () {
  const iss = issuer((yield* Settings).server)
  const owners = yield* Owners
  const clients = yield* ClientEpochs
  const context = yield* Effect.context<SigningKeys | SecureRandom>()
  const verified = new Map<string, Verified>()

  const verifiedOf = Effect.fnUntraced(function* (token: string, now: number) {
    const claims = yield* Effect.provideContext(verifySignature(token, demands(iss, now)), context)
    const [oldest] = verified.size >= MAX_VERIFIED ? verified.keys() : []
    if (oldest !== undefined) verified.delete(oldest)
    const kept: Verified = { claims, epochs: epochsOf(claims.jti), owner: undefined, principal: undefined }
    verified.set(token, kept)
    return kept
  })

  const isOver = ({ claims, epochs }: Verified): boolean => clients.isOver(claims.client_id, epochs.client)

  return AccessTokens.of({
    known: (token, now) => {
      const kept = verified.get(token)
      if (kept === undefined || now >= kept.claims.exp * 1000 || isOver(kept)) return undefined
      const owner = owners.known(kept.claims.sub, now)
      return owner === undefined || owner.status === "suspended" ? undefined : principalBy(kept, owner)
    },
    isSigned: (token) => verified.has(token),
    issue: Effect.fn("AccessTokens.issue")((subject: Subject) => Effect.provideContext(sign(subject, iss), context)),
    verify: Effect.fnUntraced(function* (token) {
      if (token.length > MAX_TOKEN_LENGTH) return yield* forged
      const now = yield* Clock.currentTimeMillis
      const kept = verified.get(token) ?? (yield* verifiedOf(token, now))
      const { claims } = kept
      if (now >= claims.exp * 1000) {
        verified.delete(token)
        return yield* expired
      }
      if (isOver(kept)) return yield* withdrawn
      const owner = yield* Effect.catchTag(owners.ownerOf(claims.sub), "UserNotFound", () => Effect.fail(withdrawn))
      return principalBy(kept, owner) ?? (yield* withdrawn)
    })
  })
})

/**
 * Access tokens: JWTs signed with EdDSA that carry the claims of Specification 2.2 and jti, iss and aud. The verified
 * signature is remembered; status, role and epoch are the user's present ones, so a change holds from the next request.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly issue: (subject: Subject) => Effect.Effect<string>
    /** The same without waiting, where token and user were seen of late and the user is not suspended; else undefined. */
    readonly known: (token: string, now: number) => VerifiedPrincipal | undefined
    /** Whether its signature was verified, and is remembered. */
    readonly isSigned: (token: string) => boolean
    /** The principal a token stands for now. */
    readonly verify: (token: string) => Effect.Effect<VerifiedPrincipal, InvalidToken | Unavailable>
  }
>()("emporion/identity/AccessTokens") {
  static readonly layer: Layer.Layer<
    AccessTokens,
    never,
    Settings | Owners | ClientEpochs | SigningKeys | SecureRandom
  > = Layer.effect(this, make)
}
