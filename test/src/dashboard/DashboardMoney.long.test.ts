import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { shortId } from "../../../src/dashboard/app/ui/Format.ts"
import { Endpoints } from "../../../src/webhooks/Endpoints.ts"
import { RequestRecorder } from "../../../src/requests/RequestRecorder.ts"
import { launched } from "../../lib/Chromium.ts"
import { DashboardVisit } from "../../lib/DashboardVisit.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { verifiedPerson } from "../../lib/RegisteredPerson.ts"
import { offerGoods } from "../../lib/TestGoods.ts"
import type { TestServer } from "../../lib/TestServer.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"
import { makeDelivery } from "../../lib/WebhookFixture.ts"

const EMAIL = "ada@example.com"
const PASSWORD = "correct horse battery"

/** Orders what is offered, and pays for it: 10 pieces of 2.50 USD. Answers the order's id. */
const ordersAndPays = (visit: DashboardVisit) =>
  Effect.gen(function* () {
    yield* visit.go("/products")
    yield* visit.act(async (page) => {
      await page.getByRole("button", { name: "Order Flour" }).click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Pieces").fill("10")
      await dialog.getByText("$25.00").waitFor()
      await dialog.getByRole("button", { name: "Place order" }).click()
      await page.getByText("You placed the order over $25.00.").waitFor()
      await page.getByRole("button", { name: "Pay", exact: true }).click()
      await page.getByRole("button", { name: "Pay $25.00" }).click()
      await page.getByText("You paid $25.00.").waitFor()
    })
    expect(yield* visit.violations).toEqual([])
    return yield* visit.act(async (page) => page.url().replace(/^.*\//, ""))
  })

/** Sends 100 USD as EUR at a rate that is held, and reads the statement as CSV. */
const sendsMoney = (visit: DashboardVisit, to: string) =>
  Effect.gen(function* () {
    yield* visit.go("/transfers")
    yield* visit.act(async (page) => {
      await page.getByRole("button", { name: "Send money" }).first().click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("User id").fill(to)
      await dialog.getByLabel("Amount").fill("100")
      await dialog.getByLabel("They get").selectOption("EUR")
      await dialog.getByLabel("Your country").fill("BE")
      await dialog.getByRole("button", { name: "See the rate" }).click()
      await dialog.getByText(/Held for 0[01]:/).waitFor()
      await dialog.getByRole("button", { name: "Send $100.00" }).click()
      await page.getByText("USD/EUR at").waitFor()
    })
    yield* visit.go("/funds")
    yield* visit.act((page) => page.getByRole("link", { name: "USD", exact: true }).click())
    const csv = yield* visit.act(async (page) => {
      await page.getByText("Exchanged out").waitFor()
      await page.getByText("Order paid").waitFor()
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download CSV" }).click()
      ])
      return Bun.file((await file.path()) ?? "").text()
    })
    expect(csv.split("\r\n")[0]).toStartWith("created_at,type,quantity,balance,purpose")
    expect(csv).toContain(",USD,-100,875,exchange,")
    expect(yield* visit.violations).toEqual([])
  })

const asksForCredit = (visit: DashboardVisit) =>
  Effect.gen(function* () {
    yield* visit.go("/credit")
    yield* visit.act(async (page) => {
      await page.getByText("You have no score yet").waitFor()
      await page.getByRole("button", { name: "Request credit" }).first().click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Annual income (USD)").fill("85000")
      await dialog.getByLabel("Amount (USD)").fill("12000")
      await dialog.getByLabel("Years in your employment").fill("6")
      await dialog.getByRole("button", { name: "See my score" }).click()
      await page.getByRole("heading", { name: "How it adds up" }).waitFor()
    })
    const points = yield* visit.act((page) => page.locator(".points-value").allTextContents())
    const figures = points.map((text) => Number(text.replace("−", "-").replace("+", "")))
    expect(figures.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBe(figures.at(-1) ?? 0)
    expect(yield* visit.violations).toEqual([])
  })

const PAGES = ["/products", "/orders", "/funds", "/transfers", "/credit", "/webhooks"]

/** Each page in every look: nothing that axe finds serious, nothing wider than the window. */
const looks = (visit: DashboardVisit, paths: ReadonlyArray<string>) =>
  Effect.forEach(paths, (path) =>
    Effect.gen(function* () {
      yield* visit.go(path)
      expect([path, yield* visit.violations, yield* visit.overflow]).toEqual([path, [], 0])
    })
  )

/** Pages of one thing, where there is none. */
const MISSING = [
  ["/requests/none", "Requests"],
  ["/webhooks/none", "Webhooks"],
  ["/webhooks/none/deliveries/none", "Webhooks"],
  ["/orders/none", "Orders"],
  ["/funds/none", "Funds"],
  ["/payments/none", "Payments"],
  ["/subscriptions/none", "Subscriptions"],
  ["/price-lists/none", "Price lists"]
] as const

/** A page of nothing has a title and leads back, and asks nobody to try in vain again. */
const showsTheWayBack = (visit: DashboardVisit) =>
  Effect.forEach(MISSING, ([path, list]) =>
    Effect.gen(function* () {
      yield* visit.go(path)
      const shown = yield* visit.act(async (page) => ({
        said: await page.getByRole("alert").count(),
        back: await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").innerText(),
        again: await page.getByRole("button", { name: "Try again" }).count()
      }))
      expect([path, shown]).toEqual([path, { said: 1, back: list, again: 0 }])
    })
  )

/** From a delivery to the phases of the commit that caused it: two clicks. */
const leadsToItsCause = (visit: DashboardVisit, webhookId: string) =>
  Effect.gen(function* () {
    yield* visit.go(`/webhooks/${webhookId}`)
    yield* visit.act(async (page) => {
      await page.getByRole("link", { name: "order.created" }).click()
      await page.getByRole("link", { name: "POST /v1/orders", exact: true }).click()
      await page.getByText("Phases of its commit").waitFor()
    })
    expect(yield* visit.overflow).toBe(0)
  })

/** Adds an endpoint without its dialog; answers its id. */
const endpoint = (server: TestServer, as: string, url: string) =>
  Effect.map(
    server.post<{ readonly id: string }>("/v1/webhooks", { url, events: ["*"], description: "Sync" }, { as }),
    ({ json }) => json.id
  )

describe("Commerce and money in a browser", () => {
  it("an order is paid and delivered, money is sent, credit is scored", () =>
    Effect.gen(function* () {
      const fixture = yield* DeliveryFixture.make()
      const { server } = fixture
      const browser = yield* launched
      const visit = yield* DashboardVisit.begin(browser, server.url)
      yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
      const person = yield* verifiedPerson(server, EMAIL, 1_000)
      const seller = yield* server.user()
      const webhookId = yield* endpoint(server, person.id, "http://127.0.0.1:9/hooks")
      yield* offerGoods(server, { userId: seller.id, companyId: seller.companyId }, 100)

      const orderId = yield* ordersAndPays(visit)
      yield* server.post(`/v1/orders/${orderId}/fulfil`, undefined, { as: seller.id })
      yield* visit.act((page) => page.getByText(`${shortId(seller.companyId)} delivered its items.`).waitFor())
      yield* sendsMoney(visit, seller.id)
      yield* asksForCredit(visit)
      expect(visit.complaints).toEqual([])

      const narrow = yield* DashboardVisit.begin(browser, server.url, { dark: true, width: 390 })
      yield* narrow.signIn(EMAIL, PASSWORD)
      yield* server.get(`/v1/${"nowhere/".repeat(30)}`, person.id)
      yield* server.service(RequestRecorder).flush
      const { json: logged } = yield* server.get<ReadonlyArray<{ readonly id: string }>>("/v1/requests", person.id)
      const requests = logged.slice(0, 2).map(({ id }) => `/requests/${id}`)
      yield* looks(narrow, [...PAGES, `/orders/${orderId}`, "/requests", ...requests])
      yield* showsTheWayBack(narrow)
      yield* fixture.tell()
      yield* leadsToItsCause(narrow, webhookId)
      expect(narrow.complaints).toEqual([])
      expect(person.company_id).not.toBe(seller.companyId)
    }))
})

describe("An endpoint in a browser", () => {
  it("is tried, retried in bulk, rotated, disabled, enabled, and refused at a private address", () =>
    Effect.gen(function* () {
      const fixture = yield* DeliveryFixture.make()
      const { server } = fixture
      const receiver = yield* webhookReceiver()
      const visit = yield* DashboardVisit.begin(yield* launched, server.url)
      yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
      const person = yield* verifiedPerson(server, EMAIL, 1_000)
      const id = yield* endpoint(server, person.id, receiver.url)
      yield* makeDelivery(server, person.company_id, id, { status: "held", type: "order.cancelled", attempts: [] })
      yield* makeDelivery(server, person.company_id, id, { status: "failed" })
      const attempts = [{ status: null, url: `https://example.com/${"receiver-of-a-shop/".repeat(9)}` }]
      const unanswered = yield* makeDelivery(server, person.company_id, id, { status: "failed", attempts })
      yield* visit.go(`/webhooks/${id}`)
      yield* visit.act(async (page) => {
        await page.getByRole("button", { name: "Send test event" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByLabel("Event").selectOption("credit.score_updated")
        await dialog.getByRole("button", { name: "Send test event" }).click()
        await dialog.getByText("Delivered", { exact: true }).waitFor()
        await dialog.getByRole("button", { name: "Close" }).last().click()
      })
      expect(receiver.received.at(-1)?.body).toContain("credit.score_updated")
      yield* visit.act(async (page) => {
        await page.getByRole("button", { name: "Held" }).click()
        await page.getByRole("link", { name: "order.cancelled" }).click()
        await page.getByText("The day's deliveries are used up", { exact: true }).waitFor()
        await page.goBack()
        await page.getByRole("button", { name: "Retry failed" }).click()
        await page.getByRole("dialog").getByLabel("Which failed").selectOption("all")
        await page.getByRole("button", { name: "Retry them" }).click()
        await page.getByText("2 deliveries are tried again.").waitFor()
      })
      yield* fixture.round()
      yield* fixture.until((all) => all.filter(({ status }) => status === "delivered").length === 2)
      const rotated = yield* visit.act(async (page) => {
        await page.getByRole("button", { name: "Rotate secret" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click()
        const secret = await page.locator(".copy-field code").textContent()
        await page.getByRole("button", { name: "I have kept it" }).click()
        await page.getByText("Several secrets sign").waitFor()
        return secret
      })
      expect(rotated).toStartWith("whsec_")
      yield* visit.act((page) => page.setViewportSize({ width: 390, height: 900 }))
      yield* visit.go(`/webhooks/${id}/deliveries/${unanswered}`)
      expect(yield* visit.overflow).toBe(0)
      yield* visit.act((page) => page.setViewportSize({ width: 1440, height: 900 }))
      yield* visit.go(`/webhooks/${id}`)
      yield* visit.act(async (page) => {
        await page.getByRole("button", { name: "Disable" }).click()
        await page.getByText("This endpoint is disabled").waitFor()
        await page.getByRole("button", { name: "Enable" }).click()
        await page.getByText("This endpoint is disabled").waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Edit" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByLabel("URL").fill("https://10.0.0.5/hooks")
        await dialog.getByRole("button", { name: "Save" }).click()
        await dialog.getByRole("alert").getByText("private address").waitFor()
      })
      yield* server.run(Effect.flatMap(Endpoints, ({ disableFailing }) => disableFailing(id, server.world.now)))
      yield* visit.go("/")
      yield* visit.act(async (page) => {
        await page.getByText("An endpoint was disabled after failing for 5 days").waitFor()
        await page.getByRole("link", { name: "See why" }).click()
        await page.getByText("Disabled after failing for 5 days").waitFor()
      })
      expect(yield* visit.violations).toEqual([])
      expect(visit.complaints).toEqual([])
    }))
})
