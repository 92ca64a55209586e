import fc from "fast-check"
import { describe, expect } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { add, put, set, type TableRow } from "../../../engine/journal/TableRow.ts"
import { RowWriter } from "../../../src/database/RowWriter.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { rowSteps, RowStore } from "../../lib/RowStore.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const itWrites = withLayer(RowWriter.layer.pipe(Layer.provideMerge(TestDatabase.layer)))

const write = (rows: ReadonlyArray<TableRow>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const writer = yield* RowWriter
    yield* sql.withTransaction(Effect.forEach(writer.write(rows), (statement) => statement, { discard: true }))
  })

const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO ledger_accounts (id, owner, asset, kind, balance, held)
    SELECT 'owner-' || name || '/USD/wallet', 'owner-' || name, 'USD', 'wallet', 0, 0
    FROM unnest(ARRAY['a', 'b', 'c']) AS name ON CONFLICT DO NOTHING`
})

const stored = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<Record<string, string | null>>`
    SELECT id, owner, asset, account, created_at::text AS created_at FROM funds ORDER BY id`
  return rows.map(({ account, asset, created_at, id, owner }) => [id, owner, asset, account, created_at])
})

describe("RowWriter", () => {
  itWrites("leaves in the database what a naive map has, in whatever batches the rows come", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* accounts
      const cases = fc.sample(fc.array(rowSteps, { maxLength: 4 }), property(4).numRuns ?? 1)
      for (const batches of cases) {
        yield* sql`DELETE FROM funds`
        const store = new RowStore()
        for (const steps of batches) {
          const rows = steps.filter((row) => {
            if (!store.takes(row)) return false
            store.apply(row)
            return true
          })
          yield* write(rows)
          const expected = [...store.rows.values()].map(({ values }) => [...values])
          expected.sort(([one = ""], [other = ""]) => ((one ?? "") < (other ?? "") ? -1 : 1))
          expect(yield* stored).toEqual(expected)
        }
      }
    })
  )

  itWrites("writes nulls, and rows before those that they name", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`INSERT INTO event_streams (id, version, hash) VALUES ('t/1', 1, ${new Uint8Array(32)})`
      yield* sql`
        INSERT INTO events (seq, stream, version, type, data, hash)
        VALUES (1, 't/1', 1, 'RateQuoted', '{}', ${new Uint8Array(32)})`
      const quote = ["q", "ann", "EUR", "USD", "Buy", "1", "2", "3", "4", "5", null]
      const transfer = ["ann/t", "t", "ann", "bob", "false", "EUR", "USD", "international", "Buy", "1", "2", null, "3"]
      const rest = ["1", "q", "DE", "", "20260101", "9", "1", "{}"]
      yield* write([
        add({ table: "transfers", values: [...transfer, ...rest] }),
        put({ table: "fx_quotes", values: quote }),
        set("fx_quotes", "q", { used_by: "ann/t" })
      ])
      const [row] = yield* sql`SELECT worst, quote_id, used_by FROM transfers JOIN fx_quotes ON fx_quotes.id = quote_id`
      expect(row).toEqual({ worst: null, quote_id: "q", used_by: "ann/t" })
    })
  )

  itWrites("fails where a row is there that is new, and where one is not that changes", () =>
    Effect.gen(function* () {
      yield* accounts
      const sql = yield* SqlClient
      yield* sql`DELETE FROM funds`
      const row = { table: "funds", values: ["a", "owner-a", "USD", "owner-a/USD/wallet", "1"] } as const
      yield* write([add(row)])
      expect(Exit.isFailure(yield* Effect.exit(write([add(row)])))).toBe(true)
      expect(Exit.isFailure(yield* Effect.exit(write([set("funds", "b", { created_at: "2" })])))).toBe(true)
      expect(yield* stored).toEqual([["a", "owner-a", "USD", "owner-a/USD/wallet", "1"]])
    })
  )
})
