import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { dayOf } from "../../../engine/webhooks/DeliveryQuota.ts"
import { isoDay } from "../../../src/api/UtcDay.ts"
import { Companies } from "../../../src/identity/companies/Companies.ts"
import { HeldDeliveries } from "../../../src/webhooks/HeldDeliveries.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive } from "../../lib/Effects.ts"

const LIMIT = 60_000
const DAY = 86_400_000

/** As if so many deliveries of a company had begun on the day of a time. */
const begunOn = (companyId: string, at: number, deliveries: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      INSERT INTO webhook_days (company_id, day, deliveries)
      VALUES (${companyId}, to_timestamp(${at / 1_000}::double precision)::date, ${BigInt(deliveries)})
      ON CONFLICT (company_id, day) DO UPDATE SET deliveries = excluded.deliveries`
  })

describe("HeldDeliveries", () => {
  itLive(
    "go on when the day turns and when the plan grows, the oldest first, and each is counted once",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const { server } = fixture
        const user = yield* server.user()
        const { companyId } = user
        yield* fixture.webhook(user, "https://example.com/hook")
        const release = server.run(Effect.flatMap(HeldDeliveries, ({ release }) => release))
        const statuses = Effect.map(fixture.deliveries(), (all) => all.map(({ status }) => status).join())
        const change = (name: string) => Effect.andThen(fixture.happens(user, name), fixture.tell())

        yield* server.run(begunOn(companyId, server.world.now, 9_999))
        for (const name of ["A", "B", "C"]) yield* change(name)
        expect(yield* statuses).toBe("pending,held,held")
        const quota = Effect.map(server.get("/v1/webhooks/quota", user.id), ({ json }) => json)
        const date = isoDay(dayOf(server.world.now))
        expect(yield* quota).toMatchObject({ date, deliveries: 10_000, limit: 10_000, held: 2 })
        expect(yield* release).toBe(0)

        const admin = { userId: yield* server.admin, companyId, isAdmin: true, scopes: [], requestId: undefined }
        yield* server.run(Effect.flatMap(Companies, ({ setPlan }) => setPlan(admin, companyId, "pro")))
        yield* server.run(begunOn(companyId, server.world.now, 99_999))
        expect(yield* release).toBe(1)
        expect(yield* statuses).toBe("pending,pending,held")

        server.world.pass(DAY)
        yield* server.run(begunOn(companyId, server.world.now, 100_000))
        expect(yield* release).toBe(0)
        server.world.pass(DAY)
        expect(yield* release).toBe(1)
        expect(yield* release).toBe(0)
        expect(yield* statuses).toBe("pending,pending,pending")
        const [counted] = yield* server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql<{ readonly deliveries: bigint }>`
            SELECT deliveries FROM webhook_days ORDER BY day DESC LIMIT 1`
          )
        )
        expect(counted?.deliveries).toBe(1n)
        expect(yield* quota).toMatchObject({ deliveries: 1, limit: 100_000, held: 0 })
      }),
    LIMIT
  )
})
