import { describe, expect } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { DeliveryRepository, type KeptRecord } from "../../../src/webhooks/DeliveryRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import { emptyDeliveries, leftDeliveries, writeDeliveries } from "../../lib/RetainedDeliveries.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(DeliveryRepository.layer.pipe(Layer.provideMerge(TestDatabase.layer)))

const attemptAt = (deliveryId: string): KeptRecord => ({
  webhookId: "enabled",
  delivery: { deliveryId, eventId: "evt_1", eventSeq: 1, body: "", round: 1, attempts: 0 },
  outcome: { startedAt: 5, endedAt: 6, status: 200 },
  sent: { url: "https://hook.example/", headers: "{}", error: null, answer: "" },
  after: { status: "delivered", attempts: 1, dueAt: null },
  health: { failingSince: null }
})

const refusal = Effect.fnUntraced(function* (statement: string) {
  const sql = yield* SqlClient
  const exit = yield* Effect.exit(sql.withTransaction(sql.unsafe(statement)))
  return Exit.isSuccess(exit)
    ? undefined
    : /a row of \w+ names one|rows of \w+ name|what a row of \w+ names|deliveries name rows/.exec(
        String(exit.cause)
      )?.[0]
})

describe("DeliveryRepository", () => {
  it("has no deliveries of events or attempts at deliveries that are not there", () =>
    Effect.gen(function* () {
      const delivery = "'whd_a', 'whk_none', 'cmp_a', 'evt_none', 1, 'pending', 0, 1, 1, 1, 1"
      expect(yield* refusal(`INSERT INTO webhook_deliveries VALUES (${delivery})`)).toBe(
        "a row of webhook_deliveries names one"
      )
      const attempt = "'whd_none', 1, 1, 1, 1, 'https://hook.example/', '{}', 200, null, ''"
      expect(yield* refusal(`INSERT INTO webhook_attempts VALUES (${attempt})`)).toBe(
        "a row of webhook_attempts names one"
      )
    }))

  it("takes an attempt once, and none whose delivery was removed", () =>
    Effect.gen(function* () {
      const { record } = yield* DeliveryRepository
      yield* emptyDeliveries
      const waiting = { webhook: "enabled", status: "pending", updatedAt: 1, attempts: 0 } as const
      yield* writeDeliveries([{ at: 1, deliveries: [waiting, waiting] }], 0)
      yield* record([attemptAt("whd_1_0"), attemptAt("whd_gone")])
      yield* record([attemptAt("whd_1_0")])
      expect((yield* leftDeliveries).attempts).toEqual(["whd_1_0"])
      const sql = yield* SqlClient
      const rows = yield* sql`SELECT id, status, attempts FROM webhook_deliveries ORDER BY id`
      expect([...rows]).toEqual([
        { id: "whd_1_0", status: "delivered", attempts: 1 },
        { id: "whd_1_1", status: "pending", attempts: 0 }
      ])
    }))

  it("removes no event that a delivery names, and no delivery that an attempt names", () =>
    Effect.gen(function* () {
      yield* emptyDeliveries
      const ended = { webhook: "enabled", status: "failed", updatedAt: 1, attempts: 1 } as const
      yield* writeDeliveries([{ at: 1, deliveries: [ended] }], 0)
      expect(yield* refusal("DELETE FROM webhook_events")).toBe("rows of webhook_deliveries name")
      expect(yield* refusal("DELETE FROM webhook_deliveries")).toBe("rows of webhook_attempts name")
    }))

  it("names the same for ever", () =>
    Effect.gen(function* () {
      const named = [
        "webhook_deliveries SET webhook_id",
        "webhook_deliveries SET event_id",
        "webhook_attempts SET delivery_id"
      ]
      for (const one of named) {
        const [table] = one.split(" ")
        expect(yield* refusal(`UPDATE ${one} = 'whk_b'`)).toBe(`what a row of ${table} names`)
      }
      expect(yield* refusal("UPDATE webhook_deliveries SET updated_at = 2")).toBeUndefined()
      expect(yield* refusal("TRUNCATE webhook_events")).toBe("deliveries name rows")
    }))
})
