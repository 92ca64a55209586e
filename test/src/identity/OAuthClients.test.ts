import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { ClientCredentials } from "simple-oauth2"
import { onDatabase } from "../../lib/CliProcess.ts"
import { withLayer } from "../../lib/Effects.ts"
import { post, send } from "../../lib/Requests.ts"
import { freePort } from "../../lib/FreePort.ts"
import { startServer } from "../../lib/ServerProcess.ts"
import type { ServerProcess } from "../../lib/ServerProcess.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"

class Platform extends Context.Service<Platform, ServerProcess>()("test/Platform") {}

/** The program in a process of its own, on a port that is known before its metadata names it. */
const running = Effect.gen(function* () {
  const { url } = yield* testDatabase
  return yield* startServer({ ...onDatabase(url), PORT: String(yield* freePort) })
})

const it = withLayer(Layer.effect(Platform, running), 60_000)

const given = Effect.map(Platform, ({ client, url }) => ({ url, id: client.name, secret: client.secret }))

const SCOPE = "users:read orders:read"

const me = (url: string, token: string | undefined) =>
  send(`${url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })

const insecure = { [oauth.allowInsecureRequests]: true } as const

describe("oauth4webapi", () => {
  const discover = (url: string) =>
    oauth
      .discoveryRequest(new URL(url), { algorithm: "oauth2", ...insecure })
      .then((answer) => oauth.processDiscoveryResponse(new URL(url), answer))

  for (const method of ["basic", "post"] as const) {
    it(`finds the server, and gets, refreshes and revokes tokens with ${method}`, () =>
      Effect.gen(function* () {
        const { id, secret, url } = yield* given
        const client = { client_id: id }
        const authentication = method === "basic" ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
        const server = yield* Effect.promise(() => discover(url))
        const first = yield* Effect.promise(() =>
          oauth
            .clientCredentialsGrantRequest(server, client, authentication, { scope: SCOPE }, insecure)
            .then((answer) => oauth.processClientCredentialsResponse(server, client, answer))
        )
        expect(first).toMatchObject({ token_type: "bearer", expires_in: 1800 })
        expect((yield* me(url, first.access_token)).status).toBe(200)
        const refresh = (token: string | undefined) =>
          oauth
            .refreshTokenGrantRequest(server, client, authentication, token ?? "", insecure)
            .then((answer) => oauth.processRefreshTokenResponse(server, client, answer))
        const second = yield* Effect.promise(() => refresh(first.refresh_token))
        expect(second.refresh_token).not.toBe(first.refresh_token)
        expect((yield* me(url, second.access_token)).status).toBe(200)
        yield* Effect.promise(() =>
          oauth
            .revocationRequest(server, client, authentication, second.refresh_token ?? "", insecure)
            .then(oauth.processRevocationResponse)
        )
        const refused = yield* Effect.flip(Effect.tryPromise(() => refresh(second.refresh_token)))
        expect(refused.cause).toMatchObject({ error: "invalid_grant", status: 400 })
      }))
  }

  it("verifies an access token by what the server publishes", () =>
    Effect.gen(function* () {
      const { id, secret, url } = yield* given
      const grant = { grant_type: "client_credentials", client_id: id, client_secret: secret }
      const { json } = yield* send(`${url}/api/v1/auth/token`, post(grant))
      const authorization = `Bearer ${(json as { readonly access_token: string }).access_token}`
      const server = yield* Effect.promise(() => discover(url))
      const claims = yield* Effect.promise(() =>
        oauth.validateJwtAccessToken(server, new Request(url, { headers: { authorization } }), "emporion", insecure)
      )
      expect(claims).toMatchObject({ client_id: id, iss: url })
    }))

  it("understands the refusal of a client", () =>
    Effect.gen(function* () {
      const { id, url } = yield* given
      const client = { client_id: id }
      const server = yield* Effect.promise(() => discover(url))
      const refused = yield* Effect.flip(
        Effect.tryPromise(() =>
          oauth
            .clientCredentialsGrantRequest(server, client, oauth.ClientSecretBasic("wrong"), {}, insecure)
            .then((answer) => oauth.processClientCredentialsResponse(server, client, answer))
        )
      )
      expect(refused.cause).toMatchObject({ status: 401 })
    }))
})

describe("openid-client", () => {
  for (const method of [openid.ClientSecretBasic, openid.ClientSecretPost]) {
    it(`finds the server, and gets, refreshes and revokes tokens with ${method.name}`, () =>
      Effect.gen(function* () {
        const { id, secret, url } = yield* given
        const options = { algorithm: "oauth2" as const, execute: [openid.allowInsecureRequests] }
        const server = yield* Effect.promise(() => openid.discovery(new URL(url), id, secret, method(secret), options))
        const first = yield* Effect.promise(() => openid.clientCredentialsGrant(server, { scope: SCOPE }))
        expect((yield* me(url, first.access_token)).status).toBe(200)
        const second = yield* Effect.promise(() => openid.refreshTokenGrant(server, first.refresh_token ?? ""))
        expect((yield* me(url, second.access_token)).status).toBe(200)
        yield* Effect.promise(() => openid.tokenRevocation(server, second.refresh_token ?? ""))
        const refused = yield* Effect.flip(
          Effect.tryPromise(() => openid.refreshTokenGrant(server, second.refresh_token ?? ""))
        )
        expect(refused.cause).toMatchObject({ error: "invalid_grant" })
      }))
  }
})

describe("simple-oauth2", () => {
  for (const authorizationMethod of ["header", "body"] as const) {
    for (const bodyFormat of ["form", "json"] as const) {
      it(`gets, refreshes and revokes tokens with ${authorizationMethod} and ${bodyFormat}`, () =>
        Effect.gen(function* () {
          const { id, secret, url } = yield* given
          const options = { authorizationMethod, bodyFormat }
          const auth = { tokenHost: url, tokenPath: "/api/v1/auth/token", revokePath: "/api/v1/auth/revoke" }
          const client = { id, secret }
          const granting = new ClientCredentials({ client, auth, options })
          const got = yield* Effect.promise(() => granting.getToken({ scope: SCOPE }))
          expect(got.expired()).toBe(false)
          expect((yield* me(url, String(got.token["access_token"]))).status).toBe(200)
          const second = yield* Effect.promise(() => got.refresh())
          expect((yield* me(url, String(second.token["access_token"]))).status).toBe(200)
          yield* Effect.promise(() => second.revoke("refresh_token"))
          const refused = yield* Effect.flip(Effect.tryPromise(() => second.refresh()))
          expect(refused.cause).toMatchObject({ data: { payload: { error: "invalid_grant" } } })
        }))
    }
  }
})
