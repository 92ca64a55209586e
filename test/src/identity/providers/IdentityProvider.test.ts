import { describe, expect } from "bun:test"
import { Clock, Effect, Layer } from "effect"
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose"
import type { CryptoKey, JWTPayload } from "jose"
import { Settings } from "../../../../src/Config.ts"
import { IdentityProvider } from "../../../../src/identity/providers/IdentityProvider.ts"
import type { Pending } from "../../../../src/identity/providers/PendingSignIns.ts"
import { itLive as it } from "../../../lib/Effects.ts"
import { priceServer } from "../../../lib/PriceServer.ts"
import type { PriceServer } from "../../../lib/PriceServer.ts"

const PENDING: Pending = {
  way: "provider",
  state: "s".repeat(43),
  nonce: "n".repeat(43),
  verifier: "v".repeat(43),
  returnTo: "/docs",
  expiresAt: 0
}

const CLIENT = "client"

interface ProviderActs {
  readonly claims?: JWTPayload
  readonly key?: CryptoKey
  readonly unsigned?: boolean
  readonly issuer?: string
  readonly token?: (answer: Response) => Response
  readonly userinfo?: Readonly<Record<string, unknown>>
}

/** A provider that a test makes misbehave. */
const play = (
  server: PriceServer,
  keys: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey },
  now: number
) => {
  const issuer = server.url.origin
  const seconds = Math.floor(now / 1000)
  const signed = (payload: JWTPayload, { key, unsigned }: ProviderActs): Promise<string> =>
    unsigned === true
      ? Promise.resolve(new UnsecuredJWT(payload).encode())
      : new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "1" }).sign(key ?? keys.privateKey)
  return (acts: ProviderActs): void =>
    server.answer(async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === "/.well-known/openid-configuration") {
        return Response.json({
          issuer: acts.issuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ["ES256"],
          ...(acts.userinfo === undefined ? {} : { userinfo_endpoint: `${issuer}/userinfo` })
        })
      }
      if (pathname === "/jwks") {
        return Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: "ES256", kid: "1", use: "sig" }] })
      }
      if (pathname === "/userinfo") return Response.json(acts.userinfo)
      const payload = {
        iss: issuer,
        sub: "ada",
        aud: CLIENT,
        iat: seconds,
        exp: seconds + 60,
        nonce: PENDING.nonce,
        email: "ada@example.com",
        email_verified: true,
        ...acts.claims
      }
      const answer = { access_token: "at", token_type: "Bearer", id_token: await signed(payload, acts) }
      return (acts.token ?? ((same: Response) => same))(Response.json(answer))
    })
}

const layerWith = (variables: Readonly<Record<string, string>>) =>
  IdentityProvider.layer.pipe(Layer.provide(Settings.layerOf(variables)))

const make = Effect.gen(function* () {
  const server = yield* priceServer
  const keys = yield* Effect.promise(() => generateKeyPair("ES256"))
  const others = yield* Effect.promise(() => generateKeyPair("ES256"))
  const now = yield* Clock.currentTimeMillis
  const acts = play(server, keys, now)
  const connect = Effect.gen(function* () {
    const { connected } = yield* IdentityProvider
    return connected ?? (yield* Effect.die(new Error("no provider")))
  }).pipe(
    Effect.provide(
      layerWith({
        IDENTITY_PROVIDER_ISSUER: server.url.origin,
        IDENTITY_PROVIDER_CLIENT_ID: CLIENT,
        IDENTITY_PROVIDER_CLIENT_SECRET: "secret"
      })
    )
  )
  return { acts, connect, now, otherKey: others.privateKey, server }
})

describe("The identity provider", () => {
  it("says who a code stands for", () =>
    Effect.gen(function* () {
      const { acts, connect, server } = yield* make
      acts({})
      const { exchange } = yield* connect
      const claims = {
        issuer: server.url.origin,
        subject: "ada",
        email: "ada@example.com",
        emailVerified: true,
        name: undefined,
        mayLink: true,
        shop: undefined
      }
      expect(yield* exchange("code", undefined, PENDING)).toEqual(claims)
      expect(yield* exchange("code", server.url.origin, PENDING)).toEqual(claims)
    }))

  it("has verified an address only where it says true", () =>
    Effect.gen(function* () {
      const { acts, connect } = yield* make
      const { exchange } = yield* connect
      for (const email_verified of ["true", 1, null, undefined, false]) {
        acts({ claims: { email_verified } })
        expect(yield* exchange("code", undefined, PENDING)).toMatchObject({ emailVerified: false })
      }
    }))

  it("is asked for the address when the ID token has none, and believed about the same person alone", () =>
    Effect.gen(function* () {
      const { acts, connect } = yield* make
      const userinfo = { sub: "ada", email: "ada@info.example", email_verified: true }
      acts({ claims: { email: undefined }, userinfo })
      const { exchange } = yield* connect
      expect(yield* exchange("code", undefined, PENDING)).toMatchObject({
        email: "ada@info.example",
        emailVerified: true
      })
      acts({ claims: { email: undefined }, userinfo: { ...userinfo, sub: "eve" } })
      expect((yield* Effect.flip(exchange("code", undefined, PENDING)))._tag).toBe("CodeRefused")
    }))

  it("is not believed when the ID token is another's, of another time or sign-in, or forged", () =>
    Effect.gen(function* () {
      const { acts, connect, now, otherKey } = yield* make
      acts({})
      const { exchange } = yield* connect
      const seconds = Math.floor(now / 1000)
      const wrong: ReadonlyArray<ProviderActs> = [
        { claims: { iss: "https://evil.example" } },
        { claims: { aud: "another-client" } },
        { claims: { nonce: "another" } },
        { claims: { nonce: undefined } },
        { claims: { exp: seconds - 600, iat: seconds - 660 } },
        { key: otherKey },
        { unsigned: true }
      ]
      for (const act of wrong) {
        acts(act)
        expect((yield* Effect.flip(exchange("code", undefined, PENDING)))._tag).toBe("CodeRefused")
      }
      acts({})
      expect((yield* Effect.flip(exchange("code", "https://evil.example", PENDING)))._tag).toBe("CodeRefused")
    }))

  it("refuses a code, or is away", () =>
    Effect.gen(function* () {
      const { acts, connect } = yield* make
      const tagOf = (act: ProviderActs) =>
        Effect.gen(function* () {
          acts({})
          const { authorizationUrl, exchange } = yield* connect
          yield* authorizationUrl(PENDING)
          acts(act)
          return (yield* Effect.flip(exchange("code", undefined, PENDING)))._tag
        })
      const oauth = (error: string, status: number) => ({ token: () => Response.json({ error }, { status }) })
      expect(yield* tagOf(oauth("invalid_grant", 400))).toBe("CodeRefused")
      expect(yield* tagOf(oauth("invalid_client", 401))).toBe("ProviderUnavailable")
      expect(yield* tagOf(oauth("server_error", 500))).toBe("ProviderUnavailable")
      expect(yield* tagOf({ token: () => new Response("x", { status: 502 }) })).toBe("ProviderUnavailable")
      const endless = () =>
        new Response(`{"a":"${"x".repeat(2_000_000)}"}`, { headers: { "content-type": "application/json" } })
      expect(yield* tagOf({ token: endless })).toBe("ProviderUnavailable")
    }))

  it("is found again when it was away, and is not another", () =>
    Effect.gen(function* () {
      const { acts, connect, server } = yield* make
      const { authorizationUrl } = yield* connect
      server.answer(() => new Response(null, { status: 503 }))
      expect((yield* Effect.flip(authorizationUrl(PENDING)))._tag).toBe("ProviderUnavailable")
      acts({ issuer: "https://evil.example" })
      expect((yield* Effect.flip(authorizationUrl(PENDING)))._tag).toBe("ProviderUnavailable")
      acts({})
      const url = yield* authorizationUrl(PENDING)
      expect(url.origin).toBe(server.url.origin)
      const asked = server.requests()
      yield* authorizationUrl(PENDING)
      expect(server.requests()).toBe(asked)
    }))

  it("is none without settings", () =>
    Effect.gen(function* () {
      const { connected } = yield* Effect.provide(IdentityProvider, layerWith({}))
      expect(connected).toBeUndefined()
    }))
})
