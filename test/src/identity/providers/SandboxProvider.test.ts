import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { HttpServer } from "../../../../src/http/HttpServer.ts"
import { PendingSignIns } from "../../../../src/identity/providers/PendingSignIns.ts"
import { SandboxProvider } from "../../../../src/identity/providers/SandboxProvider.ts"
import { Browser } from "../../../lib/Browser.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layer, layerWith } from "../../../lib/IdentityServer.ts"
import { type Answer, post, send } from "../../../lib/Requests.ts"
import { later, registration } from "../../../lib/TestIdentity.ts"
import { Users } from "../../../../src/identity/users/Users.ts"

type Json = Readonly<Record<string, unknown>>
const json = (answer: Answer): Json => ({ ...(answer.json as Json) })
const refusal = (answer: Answer): readonly [number, unknown] => [answer.status, json(answer)["code"]]

const CALLBACK = "/api/v1/auth/google/callback"

/** Through the sandbox's page, up to the callback page. */
const authorize = (browser: Browser, email: string, path = "/auth/google") =>
  Effect.gen(function* () {
    const { url } = yield* HttpServer
    const page = yield* browser.follow(`${url}${path}`)
    const back = yield* browser.submit(page, { email, name: "" }, (to) => to.pathname === "/auth/google/callback")
    return Object.fromEntries(back.url.searchParams) as { readonly code: string; readonly state: string }
  })

const exchange = (browser: Browser, body: Json, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(HttpServer, ({ url }) => browser.ask(`${url}${CALLBACK}`, post(body, headers)))

let people = 0
const newEmail = () => {
  people += 1
  return `sandbox-${people}@example.com`
}

describe("The sandbox's own provider", () => {
  const it = withLayer(layer)

  it("asks who to sign in as, on a page that runs no script", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const page = yield* new Browser().follow(`${url}/auth/google?return_to=%2Fhere`)
      expect(page.url.pathname + page.url.search).toBe("/api/auth/google?return_to=%2Fhere")
      expect(page.answer?.status).toBe(200)
      expect(page.answer?.headers.get("content-type")).toBe("text/html; charset=utf-8")
      expect(page.answer?.headers.get("content-security-policy")).toStartWith("default-src 'none'; form-action 'self' ")
      expect(page.answer?.headers.getSetCookie()).toHaveLength(1)
    }))

  it("signs in whoever has no account of another kind, as the same user each time", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const email = newEmail()
      const [first, second] = [new Browser(), new Browser()]
      const one = yield* exchange(first, yield* authorize(first, email))
      const two = yield* exchange(second, yield* authorize(second, email.toUpperCase(), "/api/auth/google"))
      const ids = yield* Effect.forEach([one, two], (answer) =>
        send(`${url}/api/v1/users/me`, { headers: { authorization: `Bearer ${String(json(answer)["access_token"])}` } })
      )
      expect(ids.map((answer) => json(answer)["email"])).toEqual([email, email])
      expect(json(ids[0] as Answer)["id"]).toBe(json(ids[1] as Answer)["id"])
      const sql = yield* SqlClient
      expect(yield* sql`SELECT email_verified_at FROM users WHERE email = ${email}`).toEqual([
        { email_verified_at: null }
      ])
    }))

  it("gets nobody into an account that has a password, verified or not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { email } = yield* Effect.flatMap(Users, ({ register }) => register(registration()))
      for (const verified of [null, 1n]) {
        yield* sql`UPDATE users SET email_verified_at = ${verified} WHERE email = ${email ?? ""}`
        const browser = new Browser()
        const answer = yield* exchange(browser, yield* authorize(browser, email ?? ""))
        expect(refusal(answer)).toEqual([403, "access_denied"])
      }
    }))

  it("gives codes for one sign-in, used once", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const [victim, attacker] = [new Browser(), new Browser()]
      yield* authorize(victim, newEmail())
      const stolen = yield* authorize(attacker, newEmail())
      expect(refusal(yield* exchange(victim, { code: stolen.code }))).toEqual([400, "invalid_grant"])
      const cookie = attacker.cookieHeader(new URL(url)) ?? ""
      const answers = yield* Effect.all(
        [1, 2, 3, 4, 5].map(() => exchange(new Browser(), stolen, { cookie })),
        { concurrency: "unbounded" }
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403])
      const guess = new Browser()
      yield* authorize(guess, newEmail())
      expect(refusal(yield* exchange(guess, { code: "guess" }))).toEqual([400, "invalid_grant"])
    }))

  it("takes the form from the browser that asked for it alone", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const [victim, attacker] = [new Browser(), new Browser()]
      const page = yield* attacker.follow(`${url}/api/auth/google`)
      const state = /name="state" value="([^"]*)"/.exec(page.answer?.text ?? "")?.[1] ?? ""
      const form = (browser: Browser, origin: string) =>
        browser.ask(`${url}/api/auth/google`, {
          method: "POST",
          body: new URLSearchParams({ email: newEmail(), state }),
          headers: { origin }
        })
      expect(refusal(yield* form(victim, url))).toEqual([403, "access_denied"])
      expect(refusal(yield* form(attacker, "https://evil.example"))).toEqual([403, "access_denied"])
      expect((yield* form(attacker, url)).status).toBe(303)
    }))

  it("gives codes that live a minute", () =>
    Effect.gen(function* () {
      const { begin } = yield* PendingSignIns
      const { open } = yield* SandboxProvider
      const { pending } = yield* begin("sandbox", "/docs")
      const code = (yield* open?.codeFor({ email: newEmail(), name: undefined }, pending) ?? Effect.succeed("")) ?? ""
      const used = open?.exchange(code, pending) ?? Effect.die("off")
      expect(yield* used).toMatchObject({ mayLink: false, emailVerified: true })
      expect(yield* Effect.flip(later(60_000)(used))).toMatchObject({ _tag: "CodeRefused", reason: "expired" })
    }))
})

describe("In production", () => {
  const it = withLayer(
    layerWith({ APP_MODE: "production", PUBLIC_URL: "https://emporion.example", SANDBOX_TRADERS: "0" })
  )

  it("there is none, and without settings no provider at all", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const answers = [
        yield* send(`${url}/auth/google`),
        yield* send(`${url}/api/auth/google`),
        yield* send(`${url}/api/auth/google`, {
          method: "POST",
          body: new URLSearchParams({ email: newEmail(), state: "x" })
        }),
        yield* send(`${url}/auth/ecommerce?shop=acme.myshopify.com`),
        yield* send(`${url}${CALLBACK}`, post({ code: "x" })),
        yield* send(`${url}/api/v1/auth/ecommerce/callback`, post({ shop: "acme.myshopify.com", code: "x" }))
      ]
      for (const answer of answers) {
        expect(refusal(answer)).toEqual([404, "not_found"])
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    }))
})
