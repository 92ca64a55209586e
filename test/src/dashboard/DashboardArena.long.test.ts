import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { launched } from "../../lib/Chromium.ts"
import { DashboardVisit } from "../../lib/DashboardVisit.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import type { TestServer } from "../../lib/TestServer.ts"

const EMAIL = "ada@example.com"
const PASSWORD = "correct horse battery"

interface Person {
  readonly id: string
  readonly email: string | null
  readonly company_id: string
}

/** Somebody who registered in the browser, and has 2,000 USD, a wallet and a plan with bots since. */
const equipped = (server: TestServer) =>
  Effect.gen(function* () {
    const admin = yield* server.admin
    const { json } = yield* server.get<ReadonlyArray<Person>>("/v1/users?limit=100", admin)
    const person = json.find(({ email }) => email === EMAIL)
    if (person === undefined) return yield* Effect.die("nobody registered")
    yield* server.request("PUT", `/v1/companies/${person.company_id}/plan`, { plan: "pro" }, { as: admin })
    yield* server.request("PUT", "/api/v1/users/me", { wallet_address: `0x${"2".repeat(40)}` }, { as: person.id })
    yield* server.post("/v1/funds", { owner: person.id, type: "USD", symbol: "2000" }, { as: person.id })
    return person
  })

const passes = (server: TestServer, seconds: number) =>
  Effect.forEach(Array.from({ length: seconds / 10 }), () => server.tick(10_000), { discard: true })

/** Commits to the order on a currency, sees it win, and makes the choice again. */
const watches = (visit: DashboardVisit, server: TestServer, orderId: string) =>
  Effect.gen(function* () {
    yield* visit.go("/arena")
    yield* visit.act(async (page) => {
      await page.getByText("Live", { exact: true }).waitFor()
      await page.locator(`a.order-card[href$="${orderId}"]`).click()
      await page.getByText("No bids yet").waitFor()
      await page.getByLabel("Quantity").fill("10")
      await page.getByRole("button", { name: "Commit", exact: true }).click()
      await page.getByText("1 by people, 0 by machines").waitFor()
    })
    expect(yield* visit.violations).toEqual([])
    yield* passes(server, 180)
    yield* visit.act(async (page) => {
      await page.getByRole("heading", { name: "Settlement" }).waitFor()
      await page.getByText("Won", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Redo the choice" }).click()
      await page.getByText("The choice holds").waitFor()
      await page.getByRole("button", { name: "Falsify a figure and check again" }).click()
      await page.getByText("The choice does not hold").waitFor()
    })
    expect(yield* visit.violations).toEqual([])
    return yield* visit.act(async (page) => new URL(page.url()).pathname.replace("/dashboard", ""))
  })

/** Is told what a bot needs, each with a way to it, before there is a plan, a wallet or money. */
const lacks = (visit: DashboardVisit) =>
  Effect.gen(function* () {
    yield* visit.go("/bots/new")
    yield* visit.act(async (page) => {
      const needs = page.locator(".step:not(.done)")
      await needs.first().waitFor()
      const titles = await needs.locator(".step-title").allTextContents()
      expect(titles).toEqual(["A plan with bots", "A linked wallet", "US dollars for its collateral"])
      expect(await page.getByRole("button", { name: "Create bot" }).isDisabled()).toBe(true)
      await needs.filter({ hasText: "A linked wallet" }).getByRole("link", { name: "Open" }).click()
      await page.getByRole("heading", { name: "Company and profile" }).waitFor()
    })
  })

/** In how many seconds all bots are paused; undefined for never. */
const guardSeconds = (server: TestServer, as: string) =>
  Effect.map(
    server.get<{ readonly pauses_at: string | null }>("/api/arena/machine-traders/cancel-after", as),
    ({ json }) => (json.pauses_at === null ? undefined : (Date.parse(json.pauses_at) - server.world.now) / 1_000)
  )

/** Makes a bot, starts it, tries an order, has its decision explained, and stops all bots. */
const steers = (visit: DashboardVisit, server: TestServer, as: string) =>
  Effect.gen(function* () {
    yield* visit.go("/bots")
    yield* visit.act(async (page) => {
      await page.getByRole("link", { name: "Make the first bot" }).click()
      await page.getByLabel("Name", { exact: true }).fill("Tortoise")
      await page.getByText("Aggressive").click()
      await page.getByRole("button", { name: "Create bot" }).click()
      await page.getByRole("button", { name: "Start", exact: true }).click()
      await page.getByText("Active", { exact: true }).waitFor()
    })
    const path = yield* visit.act(async (page) => new URL(page.url()).pathname.replace("/dashboard", ""))
    yield* visit.act(async (page) => {
      await page.getByRole("button", { name: "Try an order" }).click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Order").waitFor()
      await dialog.getByRole("button", { name: "Evaluate" }).click()
      await dialog.getByText("Expected profit", { exact: true }).waitFor()
      await dialog.getByText("1 credit", { exact: true }).waitFor()
    })
    expect(yield* visit.violations).toEqual([])
    yield* visit.act(async (page) => {
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click()
      await page.getByRole("button", { name: /^How/ }).first().click()
      await page.getByRole("dialog").getByText("Fair price", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Decide again in this browser" }).click()
      await page.getByText("The same decision").waitFor()
    })
    expect(yield* visit.violations).toEqual([])
    yield* visit.go("/bots")
    yield* visit.act(async (page) => {
      await page.getByRole("button", { name: "Pause all" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Pause all bots" }).click()
      await page.getByText("Paused", { exact: true }).waitFor()
      await page.getByLabel("Pause all bots after").selectOption({ label: "8 hours" })
      await page.getByRole("button", { name: "Turn on" }).click()
      await page.getByText("until all bots pause").waitFor()
    })
    expect(yield* guardSeconds(server, as)).toBe(8 * 60 * 60)
    expect(yield* visit.violations).toEqual([])
    yield* visit.act(async (page) => {
      await page.getByRole("button", { name: "Turn off" }).click()
      await page.getByRole("button", { name: "Turn on" }).waitFor()
    })
    expect(yield* guardSeconds(server, as)).toBeUndefined()
    return path
  })

const PAGES = ["/arena", "/commitments", "/leaderboard", "/vault", "/bots", "/bots/new"]

describe("The arena in a browser", () => {
  it("an order is watched until it settles, its winner is checked, a bot is steered", () =>
    Effect.gen(function* () {
      const { order: opened, server } = yield* openedArena()
      const browser = yield* launched
      const visit = yield* DashboardVisit.begin(browser, server.url)
      yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
      yield* lacks(visit)
      const person = yield* equipped(server)
      const order = yield* watches(visit, server, opened.order_id)
      const bot = yield* steers(visit, server, person.id)
      expect(visit.complaints).toEqual([])

      const narrow = yield* DashboardVisit.begin(browser, server.url, { dark: true, width: 390 })
      yield* narrow.signIn(EMAIL, PASSWORD)
      for (const path of [...PAGES, order, bot]) {
        yield* narrow.go(path)
        expect([path, yield* narrow.violations, yield* narrow.overflow]).toEqual([path, [], 0])
      }
      expect(narrow.complaints).toEqual([])
    }))
})
