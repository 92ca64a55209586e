import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "../../../engine/webhooks/WebhookEventType.ts"
import { SCOPES } from "../../../src/api/Authorization.ts"
import { PaymentWorker } from "../../../src/payments/PaymentWorker.ts"
import { Renewals } from "../../../src/subscriptions/Renewals.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { webhookReceiver, type WebhookReceiver } from "../../lib/WebhookReceiver.ts"

const ADMIN_PASSWORD = "an administrator's own"

const PASSWORD = "a newcomer's own"

const LIMIT = 120_000

/** What leaves nothing of the largest limit to others of the company. */
const LARGEST_CREDIT = {
  annualIncome: 200_000,
  homeOwnership: true,
  empLength: "10+ years",
  loanAmt: 35_000,
  purpose: "education",
  desc: ""
}

interface SignedIn {
  readonly access_token: string
}

/** A company that has just registered, which awaits KYC, and an API client of it. */
const newcomer = Effect.fnUntraced(function* (server: TestServer, scopes: ReadonlyArray<string> = SCOPES) {
  const email = `newcomer-${scopes.length}@example.com`
  yield* server.post("/api/v1/auth/register", { email, password: PASSWORD, company_name: "Newcomer" })
  const { json } = yield* server.post<SignedIn>("/api/v1/auth/login", { email, password: PASSWORD })
  const headers = { authorization: `Bearer ${json.access_token}` }
  const made = yield* server.post<{ readonly client_id: string; readonly client_secret: string }>(
    "/v1/clients",
    { name: "developer", scopes },
    { headers }
  )
  const env = {
    EMPORION_URL: server.url,
    EMPORION_CLIENT_ID: made.json.client_id,
    EMPORION_CLIENT_SECRET: made.json.client_secret
  }
  return { headers, env }
})

/** How soon a first period is due for which the command waits, in milliseconds. */
const SOON = 10_000

/** What the platform does by itself. Time passes faster once a subscription waits for it, and not before it is made. */
const workers = (server: TestServer, headers: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { json } = yield* server.request<ReadonlyArray<{ readonly next_at: string }>>(
      "GET",
      "/v1/subscriptions?status=active",
      undefined,
      { headers }
    )
    const isAwaited = json.some(({ next_at: at }) => Date.parse(at) - server.world.now < SOON)
    server.world.pass(isAwaited ? 1_000 : 50)
    yield* server.run(Effect.flatMap(Renewals, ({ round }) => round))
    yield* server.run(Effect.flatMap(PaymentWorker, ({ tick }) => tick))
    yield* Effect.sleep(50)
  }).pipe(Effect.forever)

interface Message {
  readonly type: string
  readonly data: { readonly object: { readonly id: string } }
}

/** Triggers a type, and looks for the event that is told of what the command names. */
const triggered = Effect.fnUntraced(function* (
  fixture: DeliveryFixture,
  { received, url }: WebhookReceiver,
  env: Readonly<Record<string, string>>,
  type: WebhookEventType
) {
  const { code, stderr, stdout } = yield* commandHere(["trigger", type], env)
  expect([type, code, stderr]).toEqual([type, 0, ""])
  const lines = stdout.trimEnd().split("\n")
  for (const line of lines.slice(0, -1)) {
    expect(line).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/\S+ → (?:200|404)( [a-z]+_\w+)?( {2}by the \w+)?$|^waiting/)
  }
  const [told, id] = lines.at(-1)?.split("  ") ?? []
  expect(told).toBe(type)
  yield* fixture.tell()
  const messages = [...(yield* fixture.deliveries()), ...received].map(({ body }): Message => JSON.parse(body))
  const ids = messages.filter((message) => message.type === type).map(({ data }) => data.object.id)
  if (type === "webhook.test") expect([id, ids.length]).toEqual([url, 1])
  else expect(ids).toContain(id ?? "")
})

/** What comes a month after an order on credit: the command says how to come to it. */
const OF_A_DATE: ReadonlySet<string> = new Set(["order.payment_due", "order.overdue"])

const OF_NET_30 = "emporion: It comes of an order on net_30 that is not paid: place one"

describe("emporion trigger", () => {
  itLive(
    "makes an event of every type happen to the caller's company",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make({ ADMIN_PASSWORD })
        const { server } = fixture
        const { env, headers } = yield* newcomer(server)
        const receiver = yield* webhookReceiver()
        yield* server.post("/v1/webhooks", { url: receiver.url, events: ["*"] }, { headers })
        yield* Effect.forEach(
          WEBHOOK_EVENT_TYPES.filter((type) => !OF_A_DATE.has(type)),
          (type) => triggered(fixture, receiver, { ...env, ADMIN_PASSWORD }, type),
          { discard: true }
        ).pipe(Effect.raceFirst(workers(server, headers)))
        const left = yield* Effect.forEach(
          ["/v1/webhooks", "/v1/subscriptions?status=active", "/v1/subscriptions?status=past_due"],
          (path) => server.request<ReadonlyArray<object>>("GET", path, undefined, { headers })
        )
        expect(left.map(({ json }) => json.length)).toEqual([1, 0, 0])
        const client = { grant_type: "client_credentials", client_id: env.EMPORION_CLIENT_ID }
        const token = yield* server.post<SignedIn>("/api/v1/auth/token", {
          ...client,
          client_secret: env.EMPORION_CLIENT_SECRET
        })
        const funds = yield* server.request("GET", "/v1/funds", undefined, {
          headers: { authorization: `Bearer ${token.json.access_token}` }
        })
        expect(funds.json).toMatchObject([{ type: "USD", symbol: "0" }])
      }),
    LIMIT
  )

  itLive(
    "says what is missing: an administrator, a webhook, room for another limit, a scope",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const { env, headers } = yield* newcomer(server)
        yield* server.post("/v1/credit/request", LARGEST_CREDIT, { headers })
        const run = (type: string, more: Readonly<Record<string, string>> = {}) =>
          commandHere(["trigger", type], { ...env, ...more })
        const told = "takes an administrator: set ADMIN_PASSWORD, and ADMIN_EMAIL if it is not admin@emporion.local.\n"
        const lines: ReadonlyArray<readonly [string, string]> = [
          ["company.verified", `emporion: Verifying a company ${told}`],
          ["order.paid", `emporion: The account awaits KYC, and has to be verified before it can pay, which ${told}`],
          [
            "webhook.test",
            "emporion: webhook.test goes to one URL, and to no listener: name it with --endpoint, or make a webhook.\n"
          ],
          [
            "credit.limit_changed",
            "emporion: The limit stays 0 USD, because other users of the company have the rest: ask as one of them.\n"
          ],
          ["order.payment_due", `${OF_NET_30}, then emporion time advance 28 days.\n`],
          ["order.overdue", `${OF_NET_30}, then emporion time advance 31 days.\n`]
        ]
        for (const [type, stderr] of lines) expect(yield* run(type)).toMatchObject({ code: 1, stderr })
        const wrong = yield* run("company.verified", { ADMIN_PASSWORD: "not the administrator's" })
        expect(wrong.code).toBe(1)
        expect(wrong.stderr).toStartWith("emporion: POST /api/v1/auth/login → 401 unauthorized: ")
        const client = yield* run("order.created", { EMPORION_CLIENT_SECRET: "wrong" })
        expect(client.stderr).toStartWith("emporion: GET /api/v1/users/me → 401 invalid_client: ")
        const reader = yield* newcomer(server, ["users:read"])
        const narrow = yield* commandHere(["trigger", "company.created", "--json"], reader.env)
        expect([narrow.code, narrow.stdout]).toEqual([1, ""])
        expect(narrow.stderr).toStartWith("emporion: POST /v1/companies → 403 insufficient_scope: ")
      }),
    LIMIT
  )

  itLive(
    "refuses a server in production, and makes nothing there",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make({
          APP_MODE: "production",
          ADMIN_EMAIL: "admin@example.com",
          PUBLIC_URL: "https://example.com"
        })
        const { env, headers } = yield* newcomer(server)
        const { code, stderr, stdout } = yield* commandHere(["trigger", "company.created"], env)
        expect([code, stdout]).toEqual([1, ""])
        expect(stderr).toBe(
          `emporion: ${server.url} is in production: this moves money and makes companies, so name a sandbox with --url.\n`
        )
        const companies = yield* server.request("GET", "/v1/companies", undefined, { headers })
        expect(companies.json).toMatchObject([{ name: "Newcomer" }])
      }),
    LIMIT
  )

  itLive("names the types where none or another one is named, and ends with 2", () =>
    Effect.gen(function* () {
      const types = WEBHOOK_EVENT_TYPES.join(", ")
      expect(yield* commandHere(["trigger"])).toEqual({
        code: 2,
        stdout: "",
        stderr: `emporion: Name the type of the event: ${types}.\n`
      })
      expect(yield* commandHere(["trigger", "order.payd"])).toEqual({
        code: 2,
        stdout: "",
        stderr:
          `emporion trigger: Invalid value for argument <event>: "order.payd". Expected one of ${types}. ` +
          "See: emporion trigger --help\n"
      })
      expect(yield* commandHere(["trigger", "order.paid"])).toEqual({
        code: 2,
        stdout: "",
        stderr: "emporion: Name the API client: --client-id or EMPORION_CLIENT_ID.\n"
      })
      const nowhere = { EMPORION_CLIENT_SECRET: "secret" }
      const call = ["trigger", "order.paid", "--client-id", "one", "--url", "http://127.0.0.1:1"]
      expect(yield* commandHere(call, nowhere)).toEqual({
        code: 1,
        stdout: "",
        stderr: "emporion: http://127.0.0.1:1 cannot be reached: look at --url.\n"
      })
    })
  )
})
