import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

const refusal = Effect.fnUntraced(function* (statement: string) {
  const sql = yield* SqlClient
  const exit = yield* Effect.exit(sql.withTransaction(sql.unsafe(statement)))
  return Exit.isSuccess(exit)
    ? undefined
    : /a row of \w+ names one|what a row of \w+ names|deliveries name rows/.exec(String(exit.cause))?.[0]
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
