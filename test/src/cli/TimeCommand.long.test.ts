import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { runEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { freePort } from "../../lib/FreePort.ts"
import { type Answer, post, send } from "../../lib/Requests.ts"
import { eventually, type ServerProcess, startServer } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"

const PASSWORD = "a long and new password"
const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

/** How far times on two ways may be apart, in milliseconds: real time goes on meanwhile. */
const SLACK = 10 * 60_000

/** How long a delivery may take, in milliseconds. */
const PATIENCE = 10_000

type Fields = Readonly<Record<string, unknown>>

const fields = ({ json, status, text }: Answer): Fields => {
  expect([status, text]).toEqual([200, text])
  return json as Fields
}

const signInAs = (server: ServerProcess, email: string, password: string) =>
  Effect.map(send(`${server.url}/api/v1/auth/login`, post({ email, password })), (answer) =>
    String(fields(answer)["access_token"])
  )

const ask = (server: ServerProcess, path: string, token: string, body?: Fields) =>
  Effect.map(
    send(
      server.url + path,
      body === undefined ? { headers: { authorization: `Bearer ${token}` } } : post(body, {}, token)
    ),
    fields
  )

/** The demo's person subscribes to a seller's product by the week. */
const subscribed = Effect.fnUntraced(function* (server: ServerProcess) {
  const email = "seller@example.com"
  yield* send(
    `${server.url}/api/v1/auth/register`,
    post({
      email,
      password: PASSWORD,
      first_name: "Ada",
      last_name: "Day",
      company_name: "Seller",
      company_country: "US"
    })
  )
  const seller = yield* signInAs(server, email, PASSWORD)
  const product = yield* ask(server, "/v1/commerce/products", seller, {
    name: "Filters",
    price: 10,
    description: "By the week",
    quantity: "100"
  })
  const buyer = yield* signInAs(server, server.person.name, server.person.secret)
  const [company] = (yield* ask(server, "/v1/companies", buyer)) as unknown as ReadonlyArray<Fields>
  return yield* ask(server, "/v1/subscriptions", buyer, {
    company_id: company?.["id"],
    product_id: product["id"],
    quantity: 1,
    interval: "week"
  })
})

/** The sandbox's client commits to an order that is open; answers which. */
const committed = Effect.fnUntraced(function* (server: ServerProcess) {
  const { name, secret } = server.client
  const grant = { grant_type: "client_credentials", client_id: name, client_secret: secret }
  const token = String(fields(yield* send(`${server.url}/api/v1/auth/token`, post(grant)))["access_token"])
  const { orders } = (yield* ask(server, "/api/arena/orders?limit=1&status=open", token)) as unknown as {
    readonly orders: ReadonlyArray<{ readonly order_id: string; readonly entry_price: number }>
  }
  const [order] = orders
  const price = order?.entry_price ?? 0
  yield* ask(server, "/api/arena/commitments", token, {
    order_id: order?.order_id,
    proposed_entry_price: price,
    expected_exit_price: Number((price * 1.05).toFixed(6)),
    quantity: 0.05,
    slippage_tolerance: 0.02
  })
  return order?.order_id ?? ""
})

const near = (text: unknown, at: number): boolean => Math.abs(Date.parse(String(text)) - at) < SLACK

describe("emporion time advance", () => {
  itLive(
    "lets a sandbox come to a day in which what was due happened at its time, also after a restart",
    () =>
      Effect.gen(function* () {
        const DATA_DIR = yield* temporaryFolder
        const receiver = yield* webhookReceiver()
        const variables = {
          DATA_DIR,
          PORT: String(yield* freePort),
          WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8"
        }
        const first = yield* startServer(variables)
        const begun = yield* subscribed(first)
        const created = Date.parse(String(begun["created_at"]))
        const early = yield* signInAs(first, first.person.name, first.person.secret)
        yield* ask(first, "/v1/webhooks", early, { url: `${receiver.url}/hook`, events: ["subscription.renewed"] })

        const orderId = yield* committed(first)
        const moved = yield* runEmporion(["time", "advance", "8", "days", "--json"], { env: { DATA_DIR } })
        expect([moved.code, moved.stderr]).toEqual([0, ""])
        const { now } = JSON.parse(moved.stdout) as { readonly now: string }
        expect(near(now, created + 8 * 24 * HOUR)).toBe(true)
        expect(
          (yield* send(`${first.url}/v1/companies`, { headers: { authorization: `Bearer ${early}` } })).status
        ).toBe(401)

        const later = yield* signInAs(first, first.person.name, first.person.secret)
        const { order } = yield* ask(first, `/api/arena/orders/${orderId}`, later)
        expect(order).toMatchObject({ status: "settled", void_reason: null })
        const history = (yield* ask(
          first,
          `/v1/subscriptions/${String(begun["id"])}/history`,
          later
        )) as unknown as ReadonlyArray<Fields>
        expect(history.map(({ event }) => event)).toEqual(["created", "renewed"])
        const renewed = Date.parse(String(history[1]?.["at"]))
        expect([renewed >= created + WEEK, renewed < created + WEEK + HOUR + SLACK]).toEqual([true, true])

        const told = yield* eventually("the renewal is told", PATIENCE, () => receiver.received[0])
        const signed = Number(/t=(\d+)/.exec(told.headers["x-service-signature"] as string)?.[1]) * 1_000
        const machine = yield* Clock.currentTimeMillis
        expect(Math.abs(signed - machine)).toBeLessThan(SLACK)
        const { headers } = yield* send(`${first.url}/v1/info`)
        expect(Math.abs(Number(headers.get("x-ratelimit-reset")) * 1_000 - machine)).toBeLessThan(SLACK)

        first.send("SIGKILL")
        yield* first.ended
        yield* startServer(variables)
        const shown = yield* runEmporion(["time", "show", "--json"], { env: { DATA_DIR } })
        expect(near(JSON.parse(shown.stdout).now, created + 8 * 24 * HOUR)).toBe(true)
        const verified = yield* runEmporion(["verify"], { env: { DATA_DIR } })
        expect([verified.code, verified.stderr]).toEqual([0, ""])
      }),
    180_000
  )
})
