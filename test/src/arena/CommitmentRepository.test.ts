import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commitmentsOfOrder } from "../../../src/arena/CommitmentRepository.ts"
import { migrate, rollback } from "../../../src/database/Migrations.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

/** Orders of which each has ten commitments; neighbours begin alike but for their last digit. */
const ORDERS = 2_000

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`DELETE FROM arena_commitments`
  yield* sql`
    INSERT INTO arena_commitments (id, order_id, event_seq, owner, user_id, trader_address, trader_type, proposed_price,
      exit_price, quantity, slippage, swap_executor, collateral, accepted_at, status)
    SELECT 'com_' || lpad(to_hex(o), 24, '0') || '_' || n, 'ord_' || lpad(to_hex(o), 24, '0'), o * 10 + n, 'c', 'u', 'u',
      'human', 1, 1, 1, 0, '', 1, 1, 'active'
    FROM generate_series(1, ${ORDERS}) AS o, generate_series(1, 10) AS n`
  yield* sql`ANALYZE arena_commitments`
})

describe("the commitments of an order", () => {
  it("are there after their indexes were changed both ways, and none of them twice", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* fill
      yield* rollback(47)
      yield* migrate()
      const own = sql`SELECT id FROM ${commitmentsOfOrder(sql, sql`${`ord_${"1".padStart(24, "0")}`}::text`)} AS own`
      expect((yield* own).length).toBe(10)
      const twice = sql`INSERT INTO arena_commitments SELECT * FROM arena_commitments LIMIT 1`
      expect((yield* Effect.flip(twice)).reason._tag).toBe("UniqueViolation")
    }))

  it("are found by their ids, of one order and of many, without a look at others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* fill
      for (const orders of [1, ORDERS]) {
        const selected = sql`
          SELECT o.id, own.order_id FROM (
            SELECT 'ord_' || lpad(to_hex(o), 24, '0') AS id FROM generate_series(1, ${orders}) AS o) AS o
          CROSS JOIN LATERAL ${commitmentsOfOrder(sql, sql`o.id`)} AS own`
        const rows = yield* sql<{ readonly id: string; readonly order_id: string }>`${selected}`
        expect(rows.filter(({ id, order_id }) => id === order_id).length).toBe(10 * orders)
        expect(rows.length).toBe(10 * orders)
        const text = JSON.stringify(yield* sql`EXPLAIN (FORMAT JSON, ANALYZE) ${selected}`)
        expect(text).toContain("arena_commitments_by_id")
        expect(text).not.toContain("Seq Scan")
        const skipped = [...text.matchAll(/"Rows Removed by (?:Filter|Index Recheck)":(\d+)/g)]
        expect(skipped.every(([, count]) => count === "0")).toBe(true)
      }
    }))
})
