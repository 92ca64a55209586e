import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from "jose"
import type { JWTPayload } from "jose"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { SeededClient } from "../../../src/identity/clients/SeededClient.ts"
import { ALGORITHM, SigningKeys } from "../../../src/identity/tokens/SigningKeys.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/IdentityServer.ts"
import { type Answer, post, send } from "../../lib/Requests.ts"

const it = withLayer(layer)

type Json = Readonly<Record<string, unknown>>
const json = (answer: Answer): Json => ({ ...(answer.json as Json) })

const ask = (path: string, init?: RequestInit): Effect.Effect<Answer, never, HttpServer> =>
  Effect.flatMap(HttpServer, ({ url }) => send(`${url}${path}`, init))

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

const robot = Effect.map(SeededClient, ({ credentials }) => ({
  client_id: credentials?.clientId ?? "",
  client_secret: Redacted.value(credentials?.secret ?? Redacted.make(""))
}))

const tokens = Effect.gen(function* () {
  const answer = yield* ask("/api/v1/auth/token", post({ grant_type: "client_credentials", ...(yield* robot) }))
  const { access_token, refresh_token } = json(answer)
  return { access: String(access_token), refresh: String(refresh_token) }
})

const refresh = (refresh_token: string) =>
  Effect.flatMap(robot, (client) =>
    ask("/api/v1/auth/token", post({ grant_type: "refresh_token", refresh_token, ...client }))
  )

describe("An access token", () => {
  it("that is forged, expired, unsigned, of another issuer, audience or key is refused with its challenge", () =>
    Effect.gen(function* () {
      const { access } = yield* tokens
      const claims = decodeJwt(access)
      const { kid, privateKey } = yield* Effect.flatMap(SigningKeys, ({ current }) => current)
      const other = yield* Effect.promise(() => generateKeyPair(ALGORITHM))
      const header = { alg: ALGORITHM, typ: "at+jwt", kid }
      const signed = (change: JWTPayload, key = privateKey) =>
        Effect.promise(() => new SignJWT({ ...claims, ...change }).setProtectedHeader(header).sign(key))
      const [head = "", body = "", signature = ""] = access.split(".")
      const admin = Buffer.from(JSON.stringify({ ...claims, role: "admin" })).toString("base64url")
      expect((yield* ask("/api/v1/users/me", bearer(yield* signed({})))).status).toBe(200)
      const refused = {
        forged: `${head}.${admin}.${signature}`,
        expired: yield* signed({ exp: Number(claims.iat) - 1, iat: Number(claims.iat) - 1801 }),
        "alg none": new UnsecuredJWT(claims).encode(),
        unsigned: `${head}.${body}.`,
        "another issuer": yield* signed({ iss: "https://elsewhere.example" }),
        "another audience": yield* signed({ aud: "elsewhere" }),
        "another key": yield* signed({}, other.privateKey),
        "a refresh token": (yield* tokens).refresh
      }
      for (const [what, token] of Object.entries(refused)) {
        for (const path of ["/api/v1/users/me", "/v1/users"]) {
          const method = path === "/v1/users" ? "POST" : "GET"
          const answer = yield* ask(path, { method, ...bearer(token) })
          expect([what, answer.status, json(answer)["code"]]).toEqual([what, 401, "unauthorized"])
          expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"')
          expect(answer.headers.get("cache-control")).toBe("no-store")
        }
      }
    }))

  it("is never taken from a URL, a body or a cookie", () =>
    Effect.gen(function* () {
      const { access } = yield* tokens
      const elsewhere: ReadonlyArray<readonly [string, RequestInit]> = [
        [`?access_token=${access}`, {}],
        [`?token=${access}`, {}],
        [`?authorization=Bearer%20${access}`, {}],
        ["", { headers: { cookie: `access_token=${access}; emporion_session=${access}` } }],
        ["", { method: "PUT", body: new URLSearchParams({ access_token: access }) }],
        ["", { headers: { "x-access-token": access } }],
        ["", { headers: { authorization: access } }]
      ]
      for (const [query, init] of elsewhere) {
        const answer = yield* ask(`/api/v1/users/me${query}`, init)
        expect([query, answer.status]).toEqual([query, 401])
        expect(answer.headers.get("www-authenticate")).toBe("Bearer")
      }
    }))
})

describe("A refresh token", () => {
  it("of a client is of no use without the client's secret", () =>
    Effect.gen(function* () {
      const { refresh: refresh_token } = yield* tokens
      const { client_id } = yield* robot
      for (const more of [{}, { client_id }, { client_id, client_secret: "" }, { client_id, client_secret: "wrong" }]) {
        const refused = yield* ask("/api/v1/auth/token", post({ grant_type: "refresh_token", refresh_token, ...more }))
        expect([refused.status, json(refused)["error"]]).toEqual([401, "invalid_client"])
      }
      expect((yield* refresh(refresh_token)).status).toBe(200)
    }))

  it("used by fifty callers at once has one successor", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const first = (yield* tokens).refresh
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => refresh(first)),
        { concurrency: "unbounded" }
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      const next = String(json(answers[0] as Answer)["refresh_token"])
      const live = yield* sql`
        SELECT t.family_id FROM refresh_tokens t
        WHERE t.rotated_at IS NULL AND t.family_id = (
          SELECT family_id FROM refresh_tokens WHERE hash = sha256(${first}::bytea))`
      expect(live).toHaveLength(1)
      expect((yield* refresh(next)).status).toBe(200)
    }))

  it("used again after its grace ends the whole sign-in", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const first = (yield* tokens).refresh
      const second = String(json(yield* refresh(first))["refresh_token"])
      const third = String(json(yield* refresh(second))["refresh_token"])
      yield* sql`
        UPDATE refresh_tokens SET issued_at = issued_at - 10001, rotated_at = rotated_at - 10001
        WHERE hash = sha256(${first}::bytea)`
      const reused = yield* refresh(first)
      expect([reused.status, json(reused)["error"]]).toEqual([400, "invalid_grant"])
      for (const token of [second, third]) expect((yield* refresh(token)).status).toBe(400)
    }))
})
