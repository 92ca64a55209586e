import { describe, expect } from "bun:test"
import { Clock, Effect, Exit } from "effect"
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose"
import type { JWTPayload } from "jose"
import { AccessTokens } from "../../../../src/identity/tokens/AccessTokens.ts"
import type { VerifiedPrincipal } from "../../../../src/identity/tokens/AccessTokens.ts"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import { SigningKeys } from "../../../../src/identity/tokens/SigningKeys.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { later, layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf({ PUBLIC_URL: "https://emporion.example/" }))

/** Verifies a token: what is known without waiting must never differ from it. */
const verified = Effect.fnUntraced(function* (token: string) {
  const { known, verify } = yield* AccessTokens
  const now = yield* Clock.currentTimeMillis
  const before = known(token, now)
  const exit = yield* Effect.exit(verify(token))
  if (before !== undefined) expect(exit).toEqual(Exit.succeed(before))
  const isKnown = Exit.isSuccess(exit) && exit.value.status !== "suspended"
  expect(known(token, now)).toEqual(isKnown ? exit.value : undefined)
  return yield* exit
})

const issued = Effect.gen(function* () {
  const users = yield* Users
  const tokens = yield* AccessTokens
  const user = yield* users.register(registration())
  const owner = yield* Effect.flatMap(Owners, ({ ownerOf }) => ownerOf(user.id))
  const token = yield* tokens.issue({ owner, clientId: "cli_1", scopes: ["orders:read"] })
  return { user, owner, token, verify: verified(token) }
})

interface Forgery {
  readonly claims?: JWTPayload
  readonly header?: Readonly<Record<string, string>>
  readonly foreign?: boolean
}

/** A good token with something changed, signed with our own key or a foreign one. */
const forged = Effect.fnUntraced(function* ({ claims, header, foreign }: Forgery) {
  const { token } = yield* issued
  const own = yield* Effect.flatMap(SigningKeys, ({ current }) => current)
  const other = yield* Effect.promise(() => generateKeyPair("EdDSA", { crv: "Ed25519" }))
  const jwt = new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader({
    alg: "EdDSA",
    typ: "at+jwt",
    kid: own.kid,
    ...header
  })
  return yield* Effect.promise(() => jwt.sign(foreign === true ? other.privateKey : own.privateKey))
})

const refusalOf = (token: string): Effect.Effect<string, VerifiedPrincipal, AccessTokens> =>
  Effect.flip(verified(token)).pipe(Effect.map((error) => (error._tag === "InvalidToken" ? error.reason : error._tag)))

const NOT_VALID = "The access token is not valid: get a new one."
const EXPIRED = "The access token has expired: refresh it."
const WITHDRAWN = "The access token was withdrawn: sign in again."

describe("AccessTokens", () => {
  it("carry the claims of the specification and jti, iss and aud, nothing else", () =>
    Effect.gen(function* () {
      const { user, token } = yield* issued
      const claims = decodeJwt(token)
      expect(Object.keys(claims).toSorted()).toEqual([
        "aud",
        "client_id",
        "company_id",
        "exp",
        "iat",
        "iss",
        "jti",
        "role",
        "scopes",
        "sub"
      ])
      expect(claims).toMatchObject({
        sub: user.id,
        client_id: "cli_1",
        scopes: ["orders:read"],
        role: "buyer",
        company_id: user.companyId,
        iss: "https://emporion.example",
        aud: "emporion"
      })
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(1800)
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: "EdDSA", typ: "at+jwt" })
    }))

  it("stand for their principal, again and again", () =>
    Effect.gen(function* () {
      const { user, verify } = yield* issued
      const principal = {
        userId: user.id,
        companyId: user.companyId,
        clientId: "cli_1",
        role: "buyer",
        scopes: ["orders:read"],
        kind: "user",
        status: "pending_kyc",
        plan: "standard"
      } as const
      expect(yield* verify).toEqual(principal)
      expect(yield* verify).toEqual(principal)
    }))

  it("are good for 1,800 seconds, remembered or not", () =>
    Effect.gen(function* () {
      const { token, verify } = yield* issued
      const { exp = 0 } = decodeJwt(token)
      const left = exp * 1000 - (yield* Clock.currentTimeMillis)
      yield* verify
      yield* later(left - 500)(verify)
      expect(yield* later(left)(refusalOf(token))).toBe(EXPIRED)
      expect(yield* later(left)(refusalOf(token))).toBe(EXPIRED)
    }))

  it("are judged by the given clock alone", () =>
    Effect.gen(function* () {
      const DAY = 86_400_000
      const past = later(-DAY)
      const { verify, token } = yield* past(issued)
      yield* past(verify)
      expect(yield* refusalOf(token)).toBe(EXPIRED)
    }))

  it("are refused when forged", () =>
    Effect.gen(function* () {
      const good = yield* forged({})
      yield* Effect.flatMap(AccessTokens, ({ verify }) => verify(good))
      const [head = "", body = "", signature = ""] = good.split(".")
      const none = Buffer.from(`{"alg":"none","typ":"at+jwt"}`).toString("base64url")
      const admin = Buffer.from(JSON.stringify({ ...decodeJwt(good), role: "admin" })).toString("base64url")
      const tokens = [
        "",
        "not a token",
        `${head}.${body}.`,
        `${none}.${body}.`,
        `${none}.${body}.${signature}`,
        `${head}.${admin}.${signature}`,
        `${good}x`,
        `${good}.x`,
        "a".repeat(5_000),
        yield* forged({ foreign: true }),
        yield* forged({ header: { kid: "key_unknown" }, foreign: true }),
        yield* forged({ header: { typ: "JWT" } }),
        yield* forged({ claims: { iss: "https://elsewhere.example" } }),
        yield* forged({ claims: { aud: "elsewhere" } }),
        yield* forged({ claims: { scopes: "orders:read" } }),
        yield* forged({ claims: { nbf: 9_999_999_999 } })
      ]
      for (const token of tokens) expect([token, yield* refusalOf(token)]).toEqual([token, NOT_VALID])
      expect(yield* refusalOf(yield* forged({ claims: { exp: 1 } }))).toBe(EXPIRED)
    }))

  it("are refused with HMAC under the public key", () =>
    Effect.gen(function* () {
      const { token } = yield* issued
      const [published] = yield* Effect.flatMap(SigningKeys, (keys) => keys.published)
      const jwt = new SignJWT(decodeJwt(token)).setProtectedHeader({
        alg: "HS256",
        typ: "at+jwt",
        kid: published?.kid ?? ""
      })
      const key = new Uint8Array(Buffer.from(published?.x ?? "", "base64url"))
      expect(yield* refusalOf(yield* Effect.promise(() => jwt.sign(key)))).toBe(NOT_VALID)
    }))

  it("tell a suspension at once", () =>
    Effect.gen(function* () {
      const { user, verify } = yield* issued
      const users = yield* Users
      expect((yield* verify).status).toBe("pending_kyc")
      yield* users.setStatus(user.id, "suspended")
      expect((yield* verify).status).toBe("suspended")
    }))

  it("are withdrawn at once by a change of role or password", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const first = yield* issued
      yield* first.verify
      yield* users.setRole(first.user.id, "seller")
      expect(yield* refusalOf(first.token)).toBe(WITHDRAWN)
      const second = yield* issued
      yield* second.verify
      yield* users.setPassword(second.user.id, registration().password)
      expect(yield* refusalOf(second.token)).toBe(WITHDRAWN)
    }))

  it("stay good when the signing key is replaced", () =>
    Effect.gen(function* () {
      const { token, verify } = yield* issued
      yield* Effect.flatMap(SigningKeys, ({ rotate }) => rotate)
      yield* verify
      expect(decodeProtectedHeader((yield* issued).token).kid).not.toBe(decodeProtectedHeader(token).kid)
    }))

  it("of a user that never was are refused", () =>
    Effect.gen(function* () {
      expect(yield* refusalOf(yield* forged({ claims: { sub: `usr_${"0".repeat(24)}` } }))).toBe(WITHDRAWN)
    }))
})
