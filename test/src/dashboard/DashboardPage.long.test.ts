import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import type { Page } from "playwright-core"
import { ATTEMPT_DELAYS } from "../../../engine/webhooks/DeliverySchedule.ts"
import { launched } from "../../lib/Chromium.ts"
import { DashboardVisit } from "../../lib/DashboardVisit.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { SHORT_SLOTS } from "../../lib/OpenedArena.ts"
import type { TestServer } from "../../lib/TestServer.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"

const EMAIL = "ada@example.com"
const PASSWORD = "correct horse battery"
const WALLET = `0x${"a1".repeat(20)}`
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SHOPS = { ECOMMERCE_CLIENT_ID: "shop", ECOMMERCE_CLIENT_SECRET: "of the shop" }

interface Person {
  readonly id: string
  readonly email: string | null
  readonly company_id: string
}

/** The time, or the next midnight where less than an hour is left: the day's quota begins anew there. */
const withinOneDay = (now: number): number => {
  const midnight = Math.ceil(now / DAY) * DAY
  return midnight - now < HOUR ? midnight : now
}

/** Who registered in the browser. */
const registered = (server: TestServer) =>
  Effect.gen(function* () {
    const { json } = yield* server.get<ReadonlyArray<Person>>("/v1/users?limit=100", yield* server.admin)
    const found = json.find(({ email }) => email === EMAIL)
    return found ?? (yield* Effect.die("nobody registered"))
  })

const seen = (visit: DashboardVisit, text: string | RegExp) =>
  visit.act((page) => page.getByText(text).first().waitFor())

const pressed = (visit: DashboardVisit, name: string) =>
  visit.act((page) => page.getByRole("button", { name, exact: true }).first().click())

/** A client's secret is shown once, and the client stands in the list. */
const makesClient = (visit: DashboardVisit) =>
  Effect.gen(function* () {
    yield* visit.go("/clients")
    yield* pressed(visit, "Create client")
    yield* visit.act(async (page) => {
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Name").fill("Warehouse sync")
      await dialog.getByRole("button", { name: "Create client" }).click()
      await dialog.getByRole("button", { name: "Copy Client secret" }).waitFor()
      await dialog.getByRole("button", { name: "I have kept it" }).click()
      await page.getByRole("table").getByText("Warehouse sync").waitFor()
    })
  })

/** Adds an endpoint for all events, and answers its secret. */
const addsEndpoint = (visit: DashboardVisit, url: string) =>
  Effect.gen(function* () {
    yield* visit.go("/webhooks")
    yield* pressed(visit, "Add endpoint")
    const secret = yield* visit.act(async (page) => {
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("URL").fill(url)
      await dialog.getByLabel("Description").fill("Order sync")
      await dialog.getByRole("button", { name: "Add endpoint" }).click()
      const shown = await dialog.locator(".copy-field code").textContent()
      await dialog.getByRole("button", { name: "I have kept it" }).click()
      await page.getByRole("heading", { name: "Order sync" }).waitFor()
      return shown ?? ""
    })
    yield* visit.settled
    return secret
  })

/** Lets every attempt be made that the schedule allows. */
const exhaust = (fixture: DeliveryFixture) =>
  Effect.forEach(
    ATTEMPT_DELAYS,
    (delay, index) =>
      Effect.gen(function* () {
        fixture.server.world.pass(delay)
        yield* fixture.round()
        yield* fixture.until((all) => all.every(({ attempts }) => attempts > index))
      }),
    { discard: true }
  )

const changesCompany = (server: TestServer, { company_id, id }: Person, name: string) =>
  server.request("PATCH", `/v1/companies/${company_id}`, { name }, { as: id })

const opensNewest = (page: Page) => page.getByRole("link", { name: "company.updated" }).first().click()

/** Sees why a delivery failed, mends the receiver, and retries it. */
const retriesDelivery = (visit: DashboardVisit, fixture: DeliveryFixture, mend: () => void) =>
  Effect.gen(function* () {
    yield* visit.act(async (page) => {
      await opensNewest(page)
      await page.getByText("Why did it fail?").waitFor()
      await page.getByText("The receiver answered 500.").first().waitFor()
      await page.getByText("Failed 5 times. It is not tried again unless you retry it.").waitFor()
      await page.getByLabel("Answer to attempt 5").getByText("database is locked").waitFor()
      expect(await page.locator(".attempt").count()).toBe(ATTEMPT_DELAYS.length)
    })
    expect(yield* visit.violations).toEqual([])
    mend()
    yield* pressed(visit, "Retry")
    yield* seen(visit, "It is tried again")
    yield* fixture.round()
    yield* fixture.until((all) => all.some(({ status }) => status === "delivered"))
    yield* seen(visit, "Delivered at the first attempt.")
    yield* seen(visit, "Round 2, retried by hand")
  })

/** Watches an order of the arena from its opening to its settlement, and checks its winner. */
const watchesOrder = (visit: DashboardVisit, server: TestServer) =>
  Effect.gen(function* () {
    yield* server.tick()
    yield* visit.go("/arena")
    yield* visit.act(async (page) => {
      await page.locator(".order-card", { hasText: "/USD" }).first().click()
      await page.getByRole("heading", { name: "Commit to it" }).waitFor()
      await page.getByRole("button", { name: "Commit", exact: true }).click()
      await page.getByText("Committed").first().waitFor()
    })
    for (let minute = 0; minute < 3; minute++) yield* server.tick(MINUTE)
    yield* visit.act(async (page) => {
      await page.getByRole("heading", { name: "Settlement" }).waitFor()
      await page.getByRole("button", { name: "Redo the choice" }).click()
      await page.getByText("The choice holds").waitFor()
    })
    expect(yield* visit.violations).toEqual([])
  })

/** Is sent to the shop that was named. */
const goesToShop = (visit: DashboardVisit) =>
  Effect.gen(function* () {
    yield* visit.go("/orders")
    yield* visit.act(async (page) => {
      await page.route("**/auth/ecommerce?*", async (route) => {
        const answer = await route.fetch({ maxRedirects: 0 })
        await route.fulfill({ body: `Sent on to ${answer.headers()["location"]}` })
      })
      await page.getByRole("button", { name: "Continue with your shop" }).click()
      await page.getByLabel("Shop").fill("Northwind")
    })
    expect(yield* visit.violations).toEqual([])
    yield* visit.act(async (page) => {
      await page.getByRole("button", { name: "Continue to the shop" }).click()
      await page.getByText(/^Sent on to https:\/\/northwind\.myshopify\.com\/admin\/oauth\/authorize\?/).waitFor()
    })
  })

/** Says what the company is, and where one is reached. */
const fillsProfile = (visit: DashboardVisit, server: TestServer, { company_id, id }: Person) =>
  Effect.gen(function* () {
    yield* visit.go("/account")
    yield* visit.act(async (page) => {
      await page.getByLabel("Tax id").fill("DE 811 907 980")
      await page.getByLabel("City").first().fill("Hamburg")
      await page.getByRole("button", { name: "Save company" }).click()
      await page.getByText("Saved").waitFor()
      await page.getByLabel("Phone", { exact: true }).fill("+49 40 123456")
      await page.getByLabel("City").last().fill("Kiel")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText("Saved").nth(1).waitFor()
    })
    expect(yield* visit.violations).toEqual([])
    expect((yield* server.get(`/v1/companies/${company_id}`, id)).json).toMatchObject({
      tax_id: "DE 811 907 980",
      address: { city: "Hamburg" }
    })
    expect((yield* server.get("/api/v1/users/me", id)).json).toMatchObject({
      phone: "+49 40 123456",
      address: { city: "Kiel" }
    })
  })

/** Makes a bot and starts it. */
const startsBot = (visit: DashboardVisit) =>
  Effect.gen(function* () {
    yield* visit.go("/bots")
    yield* visit.act(async (page) => {
      await page.getByRole("link", { name: "Make the first bot" }).click()
      await page.getByLabel("Name").fill("Tortoise")
      await page.getByLabel("Collateral, USD").fill("100")
      await page.getByRole("button", { name: "Create bot" }).click()
      await page.getByRole("heading", { name: "Tortoise" }).waitFor()
      await page.getByRole("button", { name: "Start" }).click()
      await page.getByRole("button", { name: "Pause" }).waitFor()
    })
    expect(yield* visit.violations).toEqual([])
  })

describe("Somebody new at the dashboard", () => {
  it(
    "makes a client, mends a failed delivery, watches an order settle and starts a bot",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make({ ...SHORT_SLOTS, ...SHOPS })
        const { server } = fixture
        server.world.pass(withinOneDay(yield* Clock.currentTimeMillis) - server.world.now)
        const receiver = yield* webhookReceiver()
        receiver.answer(() => ({ status: 500, body: '{"error":"database is locked"}' }))
        const visit = yield* DashboardVisit.begin(yield* launched, server.url)

        yield* goesToShop(visit)
        yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
        const person = yield* registered(server)
        yield* fillsProfile(visit, server, person)
        yield* makesClient(visit)

        const secret = yield* addsEndpoint(visit, `${receiver.url}/hooks`)
        expect(secret).toStartWith("whsec_")
        yield* changesCompany(server, person, "Northwind")
        yield* fixture.tell()
        yield* exhaust(fixture)
        yield* retriesDelivery(visit, fixture, () => receiver.answer(() => ({ status: 200 })))

        yield* visit.go("/plan")
        yield* seen(visit, "1 of 10,000")
        yield* server.request(
          "PUT",
          `/v1/companies/${person.company_id}/plan`,
          { plan: "pro" },
          { as: yield* server.admin }
        )
        yield* server.request("PUT", "/api/v1/users/me", { wallet_address: WALLET }, { as: person.id })
        yield* server.post("/v1/funds", { owner: person.id, type: "USD", symbol: "10000" }, { as: person.id })
        yield* watchesOrder(visit, server)
        yield* startsBot(visit)
        expect(visit.complaints).toEqual([])
      }),
    120_000
  )
})
