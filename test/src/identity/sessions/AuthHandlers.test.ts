import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { createLocalJWKSet, jwtVerify } from "jose"
import type { JSONWebKeySet } from "jose"
import { HttpServer } from "../../../../src/http/HttpServer.ts"
import { SeededClient } from "../../../../src/identity/clients/SeededClient.ts"
import { Sessions } from "../../../../src/identity/sessions/Sessions.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layer, layerWith } from "../../../lib/IdentityServer.ts"
import { type Answer, post, send } from "../../../lib/Requests.ts"

const it = withLayer(layer)

const ask = (path: string, init?: RequestInit): Effect.Effect<Answer, never, HttpServer> =>
  Effect.flatMap(HttpServer, ({ url }) => send(`${url}${path}`, init))

const PASSWORD = "correct horse battery"
const ADDRESS = { street: "1 High Street", city: "Ghent", state: "OV", postal_code: "9000", country: "BE" }

let people = 0
const person = () => {
  people += 1
  return { email: `person${people}@example.com`, password: PASSWORD, company_name: "Acme" }
}

type Json = Record<string, unknown>
const json = (answer: Answer): Json => ({ ...(answer.json as Json) })
const textOf = (answer: Answer, field: string): string => String(json(answer)[field])

const register = (body: unknown) => ask("/api/v1/auth/register", post(body))
const login = (email: string, password: string) => ask("/api/v1/auth/login", post({ email, password }))
const token = (body: unknown, headers?: Record<string, string>) => ask("/api/v1/auth/token", post(body, headers))
const tokenByForm = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  ask("/api/v1/auth/token", { method: "POST", body: new URLSearchParams(fields), headers })
const refresh = (refresh_token: string) => token({ grant_type: "refresh_token", refresh_token })

const loggedIn = Effect.gen(function* () {
  const someone = person()
  yield* register(someone)
  return { someone, answer: yield* login(someone.email, PASSWORD) }
})

const robot = Effect.map(SeededClient, ({ credentials }) => ({
  client_id: credentials?.clientId ?? "",
  client_secret: Redacted.value(credentials?.secret ?? Redacted.make(""))
}))

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`
})

/** The current user, with the access token of an answer. */
const record = (answer: Answer) =>
  ask("/api/v1/users/me", { headers: { authorization: `Bearer ${textOf(answer, "access_token")}` } })

const expectRefused = (answer: Answer, status: number, code: string) => {
  expect([answer.status, json(answer)["code"]]).toEqual([status, code])
  expect(textOf(answer, "message").length).toBeGreaterThan(10)
}

const expectOauthRefused = (answer: Answer, status: number, code: string) => {
  expectRefused(answer, status, code)
  expect(json(answer)).toMatchObject({
    error: code,
    error_description: textOf(answer, "message"),
    message: textOf(answer, "message"),
    code
  })
  expect(answer.headers.get("cache-control")).toBe("no-store")
}

describe("POST /api/v1/auth/register", () => {
  it("answers exactly the specified fields", () =>
    Effect.gen(function* () {
      const body = { ...person(), contact_name: "A. B.", phone: "+32 9", tax_id: "BE1", address: ADDRESS }
      const answer = yield* register(body)
      expect(answer.status).toBe(200)
      expect(json(answer)).toEqual({
        id: expect.stringMatching(/^usr_/),
        email: body.email,
        company_name: "Acme",
        status: "pending_kyc",
        ecommerce_company_id: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      })
    }))

  it("refuses an email that is taken", () =>
    Effect.gen(function* () {
      const someone = person()
      yield* register(someone)
      expectRefused(yield* register({ ...someone, email: someone.email.toUpperCase() }), 409, "conflict")
    }))

  it("names the field that is wrong, and never repeats a password", () =>
    Effect.gen(function* () {
      const good = person()
      const wrong: ReadonlyArray<readonly [string, Json]> = [
        ["payload.email", { ...good, email: "nobody" }],
        ["payload.email", { ...good, email: `${"a".repeat(250)}@b.cd` }],
        ["payload.email", { ...good, email: 1 }],
        ["payload.password", { ...good, password: "seven77" }],
        ["payload.password", { ...good, password: "x".repeat(257) }],
        ["payload.password", { email: good.email, company_name: "Acme" }],
        ["payload.company_name", { ...good, company_name: "" }],
        ["payload.company_name", { ...good, company_name: "a\u0000b" }],
        ["payload.phone", { ...good, phone: "1".repeat(33) }],
        ["payload.contact_name", { ...good, contact_name: "\ud800" }],
        ["payload.address.city", { ...good, address: { city: 7 } }],
        ["payload.address", { ...good, address: "Ghent" }]
      ]
      for (const [field, body] of wrong) {
        const answer = yield* register(body)
        expectRefused(answer, 400, "invalid_request")
        expect(textOf(answer, "message")).toStartWith(`${field}: `)
        expect(answer.text).not.toContain("seven77")
      }
    }))
})

describe("POST /api/v1/auth/login", () => {
  it("answers tokens and the user", () =>
    Effect.gen(function* () {
      const { someone, answer } = yield* loggedIn
      expect(answer.status).toBe(200)
      expect(answer.headers.get("cache-control")).toBe("no-store")
      expect(json(answer)).toEqual({
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 1800,
        refresh_token: expect.any(String),
        user: { id: expect.stringMatching(/^usr_/), email: someone.email, company_name: "Acme", role: "buyer" }
      })
    }))

  it("refuses a wrong password and an unknown email alike, and a suspended account", () =>
    Effect.gen(function* () {
      const { someone, answer } = yield* loggedIn
      const wrong = yield* login(someone.email, "wrong password")
      const unknown = yield* login("nobody@example.com", PASSWORD)
      expectRefused(wrong, 401, "unauthorized")
      expect(unknown.text).toBe(wrong.text)
      const { id } = json(answer)["user"] as { readonly id: string }
      yield* Effect.flatMap(Users, ({ setStatus }) => setStatus(id, "suspended"))
      expectRefused(yield* login(someone.email, PASSWORD), 403, "access_denied")
    }))

  it("sets the session's cookie, out of reach of scripts and other sites", () =>
    Effect.gen(function* () {
      const { someone, answer } = yield* loggedIn
      const set = /^emporion_session=[\w-]{64}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(set)])
      const older = yield* ask("/v1/authenticate", post({ email: someone.email, password: PASSWORD }))
      expect(older.headers.getSetCookie()).toEqual([expect.stringMatching(set)])
      const wrong = yield* login(someone.email, "wrong password")
      expect(wrong.headers.getSetCookie()).toEqual([])
    }))

  it("slows down guessing of one account", () =>
    Effect.gen(function* () {
      const { email } = person()
      for (let guess = 0; guess < 5; guess++) expectRefused(yield* login(email, "wrong password"), 401, "unauthorized")
      const answer = yield* login(email, "wrong password")
      expectRefused(answer, 429, "rate_limited")
      expect(answer.headers.get("retry-after")).toBe("1")
    }))
})

describe("POST /api/v1/auth/token", () => {
  it("takes client credentials in JSON, in a form, and by HTTP Basic", () =>
    Effect.gen(function* () {
      const client = yield* robot
      const grant_type = "client_credentials"
      const header = basic(client.client_id, client.client_secret)
      for (const answer of [
        yield* token({ grant_type, ...client }),
        yield* tokenByForm({ grant_type, ...client }),
        yield* token({ grant_type }, header),
        yield* tokenByForm({ grant_type, client_id: client.client_id, scope: "users:read" }, header)
      ]) {
        expect(answer.status).toBe(200)
        expect(answer.headers.get("cache-control")).toBe("no-store")
        expect(Object.keys(json(answer))).toEqual(["access_token", "token_type", "expires_in", "refresh_token"])
        expect(answer.json).toMatchObject({ token_type: "Bearer", expires_in: 1800 })
        expect((yield* record(answer)).status).toBe(200)
      }
    }))

  it("answers each refusal with its code", () =>
    Effect.gen(function* () {
      const client = yield* robot
      const wrong = { ...client, client_secret: "wrong" }
      const grant_type = "client_credentials"
      expectOauthRefused(yield* token({ grant_type, ...wrong }), 401, "invalid_client")
      expectOauthRefused(yield* token({ grant_type, ...client, client_id: "nobody" }), 401, "invalid_client")
      expectOauthRefused(yield* token({ grant_type, ...client, scope: "everything" }), 400, "invalid_scope")
      expectOauthRefused(yield* token({ ...client, grant_type: "password" }), 400, "unsupported_grant_type")
      expectOauthRefused(yield* token({ grant_type }), 400, "invalid_request")
      expectOauthRefused(yield* token({ grant_type, client_id: client.client_id }), 400, "invalid_request")
      expectOauthRefused(yield* token({}), 400, "invalid_request")
      expectOauthRefused(yield* tokenByForm({ grant_type: "refresh_token", refresh_token: "" }), 400, "invalid_request")
      expectOauthRefused(yield* refresh("rt_unknown"), 400, "invalid_grant")
      const both = yield* token({ grant_type, ...client }, basic(client.client_id, client.client_secret))
      expectOauthRefused(both, 400, "invalid_request")
    }))

  it("gives no more than the scope that is asked for", () =>
    Effect.gen(function* () {
      const answer = yield* token({ grant_type: "client_credentials", ...(yield* robot), scope: "orders:read" })
      expectRefused(yield* record(answer), 403, "insufficient_scope")
    }))

  it("tells a client that used HTTP Basic so", () =>
    Effect.gen(function* () {
      const grant_type = "client_credentials"
      for (const headers of [basic("nobody", "wrong"), { authorization: "Basic !" }]) {
        const answer = yield* token({ grant_type }, headers)
        expectOauthRefused(answer, 401, "invalid_client")
        expect(answer.headers.get("www-authenticate")).toBe('Basic realm="emporion"')
      }
    }))

  it("replaces a refresh token at each use", () =>
    Effect.gen(function* () {
      const { answer } = yield* loggedIn
      const second = yield* refresh(textOf(answer, "refresh_token"))
      expect(second.status).toBe(200)
      const third = yield* refresh(textOf(second, "refresh_token"))
      const me = yield* record(third)
      expect(me.status).toBe(200)
    }))
})

describe("POST /api/v1/auth/revoke", () => {
  it("always answers 200, and the token is of no more use", () =>
    Effect.gen(function* () {
      const { answer } = yield* loggedIn
      const refresh_token = textOf(answer, "refresh_token")
      const other = yield* loggedIn
      for (const body of [
        { refresh_token },
        { refresh_token },
        { token: "unknown", token_type_hint: "refresh_token" }
      ]) {
        const revoked = yield* ask("/api/v1/auth/revoke", post(body))
        expect([revoked.status, revoked.json]).toEqual([200, {}])
      }
      const token = textOf(other.answer, "refresh_token")
      const form = yield* ask("/api/v1/auth/revoke", { method: "POST", body: new URLSearchParams({ token }) })
      expect(form.status).toBe(200)
      expectOauthRefused(yield* refresh(refresh_token), 400, "invalid_grant")
      expectOauthRefused(yield* refresh(token), 400, "invalid_grant")
      expectOauthRefused(yield* ask("/api/v1/auth/revoke", post({})), 400, "invalid_request")
    }))
})

describe("POST /v1/logout", () => {
  const REMOVED = "emporion_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"

  const logout = (headers: Readonly<Record<string, string>>) => ask("/v1/logout", { method: "POST", headers })

  it("ends the session of a request from this site, and removes the cookie", () =>
    Effect.gen(function* () {
      const { ofRequest } = yield* Sessions
      const { url } = yield* HttpServer
      const { answer } = yield* loggedIn
      const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";")
      const session = ofRequest("GET", { cookie, origin: undefined, host: undefined })
      for (const headers of [{ cookie }, { cookie, origin: "null" }, { cookie, origin: "https://evil.example" }]) {
        const refused = yield* logout(headers)
        expectRefused(refused, 403, "access_denied")
        expect(refused.headers.getSetCookie()).toEqual([])
      }
      expect(yield* session).toBeDefined()
      for (const headers of [{ cookie, origin: url }, { cookie, origin: url }, {}]) {
        const ended = yield* logout(headers)
        expect([ended.status, ended.json, ended.headers.getSetCookie()]).toEqual([200, {}, [REMOVED]])
      }
      expect(yield* Effect.flip(session)).toMatchObject({ _tag: "SessionEnded" })
    }))

  it("is not begun by a page of another site, whatever its form is made of", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const someone = person()
      yield* register(someone)
      const body = JSON.stringify({ email: someone.email, password: PASSWORD })
      for (const path of ["/api/v1/auth/login", "/v1/authenticate"]) {
        const sent = (init: RequestInit) => ask(path, { method: "POST", ...init })
        const untyped = yield* sent({ body: new Blob([body]) })
        expectRefused(untyped, 415, "unsupported_media_type")
        expect(untyped.headers.getSetCookie()).toEqual([])
        for (const origin of ["null", "https://evil.example", `${url}.evil.example`]) {
          const refused = yield* sent(post(JSON.parse(body), { origin }))
          expectRefused(refused, 403, "access_denied")
          expect(refused.headers.getSetCookie()).toEqual([])
        }
        const own = yield* sent(post(JSON.parse(body), { origin: url }))
        expect([own.status, own.headers.getSetCookie().length]).toEqual([200, 1])
      }
    }))

  it("leaves the tokens alone", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const { answer } = yield* loggedIn
      const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";")
      yield* logout({ cookie, origin: url })
      expect((yield* record(answer)).status).toBe(200)
      expect((yield* refresh(textOf(answer, "refresh_token"))).status).toBe(200)
    }))
})

describe("A page of a listed origin", () => {
  const listed = withLayer(layerWith({ CORS_ORIGINS: "https://app.example.com" }))

  listed("signs in for tokens and begins no session", () =>
    Effect.gen(function* () {
      const someone = person()
      yield* register(someone)
      const { email } = someone
      const headers = { origin: "https://app.example.com" }
      const answer = yield* ask("/api/v1/auth/login", post({ email, password: PASSWORD }, headers))
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
      expect((yield* record(answer)).status).toBe(200)
    })
  )
})

describe("Over https", () => {
  const secured = withLayer(layerWith({ PUBLIC_URL: "https://arena.example.com" }))

  secured("the cookie is of this host alone, and pages of PUBLIC_URL may use it", () =>
    Effect.gen(function* () {
      const { answer } = yield* loggedIn
      const [set = ""] = answer.headers.getSetCookie()
      expect(set).toMatch(
        /^__Host-emporion_session=[\w-]{64}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
      const [cookie = ""] = set.split(";")
      const logout = (origin: string) => ask("/v1/logout", { method: "POST", headers: { cookie, origin } })
      const { url } = yield* HttpServer
      expectRefused(yield* logout(url), 403, "access_denied")
      expect((yield* logout("https://arena.example.com")).status).toBe(200)
    })
  )
})

describe("The older forms", () => {
  it("register an account and authenticate it", () =>
    Effect.gen(function* () {
      const { email } = person()
      const account = {
        email,
        accountName: "Older Ltd",
        firstname: "Ada",
        lastname: "Buyer",
        password: PASSWORD,
        country: "BE",
        city: "Ghent",
        address: "1 High Street"
      }
      const made = yield* ask("/v1/account", post(account))
      expect([made.status, json(made)["company_name"]]).toEqual([200, "Older Ltd"])
      expectRefused(yield* ask("/v1/account", post(account)), 409, "conflict")
      expectRefused(yield* ask("/v1/account", post({ ...account, city: undefined })), 400, "invalid_request")
      const answer = yield* ask("/v1/authenticate", post({ email, password: PASSWORD }))
      const me = yield* record(answer)
      expect(me.json).toMatchObject({
        contact_name: "Ada Buyer",
        address: { street: "1 High Street", city: "Ghent", country: "BE" }
      })
    }))
})

describe("GET /.well-known/jwks.json", () => {
  it("verifies the access tokens", () =>
    Effect.gen(function* () {
      const { answer } = yield* loggedIn
      const keys = yield* ask("/.well-known/jwks.json")
      const verified = yield* Effect.promise(() =>
        jwtVerify(textOf(answer, "access_token"), createLocalJWKSet(keys.json as JSONWebKeySet), {
          audience: "emporion"
        })
      )
      expect(verified.protectedHeader.alg).toBe("EdDSA")
      expect(keys.text).not.toContain('"d"')
    }))
})
