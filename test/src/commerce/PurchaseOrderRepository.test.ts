import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { nextDueOf } from "../../../engine/commerce/OverdueDecision.ts"
import type { PurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import type { PurchaseRecord } from "../../../engine/commerce/PurchaseRecord.ts"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { purchaseRows } from "../../../engine/commerce/PurchaseRows.ts"
import { changesBetween } from "../../../engine/journal/Aggregate.ts"
import type { Columns, ProjectedRow, TableRow } from "../../../engine/journal/TableRow.ts"
import { PurchaseOrderRepository } from "../../../src/commerce/PurchaseOrderRepository.ts"
import { migrate, rollback } from "../../../src/database/Migrations.ts"
import { RowWriter } from "../../../src/database/RowWriter.ts"
import { itLive } from "../../lib/Effects.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

/** The migration that brought the columns of what is due, and how many rows it fills at once. */
const OVERDUE_ORDERS = 72
const STEP = 10_000

const inDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(
    effect,
    Layer.provideMerge(Layer.mergeAll(RowWriter.layer, PurchaseOrderRepository.layer), TestDatabase.layer)
  )

const idOf = (number: number): string => `pur_${String(number).padStart(24, "0")}`

type Life = ReadonlyArray<PurchaseOrderEvent>

const lives = (count: number): ReadonlyArray<Life> =>
  fc.sample(anyPurchase, count).map((stages) => stages.map(({ event }) => event))

const orderOf = (life: Life): PurchaseRecord => {
  const order = recordOf(life)
  if (order === undefined) throw new TypeError("the first event of an order places it")
  return order
}

/** The row of an order alone, under the id of its number. */
const rowOf = (order: PurchaseRecord, number: number): ReadonlyArray<ProjectedRow> =>
  purchaseRows(order).flatMap(({ table, values }): ReadonlyArray<ProjectedRow> =>
    table === "purchase_orders" ? [{ table, values: [idOf(number), ...values.slice(1)] }] : []
  )

/** What each event makes of an order's row, the placement first. */
const changesOf = (life: Life, number: number) =>
  life.map((event, index) => {
    const before = index === 0 ? [] : rowOf(orderOf(life.slice(0, index)), number)
    return { event, changes: changesBetween(before, rowOf(orderOf(life.slice(0, index + 1)), number)) }
  })

/** Writes rows as the projector does, and answers how many updates there were, and how many of them stayed in their pages. */
const write = (rows: ReadonlyArray<TableRow>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const writer = yield* RowWriter
    // What is not told to the statistics yet counts from transaction to transaction.
    const counted = Effect.map(
      sql<{ readonly updates: number; readonly hot: number }>`
        SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS hot FROM pg_stat_xact_user_tables
        WHERE relid = 'purchase_orders'::regclass`,
      ([counts]) => counts ?? { updates: 0, hot: 0 }
    )
    const written = Effect.gen(function* () {
      const before = yield* counted
      yield* Effect.forEach(writer.write(rows), (statement) => statement, { discard: true })
      const after = yield* counted
      return { updates: after.updates - before.updates, hot: after.hot - before.hot }
    })
    return yield* sql.withTransaction(written)
  })

const isOfDate = (changes: ReadonlyArray<TableRow>, columns: ReadonlyArray<string>): boolean =>
  changes.some((change) => change._tag === "Set" && columns.some((column) => column in change.columns))

const nextDues = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{
      readonly id: string
      readonly next_due: bigint | null
    }>`SELECT id, next_due FROM purchase_orders ORDER BY id`,
    (rows) => rows.map(({ next_due: at }) => (at === null ? null : Number(at)))
  )
)

/** What the version before writes, which knows of nothing that is found by itself. */
const isOfBefore = ({ _tag }: PurchaseOrderEvent): boolean =>
  _tag !== "PurchaseOrderPaymentDue" && _tag !== "PurchaseOrderOverdue"

const withoutNextDue = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([column]) => column !== "next_due"))

describe("The rows of orders", () => {
  itLive("stay in their pages at every update that does not change when something is due, or what is overdue", () =>
    inDatabase(
      Effect.gen(function* () {
        const count = { prepaid: 0, credit: 0, moved: 0 }
        const stayed = { prepaid: 0, credit: 0, moved: 0 }
        for (const [number, life] of lives(120).entries()) {
          const isPrepaid = orderOf(life).state.terms.paymentTerms.type === "prepaid"
          for (const { changes } of changesOf(life, number)) {
            const { hot, updates } = yield* write(changes)
            const kind = isOfDate(changes, ["next_due", "overdue_amount"]) ? "moved" : isPrepaid ? "prepaid" : "credit"
            count[kind] += updates
            stayed[kind] += hot
          }
        }
        expect(count.prepaid).toBeGreaterThan(5)
        expect(count.credit).toBeGreaterThan(5)
        expect(count.moved).toBeGreaterThan(5)
        // A page that is full is left once in a while.
        for (const kind of ["prepaid", "credit"] as const) {
          expect(stayed[kind] / count[kind]).toBeGreaterThan(0.7)
        }
        expect(stayed.moved).toBe(0)
      })
    )
  )

  itLive("say when they are due where the version before wrote them, and after its tables were wanted back", () =>
    inDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const known = lives(30).map((life) => life.filter(isOfBefore))
        const expected = known.map((life) => nextDueOf(orderOf(life).state))
        expect(new Set(expected.map((at) => at === null)).size).toBe(2)
        for (const [number, life] of known.entries()) {
          for (const { changes } of changesOf(life, number)) {
            yield* write(
              changes.map((one) => (one._tag === "Set" ? { ...one, columns: withoutNextDue(one.columns) } : one))
            )
          }
        }
        expect(yield* nextDues).toEqual(expected)
        yield* rollback(OVERDUE_ORDERS - 1)
        const columns = sql`SELECT FROM information_schema.columns WHERE table_name = 'purchase_orders'
          AND column_name IN ('reminded', 'overdue', 'overdue_amount', 'next_due')`
        expect(yield* columns).toHaveLength(0)
        yield* migrate()
        expect(yield* nextDues).toEqual(expected)
      })
    )
  )

  itLive("are filled in steps, all of them, and go back no more once something was found", () =>
    inDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* rollback(OVERDUE_ORDERS - 1)
        yield* sql`
          INSERT INTO purchase_orders (id, buyer_company_id, buyer_user_id, status, payment_status, fulfilment_status,
            amount, terms, items, placed_at, updated_at, seller_ids, subtotals, due_at, due_amounts, metadata)
          SELECT 'pur_' || lpad(n::text, 24, '0'), 'cmp_1', 'usr_1', 'pending', 'unpaid', 'unfulfilled', 1, 'net_30', 1,
            1, 1, ARRAY['cmp_2'], ARRAY[1], ARRAY[${2_592_000_000n}::bigint + n], ARRAY[1], '{}'
          FROM generate_series(1, ${2 * STEP + 3}) AS n`
        yield* migrate()
        const [filled] = yield* sql`
          SELECT count(*)::int AS rows, min(next_due)::text AS first, max(next_due)::text AS last FROM purchase_orders
          WHERE next_due IS NOT NULL`
        const lead = 2_592_000_000 - 259_200_000
        expect(filled).toEqual({ rows: 2 * STEP + 3, first: `${lead + 1}`, last: `${lead + 2 * STEP + 3}` })
        const found = [
          sql`UPDATE purchase_orders SET reminded = '{1}' WHERE id = ${idOf(1)}`,
          sql`UPDATE purchase_orders SET overdue = '{1}' WHERE id = ${idOf(1)}`,
          sql`INSERT INTO claims (name, event_seq) VALUES ('overdue/cmp_1/000000001', 1)`
        ]
        for (const one of found) {
          yield* one
          expect(JSON.stringify(yield* Effect.flip(rollback(OVERDUE_ORDERS - 1)))).toContain("P0001")
          yield* sql`UPDATE purchase_orders SET reminded = NULL, overdue = NULL WHERE id = ${idOf(1)}`
          yield* sql`DELETE FROM claims`
        }
        yield* rollback(OVERDUE_ORDERS - 1)
        yield* migrate()
      })
    )
  )
})
