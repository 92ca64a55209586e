import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Companies } from "../../../src/identity/companies/Companies.ts"
import { Webhooks } from "../../../src/webhooks/Webhooks.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive } from "../../lib/Effects.ts"

const LIMIT = 60_000
const URL = "https://example.com/hook"

const nameIn = (body: string): string => JSON.parse(body).data.object.name

const cursor = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly seq: bigint }>`SELECT seq FROM webhook_cursor`
  return Number(row?.seq)
})

describe("OutboxReader", () => {
  itLive(
    "tells each webhook what was recorded after it while it was enabled, once, through restarts",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const { server } = fixture
        const [user, other] = [yield* server.user(), yield* server.user()]
        const caller = { userId: user.id, companyId: user.companyId, isAdmin: false }
        yield* fixture.happens(user, "Before")
        const first = yield* fixture.webhook(user, URL)
        yield* fixture.webhook(other, URL)
        yield* fixture.webhook(user, URL, ["order.paid"])
        yield* fixture.happens(user, "One")
        yield* fixture.tell()
        const second = yield* fixture.webhook(user, URL, ["*"])
        yield* fixture.happens(user, "Two")
        // What was recorded and not told is told after a restart, what was told is not told again.
        yield* server.restart()
        yield* fixture.tell()
        yield* server.run(Effect.flatMap(Webhooks, ({ change }) => change(caller, first, { status: "disabled" })))
        yield* fixture.happens(user, "Three")
        yield* fixture.tell()
        yield* server.restart()
        yield* server.run(Effect.flatMap(Webhooks, ({ change }) => change(caller, first, { status: "enabled" })))
        yield* fixture.happens(user, "Four")
        yield* fixture.tell()
        yield* fixture.tell()
        const told = (yield* fixture.deliveries()).filter(({ type }) => type === "company.updated")
        const of = (webhookId: string) =>
          told.filter((one) => one.webhookId === webhookId).map(({ body }) => nameIn(body))
        expect(of(first)).toEqual(["One", "Two", "Four"])
        expect(of(second)).toEqual(["Two", "Three", "Four"])
        expect(told.length).toBe(6)
        const disabled = (yield* fixture.deliveries()).filter(({ type }) => type === "webhook.disabled")
        expect(disabled.map(({ webhookId }) => webhookId)).toEqual([second])
        expect(told.every(({ attempts, status }) => status === "pending" && attempts === 0)).toBe(true)
      }),
    LIMIT
  )

  itLive(
    "tells a company's manager too, and writes its place with what it tells",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const { server } = fixture
        const user = yield* server.user()
        const actor = { userId: user.id, companyId: user.companyId, isAdmin: false, scopes: [], requestId: undefined }
        const managing = yield* fixture.webhook(user, URL, ["*"])
        const before = yield* Effect.orDie(server.run(cursor))
        const customer = yield* server.run(
          Effect.flatMap(Companies, ({ create }) => create(actor, { name: "Customer" }, undefined))
        )
        yield* fixture.tell()
        const [delivery] = yield* fixture.deliveries()
        expect(delivery).toMatchObject({ webhookId: managing, type: "company.created", status: "pending" })
        expect(JSON.parse(delivery?.body ?? "{}").data.object).toMatchObject({ company_id: customer.id })
        expect(yield* server.run(cursor)).toBeGreaterThan(before)
      }),
    LIMIT
  )
})
