import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Scope } from "effect"
import { launched } from "../../lib/Chromium.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { DashboardVisit } from "../../lib/DashboardVisit.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const EMAIL = "ada@example.com"
const PASSWORD = "correct horse battery"
const PATIENCE = 120_000

/** Pages about the account, with those that nobody has to sign in for. */
const PAGES = ["/", "/clients", "/usage", "/plan", "/account", "/no-such-page"] as const

const OUTSIDE = ["/", "/register", "/forgot", "/reset"] as const

const begin = Effect.gen(function* () {
  const server = yield* TestServer.make()
  const browser = yield* launched
  return { server, browser }
})

const isSeen = (visit: DashboardVisit, heading: string): Effect.Effect<void> =>
  visit.act((page) => page.getByRole("heading", { name: heading, exact: true }).waitFor())

/** Every page fits, is accessible, and complains of nothing. */
const inspected = Effect.fnUntraced(function* (visit: DashboardVisit, paths: ReadonlyArray<string>) {
  for (const path of paths) {
    yield* visit.go(path)
    expect([path, yield* visit.violations]).toEqual([path, []])
    expect([path, yield* visit.overflow]).toEqual([path, 0])
  }
  expect(visit.complaints).toEqual([])
})

const makesClient = Effect.fnUntraced(function* (visit: DashboardVisit) {
  yield* visit.go("/clients")
  yield* visit.act(async (page) => {
    await page.getByRole("button", { name: "Create client" }).first().click()
    await page.getByLabel("Name").fill("Warehouse sync")
    await page.getByRole("dialog").getByRole("button", { name: "Create client" }).click()
  })
  return yield* keepsSecret(visit)
})

/** The client's id and the secret that is shown once. */
const keepsSecret = Effect.fnUntraced(function* (visit: DashboardVisit) {
  yield* visit.act((page) => page.getByRole("heading", { name: "Warehouse sync is ready" }).waitFor())
  expect(yield* visit.violations).toEqual([])
  const [id = "", secret = ""] = yield* visit.act((page) => page.locator(".copy-field code").allTextContents())
  yield* visit.act((page) => page.getByRole("button", { name: "I have kept it" }).click())
  return { id, secret }
})

const tokenOf = (server: TestServer, { id, secret }: { readonly id: string; readonly secret: string }) =>
  server.post("/api/v1/auth/token", { grant_type: "client_credentials", client_id: id, client_secret: secret })

type Test = Effect.Effect<void, never, Scope.Scope>

describe("The dashboard in a browser", () => {
  it(
    "keeps a session over a reload, and ends it",
    (): Test =>
      Effect.gen(function* () {
        const { browser, server } = yield* begin
        const visit = yield* DashboardVisit.begin(browser, server.url)
        yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
        yield* visit.go("/plan")
        yield* isSeen(visit, "Plan and limits")
        expect(yield* visit.act((page) => page.evaluate("document.cookie"))).toBe("")
        yield* visit.act((page) => page.getByRole("button", { name: "Sign out" }).click())
        yield* isSeen(visit, "Sign in")
        yield* visit.go("/account")
        yield* isSeen(visit, "Sign in")
        yield* visit.act(async (page) => {
          await page.getByLabel("Email").fill(EMAIL)
          await page.getByLabel("Password").fill("not this one")
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("alert").waitFor()
          await page.getByLabel("Password").fill(PASSWORD)
          await page.getByRole("button", { name: "Sign in" }).click()
        })
        yield* isSeen(visit, "Company and profile")
        expect(visit.complaints).toEqual([])
      }),
    PATIENCE
  )

  it(
    "makes a client whose secret is good, gives it another one, and deletes it",
    (): Test =>
      Effect.gen(function* () {
        const { browser, server } = yield* begin
        const visit = yield* DashboardVisit.begin(browser, server.url)
        yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
        const client = yield* makesClient(visit)
        expect((yield* tokenOf(server, client)).status).toBe(200)
        yield* visit.act(async (page) => {
          await page.getByRole("button", { name: "Rotate the secret of Warehouse sync" }).click()
          await page.getByRole("button", { name: "Rotate secret", exact: true }).click()
        })
        const rotated = yield* keepsSecret(visit)
        expect([rotated.id, (yield* tokenOf(server, rotated)).status]).toEqual([client.id, 200])
        expect((yield* tokenOf(server, client)).status).toBe(401)
        yield* visit.act(async (page) => {
          await page.getByRole("button", { name: "Delete Warehouse sync" }).click()
          await page.getByRole("button", { name: "Delete client" }).click()
          await page.getByText("No API clients yet").waitFor()
        })
        expect((yield* tokenOf(server, rotated)).status).toBe(401)
        expect(visit.complaints).toEqual([])
      }),
    PATIENCE
  )

  it(
    "is accessible and fits, light and dark, wide and narrow",
    (): Test =>
      Effect.gen(function* () {
        const { browser, server } = yield* begin
        for (const look of [{ width: 1440 }, { width: 390, height: 844, dark: true }]) {
          const visit = yield* DashboardVisit.begin(browser, server.url, look)
          yield* inspected(visit, OUTSIDE)
          if (look.width === 1440) yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
          else yield* visit.signIn(EMAIL, PASSWORD)
          yield* inspected(visit, PAGES)
        }
      }),
    PATIENCE
  )

  it(
    "shows administrators the nodes, accessible, wide and narrow",
    (): Test =>
      Effect.gen(function* () {
        const { browser, server } = yield* begin
        yield* server.run(
          Effect.flatMap(SqlClient, (sql) => sql`CREATE TABLE IF NOT EXISTS cluster_runners (address text)`)
        )
        yield* server.run(Effect.flatMap(SqlClient, (sql) => sql`INSERT INTO cluster_runners VALUES ('10.0.0.7:7100')`))
        const first = yield* DashboardVisit.begin(browser, server.url)
        yield* first.register("Operator", "operator@northwind.example", PASSWORD)
        const [person] = yield* server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql<{ id: string }>`SELECT id FROM users WHERE lower(email) = 'operator@northwind.example'`
          )
        )
        yield* server.run(Effect.flatMap(Users, ({ setRole }) => setRole(person?.id ?? "", "admin")))
        for (const look of [{ width: 1440 }, { width: 390, height: 844, dark: true }]) {
          const visit = yield* DashboardVisit.begin(browser, server.url, look)
          yield* visit.signIn("operator@northwind.example", PASSWORD)
          yield* inspected(visit, ["/nodes"])
          yield* visit.act((page) => page.getByText("10.0.0.7:7100").waitFor())
        }
      }),
    PATIENCE
  )

  it(
    "is gone through by the keyboard alone where it is narrow, and keeps the chosen look",
    (): Test =>
      Effect.gen(function* () {
        const { browser, server } = yield* begin
        const visit = yield* DashboardVisit.begin(browser, server.url, { width: 390, height: 844 })
        yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
        yield* visit.act(async (page) => {
          await page.getByRole("button", { name: "Open the navigation" }).focus()
          await page.keyboard.press("Enter")
          await page.getByRole("dialog").getByRole("link", { name: "Usage" }).focus()
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: "Usage", exact: true }).waitFor()
          await page.getByRole("button", { name: "Use the dark look" }).focus()
          await page.keyboard.press("Enter")
          await page.reload()
          await page.getByRole("button", { name: "Use the light look" }).waitFor()
        })
        const shown = yield* visit.act((page) => page.evaluate("document.documentElement.dataset.theme"))
        expect(shown).toBe("dark")
      }),
    PATIENCE
  )

  it(
    "runs no script and loads nothing but its own",
    (): Test =>
      Effect.gen(function* () {
        const { browser, server } = yield* begin
        const visit = yield* DashboardVisit.begin(browser, server.url)
        const asked: Array<string> = []
        visit.page.on("request", (request) => asked.push(request.url()))
        yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
        yield* visit.go("/usage")
        const { origin } = new URL(server.url)
        expect(asked.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("data:"))).toEqual([])
        yield* visit.act((page) =>
          page.evaluate(
            "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }))"
          )
        )
        expect(yield* visit.act((page) => page.evaluate("window.ran ?? false"))).toBe(false)
        expect(visit.complaints.join(" ")).toContain("Content Security Policy")
      }),
    PATIENCE
  )
})
