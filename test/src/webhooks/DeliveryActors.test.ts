import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { DISABLED_AFTER } from "../../../engine/webhooks/EndpointHealth.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive } from "../../lib/Effects.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"

const LIMIT = 60_000

describe("DeliveryActors", () => {
  itLive(
    "deliver what was told, once, while another endpoint hangs, and after a restart the rest",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const user = yield* fixture.server.user()
        const [good, hanging] = [yield* webhookReceiver(), yield* webhookReceiver()]
        hanging.answer(() => undefined)
        const goodId = yield* fixture.webhook(user, good.url)
        yield* fixture.webhook(user, hanging.url)
        for (const name of ["A", "B", "C"]) yield* fixture.happens(user, name)
        yield* fixture.tell()
        yield* fixture.round()
        const own = (status: string) => (all: ReadonlyArray<{ webhookId: string; status: string }>) =>
          all.filter((one) => one.webhookId === goodId && one.status === status).length
        yield* fixture.until((all) => own("delivered")(all) === 3)
        expect(good.received.map(({ body }) => JSON.parse(body).data.object.name).toSorted()).toEqual(["A", "B", "C"])
        expect((yield* fixture.deliveries()).filter(({ status }) => status === "pending").length).toBe(3)

        yield* fixture.happens(user, "D")
        yield* fixture.tell()
        yield* fixture.server.restart()
        yield* fixture.recall()
        yield* fixture.round()
        yield* fixture.until((all) => own("delivered")(all) === 4)
        expect(good.received.length).toBe(4)
      }),
    LIMIT
  )

  itLive(
    "disable an endpoint that failed for five days, and tell the others",
    () =>
      Effect.gen(function* () {
        const fixture = yield* DeliveryFixture.make()
        const { server } = fixture
        const user = yield* server.user()
        const [failing, other] = [yield* webhookReceiver(), yield* webhookReceiver()]
        failing.answer(() => ({ status: 500 }))
        const failingId = yield* fixture.webhook(user, failing.url)
        const otherId = yield* fixture.webhook(user, other.url, ["webhook.disabled"])
        const since = BigInt(server.world.now - DISABLED_AFTER)
        yield* server.run(
          Effect.gen(function* () {
            const sql = yield* SqlClient
            yield* sql`UPDATE webhooks SET enabled_at = ${since} WHERE id = ${failingId}`
            yield* sql`INSERT INTO webhook_health (webhook_id, failing_since) VALUES (${failingId}, ${since})`
          })
        )
        yield* fixture.happens(user, "A")
        yield* fixture.tell()
        yield* fixture.round()
        yield* fixture.until(([first]) => first?.attempts === 1)
        const told = (all: ReadonlyArray<{ webhookId: string }>) => all.some(({ webhookId }) => webhookId === otherId)
        yield* fixture.called()
        yield* fixture.round()
        for (let tries = 0; tries < 500 && !told(yield* fixture.deliveries()); tries++) {
          yield* Effect.sleep(5)
          yield* fixture.tell()
        }
        yield* fixture.round()
        yield* fixture.until((all) => all.some((one) => one.webhookId === otherId && one.status === "delivered"))
        const [body] = other.received.map((one) => JSON.parse(one.body))
        expect(body).toMatchObject({
          type: "webhook.disabled",
          data: { object: { id: failingId, status: "disabled" } }
        })
        server.world.pass(5_000)
        yield* fixture.round()
        expect(failing.received.length).toBe(1)
      }),
    LIMIT
  )
})
