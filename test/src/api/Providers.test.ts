import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { withLayer } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

/** Signing in elsewhere (4.1), as a program without a browser does it in the sandbox. */

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

interface Tokens {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly code?: string
}

/** The page's field with the state, which a program reads as well as a person's browser sends it. */
const stateOf = (page: string): string => /name="state" value="([^"]+)"/.exec(page)?.[1] ?? ""

const locationOf = ({ headers }: { readonly headers: Headers }): URL =>
  new URL(headers.get("location") ?? "", "http://localhost")

/** Sends what the sandbox's page asks for, with the cookies that are given; answers what the redirect carries. */
const consent = Effect.fnUntraced(function* (path: string, state: string, email: string, cookie: string) {
  const server = yield* Server
  const answer = yield* server.request("POST", path, new URLSearchParams({ email, state }).toString(), {
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie
    }
  })
  expect(answer.status).toBe(303)
  return Object.fromEntries(locationOf(answer).searchParams)
})

const pairOf = (headers: Headers): string => headers.get("set-cookie")?.split(";")[0] ?? ""

describe("POST /api/v1/auth/google/callback", () => {
  const PATH = "/api/v1/auth/google/callback"

  const begin = Effect.fnUntraced(function* (email: string) {
    const server = yield* Server
    expect(locationOf(yield* server.get("/auth/google")).pathname).toBe("/api/auth/google")
    const page = yield* server.get("/api/auth/google")
    const state = stateOf(page.text)
    const returned = yield* consent("/api/auth/google", state, email, pairOf(page.headers))
    expect(returned["state"]).toBe(state)
    return { server, state, code: returned["code"] ?? "", cookie: pairOf(page.headers) }
  })

  it("takes {code, state} without our cookie once, answers tokens and sets no cookie", () =>
    Effect.gen(function* () {
      const { code, server, state } = yield* begin("alone@example.com")
      const answer = yield* server.post<Tokens>(PATH, { code, state })
      expect([answer.status, answer.json]).toMatchObject([200, { token_type: "Bearer", expires_in: 1800 }])
      expect(answer.headers.get("set-cookie")).toBeNull()
      const me = { headers: { authorization: `Bearer ${answer.json.access_token}` } }
      const { json } = yield* server.request("GET", "/api/v1/users/me", undefined, me)
      expect(json).toMatchObject({ email: "alone@example.com", status: "pending_kyc" })
      const again = yield* server.post<Tokens>(PATH, { code, state })
      expect([again.status, again.json.code]).toEqual([403, "access_denied"])
    }))

  it("takes {code} with the cookie, as the specification shows it, and sets the session's", () =>
    Effect.gen(function* () {
      const { code, cookie, server } = yield* begin("browser@example.com")
      const answer = yield* server.post<Tokens>(PATH, { code }, { headers: { cookie } })
      expect(answer.status).toBe(200)
      expect(answer.headers.getSetCookie().some((one) => one.startsWith("emporion_session="))).toBe(true)
    }))

  it("refuses neither, a state that was not made here, and one of another sign-in", () =>
    Effect.gen(function* () {
      const { code, server, state } = yield* begin("nobody@example.com")
      const other = yield* begin("other@example.com")
      const at = state.length - 10
      const changed = `${state.slice(0, at)}${state[at] === "A" ? "B" : "A"}${state.slice(at + 1)}`
      for (const body of [{ code }, { code, state: null }, { code, state: "made-up" }, { code, state: changed }]) {
        const answer = yield* server.post<Tokens>(PATH, body)
        expect([answer.status, answer.json.code]).toEqual([403, "access_denied"])
      }
      const crossed = yield* server.post<Tokens>(PATH, { code, state: other.state })
      expect([crossed.status, crossed.json.code]).toEqual([400, "invalid_grant"])
      const page = yield* server.get(`/auth/google/callback?${new URLSearchParams({ code, state })}`)
      expect(page.status).toBe(403)
    }))
})

describe("POST /api/v1/auth/ecommerce/callback", () => {
  const PATH = "/api/v1/auth/ecommerce/callback"

  it("answers tokens for {shop, code} of a shop of the sandbox, and links the shop", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const shop = "demo.myshopify.com"
      const begun = yield* server.get(`/auth/ecommerce?shop=${shop}`)
      const cookie = pairOf(begun.headers)
      const page = locationOf(begun)
      expect(page.pathname).toBe("/api/auth/ecommerce")
      const { text } = yield* server.get(`${page.pathname}${page.search}`)
      const returned = yield* consent("/api/auth/ecommerce", stateOf(text), "owner@demo.example", cookie)
      expect(Object.keys(returned).toSorted()).toEqual(["code", "hmac", "shop", "state", "timestamp"])
      const forged = yield* server.post<Tokens>(PATH, { ...returned, timestamp: "1" }, { headers: { cookie } })
      expect([forged.status, forged.json.code]).toEqual([403, "access_denied"])
      const alone = yield* server.post<Tokens>(PATH, { shop, code: returned["code"] })
      expect([alone.status, alone.json.code]).toEqual([403, "access_denied"])
      const answer = yield* server.post<Tokens>(PATH, { shop, code: returned["code"] }, { headers: { cookie } })
      expect([answer.status, answer.json]).toMatchObject([200, { token_type: "Bearer", expires_in: 1800 }])
      const me = { headers: { authorization: `Bearer ${answer.json.access_token}` } }
      const { json } = yield* server.request("GET", "/api/v1/users/me", undefined, me)
      expect(json).toMatchObject({ email: "owner@demo.example", ecommerce_company_id: shop })
    }))

  it("has no shop of its own in production", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({
        APP_MODE: "production",
        ADMIN_EMAIL: "admin@example.com",
        PUBLIC_URL: "https://example.com"
      })
      expect((yield* server.get("/auth/ecommerce?shop=demo.myshopify.com")).status).toBe(404)
      expect((yield* server.get("/api/auth/ecommerce?shop=demo.myshopify.com&state=x")).status).toBe(404)
    }))
})
