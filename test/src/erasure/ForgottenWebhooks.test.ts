import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { DeliveryTimes } from "../../../src/webhooks/DeliveryTimes.ts"
import { DeliveryFixture } from "../../lib/DeliveryFixture.ts"
import { itLive } from "../../lib/Effects.ts"
import { webhookReceiver } from "../../lib/WebhookReceiver.ts"

describe("The webhooks of a forgotten company", () => {
  itLive("are sent nothing more, in memory or in tables, and no attempt is kept", () =>
    Effect.gen(function* () {
      const fixture = yield* DeliveryFixture.make()
      const { server } = fixture
      const sql = server.service(SqlClient)
      const [gone, other, admin] = [yield* server.user(), yield* server.user(), yield* server.admin]
      const [receiver, witness] = [yield* webhookReceiver(), yield* webhookReceiver()]
      yield* server.run(Effect.orDie(sql`UPDATE companies SET kind = 'normal' WHERE id = ${gone.companyId}`))
      receiver.answer(() => ({ status: 500 }))
      const webhookId = yield* fixture.webhook(gone, receiver.url)
      yield* fixture.webhook(other, witness.url)
      yield* fixture.happens(gone, "Renamed")
      yield* fixture.tell()
      yield* fixture.round()
      yield* fixture.until(([first]) => first?.attempts === 1)

      const erased = yield* server.post(`/v1/users/${gone.id}/erasure`, undefined, { as: admin })
      expect([erased.status, erased.json]).toMatchObject([200, { company_erased: true }])
      expect(yield* fixture.deliveries()).toMatchObject([{ status: "failed", dueAt: null }])
      yield* fixture.called()
      yield* fixture.round()

      // Told by an event that was recorded beside the erasure.
      yield* server.run(Effect.orDie(sql`UPDATE webhook_deliveries SET status = 'pending', due_at = 1`))
      server.service(DeliveryTimes).enter(webhookId, 0)
      yield* fixture.happens(other, "Witness")
      yield* fixture.tell()
      for (let round = 0; round < 2; round++) yield* fixture.round()
      yield* fixture.until((all) => all.some(({ status }) => status === "delivered"))
      expect([receiver.received.length, witness.received.length]).toEqual([1, 1])
      const attempts = yield* server.run(Effect.orDie(sql<{ readonly url: string }>`SELECT url FROM webhook_attempts`))
      expect(attempts).toEqual([{ url: witness.url }])
    })
  )
})
