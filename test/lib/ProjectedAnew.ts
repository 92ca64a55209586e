import { expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { encodeEvent } from "../../engine/actor/EventChain.ts"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { type ProjectedTable, TABLE_COLUMNS, type TableRow } from "../../engine/journal/TableRow.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { type ContextProjection, Projection } from "../../src/database/Projection.ts"
import { RowWriter } from "../../src/database/RowWriter.ts"
import { RowStore } from "./RowStore.ts"

const stored = Effect.fnUntraced(function* (table: ProjectedTable) {
  const sql = yield* SqlClient
  const columns: ReadonlyArray<string> = TABLE_COLUMNS[table]
  const texts = columns.map((column) => `${column}::text AS ${column}`).join(", ")
  const rows = yield* sql.unsafe<Readonly<Record<string, string | null>>>(
    `SELECT ${texts} FROM ${table} ORDER BY ${columns[0]}::text`
  )
  return rows.map((row): ReadonlyArray<string | null> => columns.map((column) => row[column] ?? null))
})

/**
 * Writes each event by a projection that remembers nothing of those before it, and expects the tables to have what one
 * makes of all.
 *
 * @param rows - what each event makes of the rows
 */
export const projectedAnew = Effect.fnUntraced(function* <R>(
  projection: Effect.Effect<ContextProjection, never, R>,
  events: ReadonlyArray<Recorded<PlatformEvent>>,
  rows: ReadonlyArray<ReadonlyArray<TableRow>>,
  tables: ReadonlyArray<ProjectedTable>
) {
  const sql = yield* SqlClient
  const writer = yield* RowWriter
  const store = new RowStore()
  const hash = new Uint8Array(32)
  for (const [index, recorded] of events.entries()) {
    const { event, seq, stream, version } = recorded
    const { begin } = Projection.composed([yield* projection], writer)
    const { statements } = yield* begin([recorded])
    yield* sql`
      INSERT INTO event_streams (id, version, hash) VALUES (${stream}, ${version}, ${hash})
      ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version`
    yield* sql`
      INSERT INTO events (seq, stream, version, type, data, hash)
      VALUES (${BigInt(seq)}, ${stream}, ${version}, ${event._tag}, ${encodeEvent(event)}, ${hash})`
    yield* Effect.forEach([...statements()].flat(), (statement) => statement, { discard: true })
    for (const row of rows[index] ?? []) store.apply(row)
  }
  for (const table of tables) {
    const expected = [...store.rows.values()].filter((row) => row.table === table).map(({ values }) => values)
    expect(expected.length).toBeGreaterThan(0)
    const key = (values: ReadonlyArray<string | null>) => values[0] ?? ""
    expect(yield* stored(table)).toEqual(expected.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)))
  }
})

/** Events in their streams, from 1. */
export const inStreams = (
  events: ReadonlyArray<PlatformEvent>,
  streamOf: (event: PlatformEvent) => string
): ReadonlyArray<Recorded<PlatformEvent>> => {
  const versions = new Map<string, number>()
  return events.map((event, index) => {
    const stream = streamOf(event)
    const version = (versions.get(stream) ?? 0) + 1
    versions.set(stream, version)
    return { event, stream, version, seq: index + 1, hash: "" }
  })
}
