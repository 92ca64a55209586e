import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { shortId } from "../../../src/dashboard/app/ui/Format.ts"
import { PaymentWorker } from "../../../src/payments/PaymentWorker.ts"
import { launched } from "../../lib/Chromium.ts"
import { DashboardVisit } from "../../lib/DashboardVisit.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { type RegisteredPerson, verifiedPerson } from "../../lib/RegisteredPerson.ts"
import { offerGoods } from "../../lib/TestGoods.ts"
import { TestServer } from "../../lib/TestServer.ts"

const EMAIL = "ada@example.com"
const PASSWORD = "correct horse battery"
const SECOND = 1_000

/** Rounds of the worker that one step of a payment needs at most. */
const ROUNDS = 5

interface Fixture {
  readonly server: TestServer
  readonly visit: DashboardVisit
  readonly person: RegisteredPerson
  /** Sells flour at 2.50 USD a piece. */
  readonly seller: { readonly id: string; readonly companyId: string }
  readonly flour: string
}

const fits = (visit: DashboardVisit) =>
  Effect.gen(function* () {
    expect(yield* visit.violations).toEqual([])
    expect(yield* visit.overflow).toBe(0)
  })

/** Gives the seller's company a price of its own for pallets, and mends it. */
const givesPrices = ({ person, seller, server, visit }: Fixture) =>
  Effect.gen(function* () {
    const pallet = { name: "Pallet space", price: 10, description: "A month", quantity: "500" }
    yield* server.post("/v1/commerce/products", pallet, { as: person.id })
    yield* visit.go("/price-lists")
    yield* visit.act(async (page) => {
      await page.getByText("Every customer pays the listed prices").waitFor()
      await page.getByRole("button", { name: "New price list" }).first().click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Name").fill("Partners")
      await dialog.getByLabel("The customer's company id").fill("cmp_nobody")
      await dialog.getByRole("button", { name: "Create price list" }).click()
      await dialog.getByRole("alert").waitFor()
      await dialog.getByLabel("The customer's company id").fill(seller.companyId)
      await dialog.getByRole("button", { name: "Create price list" }).click()
      await page.getByRole("heading", { name: "Partners" }).waitFor()
      await page.getByRole("button", { name: "Add a price" }).first().click()
      await dialog.getByLabel("Price (USD a piece)").fill("8")
      await dialog.getByText("This is 20% less.").waitFor()
      await dialog.getByRole("button", { name: "Add price" }).click()
      await page.getByRole("button", { name: "Change the price of Pallet space" }).click()
      await dialog.getByLabel("Price (USD a piece)").fill("7.5")
      await dialog.getByRole("button", { name: "Save" }).click()
      await page.getByText("25% less").waitFor()
    })
    yield* fits(visit)
    const { json } = yield* server.get<ReadonlyArray<{ price: number; list_price: number }>>(
      "/v1/commerce/catalog",
      seller.id
    )
    expect(json.map(({ list_price, price }) => [price, list_price])).toEqual([[7.5, 10]])
  })

/** Subscribes to flour, pays a period ahead, and cancels for the end of what is paid. */
const subscribes = ({ visit }: Fixture) =>
  Effect.gen(function* () {
    yield* visit.go("/subscriptions")
    yield* visit.act(async (page) => {
      await page.getByRole("button", { name: "See what is available" }).click()
      await page.getByRole("button", { name: "Subscribe to Flour" }).click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Pieces each period").fill("10")
      await dialog.getByLabel("How often").selectOption("year")
      await dialog.getByLabel("Periods").fill("11")
      await dialog.getByText("A whole number from 1 to 10, or nothing.").waitFor()
      await dialog.getByLabel("Periods").fill("3")
      await dialog.getByText("$25.00 a year").waitFor()
      await dialog.getByRole("button", { name: "Subscribe" }).click()
      await page.getByText("You subscribed and paid $25.00 for the first period.").waitFor()
      await page.getByRole("button", { name: "Pay the next period" }).click()
      await page.getByRole("button", { name: "Pay $25.00" }).click()
      await page.getByText("You paid $25.00 for period 2.").waitFor()
      await page.getByRole("button", { name: "Pay the next period" }).click()
      await page.getByRole("button", { name: "Pay $25.00" }).click()
      await page.getByRole("dialog").getByRole("alert").waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: "Cancel", exact: true }).click()
      await page.getByRole("button", { name: "Cancel subscription" }).click()
      await page.getByText("You set it to end with the period that is paid.").waitFor()
    })
    yield* fits(visit)
  })

/** Orders flour without the browser; answers the order's id. */
const ordered = ({ flour, person, server }: Fixture, quantity: number) =>
  Effect.map(
    server.post<{ readonly id: string }>(
      "/v1/orders",
      {
        company_id: person.company_id,
        items: [{ product_id: flour, quantity }],
        payment_terms: { type: "prepaid" }
      },
      { as: person.id }
    ),
    ({ json }) => json.id
  )

/** Does what is due with payments after so much time. */
const passes = (server: TestServer, millis: number) =>
  Effect.gen(function* () {
    server.world.pass(millis)
    const tick = server.run(Effect.flatMap(PaymentWorker, (worker) => worker.tick))
    for (let round = 0; round < ROUNDS; round++) yield* tick
  })

/** Pays by a card from where it is: an order's page or the list of payments. */
const paysBy = (visit: DashboardVisit, button: string, card: string, amount: string) =>
  visit.act(async (page) => {
    await page.getByRole("button", { name: button, exact: true }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Pay with").selectOption("sandbox-card")
    await dialog.getByLabel("Card").selectOption(card)
    await dialog.getByRole("button", { name: `Pay ${amount}` }).click()
    await page.getByRole("heading", { name: /^Payment pay_/ }).waitFor()
  })

/** A declined card, one whose answer is lost, and one that is disputed and lost. */
const paysByCard = (fixture: Fixture) =>
  Effect.gen(function* () {
    const { server, visit } = fixture
    const order = yield* ordered(fixture, 20)
    yield* visit.go("/payments")
    yield* paysBy(visit, "Pay an order", "4000000000000002", "$50.00")
    yield* visit.act(async (page) => {
      await page.getByText("The bank declined the card. Nothing was taken.").waitFor()
      await page.getByRole("link", { name: "Pay the order anew" }).click()
      await page.getByRole("heading", { name: /^Order pur_/ }).waitFor()
    })
    yield* paysBy(visit, "Pay", "4000000000007106", "$50.00")
    yield* visit.act((page) => page.getByText("The provider has not answered yet").waitFor())
    yield* fits(visit)
    yield* passes(server, SECOND)
    yield* passes(server, 10 * SECOND)
    yield* visit.act((page) => page.getByText("Captured", { exact: true }).waitFor())
    const second = yield* ordered(fixture, 4)
    yield* visit.go(`/orders/${second}`)
    yield* paysBy(visit, "Pay", "4000000000000259", "$10.00")
    yield* passes(server, 61 * SECOND)
    yield* visit.act((page) => page.getByText("The card's holder disputes this payment").waitFor())
    yield* fits(visit)
    yield* passes(server, 200 * SECOND)
    yield* visit.act((page) => page.getByText("The dispute was lost").waitFor())
    return order
  })

describe("Prices, subscriptions and payments in a browser", () => {
  it(
    "a customer gets prices, a product is subscribed to, orders are paid by test cards",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const browser = yield* launched
        const visit = yield* DashboardVisit.begin(browser, server.url)
        yield* visit.register("Northwind Trading", EMAIL, PASSWORD)
        const person = yield* verifiedPerson(server, EMAIL, 1_000)
        const seller = yield* server.user()
        const flour = yield* offerGoods(server, { userId: seller.id, companyId: seller.companyId }, 100)
        const fixture: Fixture = { server, visit, person, seller, flour }
        yield* givesPrices(fixture)
        yield* subscribes(fixture)
        const order = yield* paysByCard(fixture)
        expect(visit.complaints).toEqual([])

        const narrow = yield* DashboardVisit.begin(browser, server.url, { dark: true, width: 390 })
        yield* narrow.signIn(EMAIL, PASSWORD)
        for (const path of ["/price-lists", "/subscriptions", "/payments", `/orders/${order}`]) {
          yield* narrow.go(path)
          yield* fits(narrow)
        }
        yield* narrow.act(async (page) => {
          await page.getByText(shortId(seller.companyId)).first().waitFor({ state: "attached" })
          await page.getByRole("link", { name: "Card 7106" }).click()
          await page.getByRole("heading", { name: /^Payment pay_/ }).waitFor()
        })
        yield* fits(narrow)
        expect(narrow.complaints).toEqual([])
      }),
    120_000
  )
})
