import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../../src/identity/users/Users.ts"
import { Browser } from "../../../lib/Browser.ts"
import type { Visit } from "../../../lib/Browser.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { type Answer, post, send } from "../../../lib/Requests.ts"
import { layer, ProviderFixture } from "../../../lib/ProviderFixture.ts"

const it = withLayer(layer)

const CALLBACK = "/api/v1/auth/google/callback"
const PAGE = "/auth/google/callback"

const isPage = (url: URL): boolean => url.pathname === PAGE

type Json = Readonly<Record<string, unknown>>
const json = (answer: Answer): Json => ({ ...(answer.json as Json) })
const refusal = (answer: Answer): readonly [number, unknown] => [answer.status, json(answer)["code"]]

/** Through the provider's login and consent, up to the callback page. */
const authorize = (browser: Browser, login: string, path = "/auth/google") =>
  Effect.gen(function* () {
    const { url } = yield* ProviderFixture
    let visit: Visit = yield* browser.follow(`${url}${path}`, isPage)
    if (!isPage(visit.url)) visit = yield* browser.submit(visit, { login, password: "any" }, isPage)
    if (!isPage(visit.url)) visit = yield* browser.submit(visit, {}, isPage)
    return Object.fromEntries(visit.url.searchParams) as { readonly code: string; readonly state: string; iss: string }
  })

const exchange = (browser: Browser, body: Json, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(ProviderFixture, ({ url }) => browser.ask(`${url}${CALLBACK}`, post(body, headers)))

const me = (answer: Answer) =>
  Effect.flatMap(ProviderFixture, ({ url }) =>
    send(`${url}/api/v1/users/me`, { headers: { authorization: `Bearer ${String(json(answer)["access_token"])}` } })
  )

let people = 0
const person = (verified = true) =>
  Effect.map(ProviderFixture, ({ provider }) => {
    people += 1
    const login = `person-${people}`
    const known = { email: `${login}@example.com`, email_verified: verified, name: "Ada Buyer" }
    provider.people.set(login, known)
    return { login, email: known.email }
  })

describe("GET /auth/google", () => {
  it("redirects to the provider with state, nonce and PKCE, bound to an HttpOnly cookie", () =>
    Effect.gen(function* () {
      const { provider, url } = yield* ProviderFixture
      const answer = yield* new Browser().ask(`${url}/auth/google`)
      expect(answer.status).toBe(302)
      const to = Browser.location(answer, url)
      expect(to.origin).toBe(provider.issuer)
      expect(Object.fromEntries(to.searchParams)).toEqual({
        client_id: provider.clientId,
        response_type: "code",
        redirect_uri: `${url}${PAGE}`,
        scope: "openid email profile",
        state: expect.stringMatching(/^[\w-]{200,2048}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: "S256"
      })
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^emporion_sign_in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
      ])
      expect(answer.headers.get("cache-control")).toBe("no-store")
    }))
})

describe("POST /api/v1/auth/google/callback", () => {
  it("answers tokens for the code, and makes the user at the first time alone", () =>
    Effect.gen(function* () {
      const { login, email } = yield* person()
      const browser = new Browser()
      const { code } = yield* authorize(browser, login)
      const answer = yield* exchange(browser, { code })
      expect(answer.status).toBe(200)
      expect(answer.headers.get("cache-control")).toBe("no-store")
      expect(json(answer)).toEqual({
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 1800,
        refresh_token: expect.any(String)
      })
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^emporion_sign_in=; Max-Age=0;/),
        expect.stringMatching(/^emporion_session=[\w-]{64};/)
      ])
      const first = yield* me(answer)
      expect(first.json).toMatchObject({ email, contact_name: "Ada Buyer", role: "buyer", status: "pending_kyc" })
      const other = new Browser()
      const returned = yield* authorize(other, login)
      const second = yield* me(yield* exchange(other, returned))
      expect(json(second)["id"]).toBe(json(first)["id"])
    }))

  it("does without the state and the issuer of the redirect, and refuses others", () =>
    Effect.gen(function* () {
      const { login } = yield* person()
      const wrong: ReadonlyArray<readonly [Json, number, string]> = [
        [{ state: "x".repeat(43) }, 403, "access_denied"],
        [{ iss: "https://evil.example" }, 400, "invalid_grant"]
      ]
      for (const [change, status, code] of wrong) {
        const browser = new Browser()
        const refused = yield* exchange(browser, { ...(yield* authorize(browser, login)), ...change })
        expect(refusal(refused)).toEqual([status, code])
        expect(json(refused)).toMatchObject({ error: code, error_description: expect.any(String) })
        expect(refused.headers.get("set-cookie") ?? "").not.toContain("emporion_session")
      }
    }))

  it("needs the cookie of the browser that began, or the state of its redirect", () =>
    Effect.gen(function* () {
      const { login } = yield* person()
      const browser = new Browser()
      const returned = yield* authorize(browser, login)
      expect(refusal(yield* exchange(new Browser(), { code: returned.code }))).toEqual([403, "access_denied"])
      const forged = yield* exchange(new Browser(), returned, { cookie: `emporion_sign_in=${"A".repeat(200)}` })
      expect(refusal(forged)).toEqual([403, "access_denied"])
      const { code, iss, state } = returned
      const alone = yield* exchange(new Browser(), { code, iss, state })
      expect([alone.status, alone.headers.get("set-cookie")]).toEqual([200, null])
      expect(refusal(yield* exchange(browser, returned))).toEqual([403, "access_denied"])
    }))

  it("refuses the code of another browser's sign-in", () =>
    Effect.gen(function* () {
      const { login } = yield* person()
      for (const withState of ["none", "own", "stolen"]) {
        const victim = new Browser()
        const stolen = yield* authorize(new Browser(), login)
        const own = yield* authorize(victim, login)
        const state = { none: {}, own: { state: own.state }, stolen: { state: stolen.state } }[withState]
        const answer = yield* exchange(victim, { code: stolen.code, ...state })
        expect(refusal(answer)).toEqual(withState === "stolen" ? [403, "access_denied"] : [400, "invalid_grant"])
      }
    }))

  it("is answered once", () =>
    Effect.gen(function* () {
      const { url } = yield* ProviderFixture
      const browser = new Browser()
      const returned = yield* authorize(browser, (yield* person()).login)
      const cookie = browser.cookieHeader(new URL(url)) ?? ""
      const answers = yield* Effect.all(
        [1, 2, 3, 4].map(() => exchange(new Browser(), returned, { cookie })),
        { concurrency: "unbounded" }
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(refusal(yield* exchange(new Browser(), returned, { cookie }))).toEqual([403, "access_denied"])
    }))

  it("is refused to a page of another site", () =>
    Effect.gen(function* () {
      const { url } = yield* ProviderFixture
      const browser = new Browser()
      const returned = yield* authorize(browser, (yield* person()).login)
      for (const origin of ["https://evil.example", "null"]) {
        expect(refusal(yield* exchange(browser, returned, { origin }))).toEqual([403, "access_denied"])
      }
      expect((yield* exchange(browser, returned, { origin: url })).status).toBe(200)
    }))

  it("refuses a mail address that the provider has not verified", () =>
    Effect.gen(function* () {
      const browser = new Browser()
      const returned = yield* authorize(browser, (yield* person(false)).login)
      const answer = yield* exchange(browser, returned)
      expect(refusal(answer)).toEqual([403, "access_denied"])
      expect(json(answer)["message"]).toContain("verified")
    }))

  it("signs in to an account of the same address only when both sides have verified it", () =>
    Effect.gen(function* () {
      const { url } = yield* ProviderFixture
      const sql = yield* SqlClient
      const { login, email } = yield* person()
      const body = { email, password: "correct horse battery", company_name: "Squatters" }
      const registered = yield* send(`${url}/api/v1/auth/register`, post(body))
      const waiting = new Browser()
      expect(refusal(yield* exchange(waiting, yield* authorize(waiting, login)))).toEqual([403, "access_denied"])
      yield* sql`UPDATE users SET email_verified_at = 1 WHERE email = ${email}`
      const browser = new Browser()
      const linked = yield* me(yield* exchange(browser, yield* authorize(browser, login)))
      expect(json(linked)["id"]).toBe(json(registered)["id"])
      const stranger = new Browser()
      const { provider } = yield* ProviderFixture
      provider.people.set(`${login}-unverified`, { email, email_verified: false })
      const refused = yield* exchange(stranger, yield* authorize(stranger, `${login}-unverified`))
      expect(refusal(refused)).toEqual([403, "access_denied"])
    }))

  it("makes one user of a person who comes twice at once", () =>
    Effect.gen(function* () {
      const { login } = yield* person()
      const browsers = [new Browser(), new Browser(), new Browser()]
      const codes = yield* Effect.forEach(browsers, (browser) => authorize(browser, login))
      const answers = yield* Effect.all(
        browsers.map((browser, index) => Effect.flatMap(exchange(browser, codes[index] ?? {}), me)),
        { concurrency: "unbounded" }
      )
      expect(new Set(answers.map((answer) => json(answer)["id"])).size).toBe(1)
    }))

  it("refuses a suspended user", () =>
    Effect.gen(function* () {
      const { login, email } = yield* person()
      const browser = new Browser()
      yield* exchange(browser, yield* authorize(browser, login))
      const users = yield* Users
      const user = yield* users.findByEmail(email)
      yield* users.setStatus(user?.id ?? "", "suspended")
      const answer = yield* exchange(browser, yield* authorize(browser, login))
      expect(refusal(answer)).toEqual([403, "access_denied"])
      expect(answer.text).toContain("suspended")
    }))

  it("names the field that is wrong", () =>
    Effect.gen(function* () {
      for (const body of [{}, { code: "" }, { code: 7 }, { code: "x".repeat(4097) }]) {
        const answer = yield* exchange(new Browser(), body)
        expect(refusal(answer)).toEqual([400, "invalid_request"])
        expect(json(answer)["error_description"]).toStartWith("payload.code: ")
      }
    }))
})

describe("GET /auth/google/callback", () => {
  it("begins a session and goes on to a path of this site alone", () =>
    Effect.gen(function* () {
      const { url } = yield* ProviderFixture
      const browser = new Browser()
      const { login } = yield* person()
      const returned = yield* authorize(browser, login, "/auth/google?return_to=%2Farena%3Fa%3D1")
      const page = `${url}${PAGE}?${new URLSearchParams(returned)}`
      expect(refusal(yield* new Browser().ask(page))).toEqual([403, "access_denied"])
      const answer = yield* browser.ask(page)
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/arena?a=1"])
      expect(browser.cookieHeader(new URL(url))).toMatch(/^emporion_session=[\w-]{64}$/)
      for (const evil of [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "/..//evil.example",
        "/docs/%2e%2e//evil.example",
        "evil",
        "/✓"
      ]) {
        const refused = yield* new Browser().ask(`${url}/auth/google?${new URLSearchParams({ return_to: evil })}`)
        expect(refusal(refused)).toEqual([400, "invalid_request"])
      }
    }))

  it("refuses a person who was refused, and a redirect without its state", () =>
    Effect.gen(function* () {
      const { url } = yield* ProviderFixture
      const browser = new Browser()
      const { code } = yield* authorize(browser, (yield* person()).login)
      expect(refusal(yield* browser.ask(`${url}${PAGE}?error=access_denied`))).toEqual([403, "access_denied"])
      expect(refusal(yield* browser.ask(`${url}${PAGE}?code=${code}`))).toEqual([400, "invalid_request"])
    }))
})
