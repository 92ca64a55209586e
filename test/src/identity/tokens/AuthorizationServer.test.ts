import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { decodeJwt } from "jose"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { HttpServer } from "../../../../src/http/HttpServer.ts"
import { SeededClient } from "../../../../src/identity/clients/SeededClient.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layerWith } from "../../../lib/IdentityServer.ts"
import { type Answer, post, send } from "../../../lib/Requests.ts"
import { registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerWith({ PUBLIC_URL: "https://emporion.example/" }))

type Json = Readonly<Record<string, unknown>>
const json = (answer: Answer): Json => ({ ...(answer.json as Json) })

const ask = (path: string, init?: RequestInit): Effect.Effect<Answer, never, HttpServer> =>
  Effect.flatMap(HttpServer, ({ url }) => send(`${url}${path}`, init))

const client = Effect.map(SeededClient, ({ credentials }) => ({
  client_id: credentials?.clientId ?? "",
  client_secret: Redacted.value(credentials?.secret ?? Redacted.make(""))
}))

const person = Effect.gen(function* () {
  const given = registration()
  const user = yield* Effect.flatMap(Users, ({ register }) => register(given))
  return { user, username: given.email, password: Redacted.value(given.password) }
})

const expectRefused = (answer: Answer, status: number, error: string) => {
  expect([answer.status, json(answer)["error"], json(answer)["code"]]).toEqual([status, error, error])
  expect(String(json(answer)["error_description"]).length).toBeGreaterThan(10)
  expect(answer.headers.get("cache-control")).toBe("no-store")
}

describe("POST /v1/authorize", () => {
  it("answers a client's tokens for a user, to JSON and to a form", () =>
    Effect.gen(function* () {
      const { password, user, username } = yield* person
      const body = { ...(yield* client), username, password }
      for (const init of [post(body), { method: "POST", body: new URLSearchParams(body) }]) {
        const answer = yield* ask("/v1/authorize", init)
        expect(answer.status).toBe(200)
        expect(answer.headers.get("cache-control")).toBe("no-store")
        expect(Object.keys(json(answer))).toEqual(["access_token", "token_type", "expires_in", "refresh_token"])
        expect(decodeJwt(String(json(answer)["access_token"]))).toMatchObject({
          sub: user.id,
          client_id: body.client_id,
          scopes: SCOPES,
          role: "buyer",
          company_id: user.companyId
        })
        const refresh = { grant_type: "refresh_token", refresh_token: json(answer)["refresh_token"] }
        expect((yield* ask("/api/v1/auth/token", post(refresh))).status).toBe(401)
        const { client_id, client_secret } = body
        const authenticated = { ...refresh, client_id, client_secret }
        expect((yield* ask("/api/v1/auth/token", post(authenticated))).status).toBe(200)
      }
    }))

  it("refuses another client's secret, a wrong password, and a suspended user", () =>
    Effect.gen(function* () {
      const { password, user, username } = yield* person
      const body = { ...(yield* client), username, password }
      const authorize = (change: Json) => ask("/v1/authorize", post({ ...body, ...change }))
      expectRefused(yield* authorize({ client_secret: "wrong" }), 401, "invalid_client")
      expectRefused(yield* authorize({ client_id: "nobody", password: "wrong" }), 401, "invalid_client")
      expectRefused(yield* authorize({ password: "wrong" }), 400, "invalid_grant")
      expectRefused(yield* authorize({ username: "nobody@example.com" }), 400, "invalid_grant")
      yield* Effect.flatMap(Users, ({ setStatus }) => setStatus(user.id, "suspended"))
      expectRefused(yield* authorize({}), 403, "access_denied")
    }))

  it("needs all four fields", () =>
    Effect.gen(function* () {
      const body = { ...(yield* client), username: "a@example.com", password: "secret" }
      for (const field of Object.keys(body)) {
        const answer = yield* ask("/v1/authorize", post({ ...body, [field]: undefined }))
        expectRefused(answer, 400, "invalid_request")
        expect(String(json(answer)["message"])).toStartWith(`payload.${field}: `)
      }
    }))

  it("slows down guessing of a user, as login does", () =>
    Effect.gen(function* () {
      const { username } = yield* person
      const body = { ...(yield* client), username, password: "wrong" }
      for (let guess = 0; guess < 5; guess++) expect((yield* ask("/v1/authorize", post(body))).status).toBe(400)
      const slowed = yield* ask("/v1/authorize", post(body))
      expectRefused(slowed, 429, "rate_limited")
      expect(slowed.headers.get("retry-after")).toBe("1")
      const login = yield* ask("/api/v1/auth/login", post({ email: username, password: "wrong" }))
      expect(login.status).toBe(429)
    }))
})

describe("A body of another type", () => {
  it("is 415 with the types that the operation takes", () =>
    Effect.gen(function* () {
      const form = "application/x-www-form-urlencoded"
      const taken = {
        "/api/v1/auth/token": `application/json or ${form}`,
        "/api/v1/auth/revoke": `application/json or ${form}`,
        "/v1/authorize": `application/json or ${form}`,
        "/api/v1/auth/login": "application/json",
        "/api/auth/google": form,
        "/api/auth/ecommerce": form
      }
      for (const [path, media] of Object.entries(taken)) {
        for (const type of ["text/xml", ""]) {
          const answer = yield* ask(path, { method: "POST", body: new Blob(["{}"], { type }) })
          const message = `Send the body as Content-Type: ${media}.`
          expect([path, answer.status, json(answer)]).toMatchObject([path, 415, { message }])
        }
      }
    }))
})

describe("GET /.well-known/oauth-authorization-server", () => {
  it("names the issuer of the tokens, and endpoints that are there", () =>
    Effect.gen(function* () {
      const answer = yield* ask("/.well-known/oauth-authorization-server")
      expect(answer.status).toBe(200)
      expect(answer.headers.get("content-type")).toContain("application/json")
      const issuer = "https://emporion.example"
      expect(json(answer)).toEqual({
        issuer,
        token_endpoint: `${issuer}/api/v1/auth/token`,
        revocation_endpoint: `${issuer}/api/v1/auth/revoke`,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        scopes_supported: SCOPES,
        response_types_supported: [],
        grant_types_supported: ["client_credentials", "refresh_token"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        revocation_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
        service_documentation: `${issuer}/docs`
      })
      const token = yield* ask("/api/v1/auth/token", post({ grant_type: "client_credentials", ...(yield* client) }))
      expect(decodeJwt(String(json(token)["access_token"])).iss).toBe(issuer)
      for (const name of ["token_endpoint", "revocation_endpoint", "jwks_uri"]) {
        const { pathname } = new URL(String(json(answer)[name]))
        expect([name, (yield* ask(pathname, { method: "OPTIONS" })).status]).not.toEqual([name, 404])
      }
    }))
})
