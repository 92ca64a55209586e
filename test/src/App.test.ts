import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SEALED_COLUMNS } from "../../src/App.ts"
import { withLayer } from "../lib/Effects.ts"
import * as TestDatabase from "../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

/** Columns of bytes that need no `SECRET_KEY` to be read, and why. */
const OTHER_BYTES: Readonly<Record<string, "a hash" | "under the row's own key" | "under the presented token">> = {
  "api_clients.secret_hash": "a hash",
  "arena_history_days.hash": "a hash",
  "arena_history_days.journal_hash": "a hash",
  "arena_history_days.previous": "a hash",
  "arena_history_files.sha256": "a hash",
  "event_streams.hash": "a hash",
  "events.hash": "a hash",
  "journal.answers_digest": "a hash",
  "journal.hash": "a hash",
  "journal_archives.hash": "a hash",
  "journal_archives.previous": "a hash",
  "journal_archives.sha256": "a hash",
  "mail_tokens.hash": "a hash",
  "refresh_tokens.hash": "a hash",
  "refresh_tokens.answer": "under the presented token",
  "sessions.hash": "a hash",
  "sign_in_places.account": "a hash",
  "sign_in_places.place": "a hash",
  "spent_sign_ins.hash": "a hash",
  "stream_tickets.hash": "a hash",
  "stream_tickets.proof": "under the presented token",
  "kyc_records.sealed_phone_number": "under the row's own key",
  "kyc_records.sealed_identity_id": "under the row's own key"
}

interface Column {
  readonly name: string
  readonly type: string
}

const columnsThat = (where: "bytes" | "sealed") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return yield* sql<Column>`
      SELECT c.table_name || '.' || c.column_name AS name, c.data_type AS type
      FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
        AND ${where === "bytes" ? sql`c.data_type = 'bytea'` : sql`c.column_name ~ '(^|_)(sealed|box|encrypted|cipher)(_|$)'`}
      ORDER BY name`
  })

describe("Every column of bytes", () => {
  it("is declared as sealed under SECRET_KEY, or known to be something else", () =>
    Effect.gen(function* () {
      const names = (yield* columnsThat("bytes")).map(({ name }) => name)
      const sealed = SEALED_COLUMNS.map(({ column, table }) => `${table}.${column}`)
      expect(names.toSorted()).toEqual([...sealed, ...Object.keys(OTHER_BYTES)].toSorted())
    }))

  it("has what is sealed in it: none is kept as text", () =>
    Effect.gen(function* () {
      const named = yield* columnsThat("sealed")
      expect(named.length).toBeGreaterThan(3)
      expect(named.filter(({ type }) => type !== "bytea")).toEqual([])
    }))

  it("is found by its row's primary key, which is a text", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const { key, table } of SEALED_COLUMNS) {
        const [row] = yield* sql<{ readonly columns: ReadonlyArray<string> }>`
          SELECT array_agg(a.attname::text || ' ' || format_type(a.atttypid, a.atttypmod)) AS columns
          FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = ${table}::text::regclass AND i.indisprimary`
        expect(row?.columns).toEqual([`${key} text`])
      }
    }))
})
