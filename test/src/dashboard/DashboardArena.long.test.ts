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

/** Makes a bot, starts it, has its decision explained, and stops all bots. */
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
    const { json } = yield* server.get<{ readonly orders: ReadonlyArray<{ readonly order_id: string }> }>(
      "/api/arena/orders?status=open&limit=1&asset_type=fx",
      as
    )
    yield* server.post(
      `/api/arena/machine-traders/${path.split("/").at(-1)}/evaluate`,
      { order_id: json.orders[0]?.order_id },
      { as }
    )
    yield* visit.act(async (page) => {
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
    })
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
