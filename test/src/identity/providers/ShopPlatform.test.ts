import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Browser } from "../../../lib/Browser.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { type Answer, post, send } from "../../../lib/Requests.ts"
import { layer, ProviderFixture, SHOP } from "../../../lib/ProviderFixture.ts"
import { signed } from "../../../lib/ShopServer.ts"

const it = withLayer(layer)

const CALLBACK = "/api/v1/auth/ecommerce/callback"
const PAGE = "/auth/ecommerce/callback"

type Json = Readonly<Record<string, unknown>>
const json = (answer: Answer): Json => ({ ...(answer.json as Json) })
const refusal = (answer: Answer): readonly [number, unknown] => [answer.status, json(answer)["code"]]

type Returned = Readonly<Record<string, string>>

/** Through the shop, up to the callback page. */
const authorize = (browser: Browser, shop = SHOP) =>
  Effect.gen(function* () {
    const { url } = yield* ProviderFixture
    const visit = yield* browser.follow(`${url}/auth/ecommerce?shop=${shop}`, (to) => to.pathname === PAGE)
    return Object.fromEntries(visit.url.searchParams) as Returned
  })

const exchange = (browser: Browser, body: Json, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(ProviderFixture, ({ url }) => browser.ask(`${url}${CALLBACK}`, post(body, headers)))

const page = (browser: Browser, query: URLSearchParams) =>
  Effect.flatMap(ProviderFixture, ({ url }) => browser.ask(`${url}${PAGE}?${query}`))

const me = (answer: Answer) =>
  Effect.flatMap(ProviderFixture, ({ url }) =>
    send(`${url}/api/v1/users/me`, { headers: { authorization: `Bearer ${String(json(answer)["access_token"])}` } })
  )

const shopOf = (id: unknown) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ readonly shop: string }>`
      SELECT ecommerce_company_id AS shop FROM users WHERE id = ${String(id)}`
    return row?.shop
  })

describe("GET /auth/ecommerce", () => {
  it("redirects to the shop alone, with a state that is bound to a cookie", () =>
    Effect.gen(function* () {
      const { shop, url } = yield* ProviderFixture
      const answer = yield* new Browser().ask(`${url}/auth/ecommerce?shop=ACME.myshopify.com&timestamp=1&hmac=x`)
      expect(answer.status).toBe(302)
      const to = Browser.location(answer, url)
      expect([to.origin, to.pathname]).toEqual([shop.url, "/admin/oauth/authorize"])
      expect(Object.fromEntries(to.searchParams)).toEqual({
        client_id: "shop-app",
        redirect_uri: `${url}${PAGE}`,
        state: expect.stringMatching(/^[\w-]{200,2048}$/),
        "grant_options[]": "per-user"
      })
      expect(answer.headers.getSetCookie()).toHaveLength(1)
    }))

  it("refuses what is no shop", () =>
    Effect.gen(function* () {
      const { url } = yield* ProviderFixture
      for (const shop of ["evil.com/.myshopify.com", "evil.com", "a.b.myshopify.com", "acme.myshopify.com.evil.com"]) {
        const answer = yield* send(`${url}/auth/ecommerce?${new URLSearchParams({ shop })}`)
        expect(refusal(answer)).toEqual([400, "invalid_request"])
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    }))
})

describe("POST /api/v1/auth/ecommerce/callback", () => {
  it("exchanges the code at the shop and links the shop to its owner", () =>
    Effect.gen(function* () {
      const { shop } = yield* ProviderFixture
      const browser = new Browser()
      const { code = "" } = yield* authorize(browser)
      const answer = yield* exchange(browser, { shop: SHOP, code })
      expect(answer.status).toBe(200)
      expect(Object.keys(json(answer))).toEqual(["access_token", "token_type", "expires_in", "refresh_token"])
      expect(shop.exchanges.at(-1)).toMatchObject({ client_id: "shop-app", code })
      const first = yield* me(answer)
      expect(first.json).toMatchObject({ email: "owner@shop.example", company_name: SHOP })
      expect(yield* shopOf(json(first)["id"])).toBe(SHOP)
      const other = new Browser()
      const second = yield* me(yield* exchange(other, yield* authorize(other)))
      expect(json(second)["id"]).toBe(json(first)["id"])
    }))

  it("checks the signature over all that is sent, in whatever order", () =>
    Effect.gen(function* () {
      const browser = new Browser()
      const returned = yield* authorize(browser)
      const reversed = Object.fromEntries(Object.entries(returned).reverse())
      for (const change of [{ host: "other" }, { timestamp: "1" }, { hmac: "0".repeat(64) }, { hmac: "x" }]) {
        expect(refusal(yield* exchange(browser, { ...reversed, ...change }))).toEqual([403, "access_denied"])
      }
      const { timestamp: _, ...incomplete } = returned
      expect(refusal(yield* exchange(browser, incomplete))).toEqual([403, "access_denied"])
      expect((yield* exchange(browser, reversed)).status).toBe(200)
    }))

  it("refuses an old signature", () =>
    Effect.gen(function* () {
      const browser = new Browser()
      const { code = "", state = "" } = yield* authorize(browser)
      const old = String(Math.floor((yield* Clock.currentTimeMillis) / 1000) - 301)
      const body = Object.fromEntries(signed({ code, state, shop: SHOP, timestamp: old }))
      expect(refusal(yield* exchange(browser, body))).toEqual([403, "access_denied"])
    }))

  it("needs the cookie, the state and the shop that the sign-in began with", () =>
    Effect.gen(function* () {
      const browser = new Browser()
      const { code = "", state = "" } = yield* authorize(browser)
      const denied: ReadonlyArray<readonly [Browser, Json]> = [
        [new Browser(), { shop: SHOP, code }],
        [new Browser(), { shop: SHOP, code, state }],
        [browser, { shop: SHOP, code, state: "x".repeat(43) }],
        [browser, { shop: "other.myshopify.com", code, state }]
      ]
      for (const [from, body] of denied) expect(refusal(yield* exchange(from, body))).toEqual([403, "access_denied"])
      const evil = yield* exchange(browser, { shop: "evil.com/.myshopify.com", code, state })
      expect(refusal(evil)).toEqual([400, "invalid_request"])
      const { shop } = yield* ProviderFixture
      const before = shop.exchanges.length
      expect((yield* exchange(browser, { shop: SHOP, code, state })).status).toBe(200)
      expect(shop.exchanges.length).toBe(before + 1)
    }))

  it("does not take a sign-in that was begun at the identity provider, nor the other way round", () =>
    Effect.gen(function* () {
      const { url } = yield* ProviderFixture
      const [provider, shop] = [new Browser(), new Browser()]
      yield* provider.ask(`${url}/auth/google`)
      const { code = "" } = yield* authorize(shop)
      expect(refusal(yield* exchange(provider, { shop: SHOP, code }))).toEqual([403, "access_denied"])
      const crossed = yield* shop.ask(`${url}/api/v1/auth/google/callback`, post({ code }))
      expect(refusal(crossed)).toEqual([403, "access_denied"])
    }))

  it("refuses a code that the shop does not know, and everybody but its owner", () =>
    Effect.gen(function* () {
      const { shop } = yield* ProviderFixture
      const guess = new Browser()
      yield* authorize(guess)
      expect(refusal(yield* exchange(guess, { shop: SHOP, code: "guess" }))).toEqual([400, "invalid_grant"])
      const linked = new Browser()
      expect((yield* exchange(linked, yield* authorize(linked))).status).toBe(200)
      const owner = shop.person
      shop.person = { ...owner, id: 2, email: "staff@shop.example", account_owner: false }
      const staff = new Browser()
      const returned = yield* authorize(staff)
      expect(refusal(yield* exchange(staff, returned))).toEqual([400, "invalid_grant"])
      shop.person = { ...owner, id: 3, email: "next@shop.example" }
      const next = new Browser()
      expect(refusal(yield* exchange(next, yield* authorize(next)))).toEqual([403, "access_denied"])
      shop.person = owner
    }))

  it("says so when the shop does not answer as it should", () =>
    Effect.gen(function* () {
      const { shop } = yield* ProviderFixture
      const answers: ReadonlyArray<(request: Request) => Response | Promise<Response>> = [
        () => new Response("not JSON"),
        () => Response.json({ access_token: "x" }),
        () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }),
        () => new Response(null, { status: 500 }),
        () => new Response("x".repeat(2_000_000))
      ]
      for (const broken of answers) {
        const browser = new Browser()
        const returned = yield* authorize(browser)
        shop.broken = broken
        const answer = yield* exchange(browser, returned)
        shop.broken = undefined
        expect(refusal(answer)).toEqual([503, "unavailable"])
        expect(answer.headers.get("retry-after")).toBe("1")
      }
    }))
})

describe("GET /auth/ecommerce/callback", () => {
  it("begins a session for the whole of the shop's signed redirect", () =>
    Effect.gen(function* () {
      const browser = new Browser()
      const query = new URLSearchParams(yield* authorize(browser))
      const unsigned = new URLSearchParams(query)
      unsigned.delete("hmac")
      expect(refusal(yield* page(browser, unsigned))).toEqual([403, "access_denied"])
      const more = new URLSearchParams([...query, ["extra", "1"]])
      expect(refusal(yield* page(browser, more))).toEqual([403, "access_denied"])
      const twice = new URLSearchParams([...query, ["host", "other"]])
      expect(refusal(yield* page(browser, twice))).toEqual([403, "access_denied"])
      const answer = yield* page(browser, query)
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/docs"])
      const { url } = yield* ProviderFixture
      expect(browser.cookieHeader(new URL(url))).toMatch(/^emporion_session=[\w-]{64}$/)
    }))
})
