import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { BackupRepository, type ReadRow, versionOf } from "../../../src/backup/BackupRepository.ts"
import { joined, NO_ROWS, type Print } from "../../../src/backup/TablePart.ts"
import { migrate, rollback } from "../../../src/database/Migrations.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

/** Around the rows that are fetched at once, and several times as many. */
const COUNTS = [0, 1, 249, 250, 251, 499, 500, 501, 1_203]

/** What a read of a table takes, in all its parts. */
const taken = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { atOneMoment, each } = yield* BackupRepository
    yield* sql`TRUNCATE counted`
    yield* sql`INSERT INTO counted SELECT number, 'row ' || number FROM generate_series(1, ${count}::int) AS number`
    const parts: Array<ReadonlyArray<string>> = []
    const table = { name: "counted", columns: ["number", "name"], order: ["number"], types: ["integer"] }
    const take = (rows: ReadonlyArray<ReadRow>) => Effect.sync(() => void parts.push(rows.map(({ line }) => line)))
    yield* atOneMoment(each(table, take, { subject: "upper(name)" }))
    return parts
  })

/** What may happen to a table's rows between two looks. */
const ACTS = {
  nothing: "SELECT 1",
  lock: "SELECT * FROM printed FOR UPDATE",
  add: "INSERT INTO printed SELECT 'k' || floor(random() * 1000)::int, 'new' ON CONFLICT DO NOTHING",
  change: "UPDATE printed SET name = name || '.' WHERE key = (SELECT min(key) FROM printed)",
  rewrite: "UPDATE printed SET name = name",
  remove: "DELETE FROM printed WHERE key = (SELECT min(key) FROM printed)",
  swap: `WITH gone AS (DELETE FROM printed WHERE key = (SELECT max(key) FROM printed) RETURNING key)
    INSERT INTO printed SELECT key || '''', 'swapped' FROM gone`,
  vacuum: "VACUUM printed"
}

type ActName = keyof typeof ACTS

const acts = fc.array(fc.constantFrom(...(Object.keys(ACTS) as ReadonlyArray<ActName>)), { maxLength: 30 })

/** Around and between the keys of the rows, one with a quote in it. */
const STARTS = ["k", "k3", "k5'", "k500", "x"]

const PRINTED = { name: "printed", columns: ["key", "name"], order: ["key"], types: ["text"] }

/** The rows of each part of a table, as it is read, with the print that they add up to. */
const readParts = Effect.gen(function* () {
  const { each } = yield* BackupRepository
  const found: Array<{ readonly print: Print; readonly lines: string }> = []
  for (const [at, from] of [undefined, ...STARTS].entries()) {
    const rows: Array<ReadRow> = []
    yield* each(PRINTED, (some) => Effect.sync(() => void rows.push(...some)), { from, to: STARTS[at] })
    const print = rows.reduce((sum, { version }) => joined(sum, { rows: 1, versions: version }), NO_ROWS)
    found.push({ print, lines: rows.map(({ line }) => line).join("\n") })
  }
  return found
})

/** Looks at a table in parts, and whole. The rows that are read then are those that were looked at. */
const look = Effect.gen(function* () {
  const { atOneMoment, prints } = yield* BackupRepository
  const moment = Effect.gen(function* () {
    const parts = yield* readParts
    const found = parts.map(({ print }) => print)
    expect((yield* prints([{ ...PRINTED, starts: STARTS }])).get("printed")).toEqual(found)
    expect((yield* prints([{ ...PRINTED, starts: [] }])).get("printed")).toEqual([found.reduce(joined, NO_ROWS)])
    return parts
  })
  return yield* atOneMoment(moment)
})

describe("The rows of a table", () => {
  const it = withLayer(TestDatabase.layer)

  it("have another print whenever any of them is another, in its part alone, and the same one when nobody writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE printed (key text PRIMARY KEY, name text NOT NULL)`
      for (const drawn of fc.sample(acts, 8)) {
        let before = yield* look
        for (const act of drawn) {
          yield* sql.unsafe(ACTS[act]).unprepared
          const after = yield* look
          for (const [at, { lines, print }] of after.entries()) {
            const old = before[at]
            const isSame = lines === old?.lines
            // Whoever writes a row as it was has written another version of it.
            if (isSame && act === "rewrite") continue
            const expected = expect([act, at, print])
            if (isSame) expected.toEqual([act, at, old.print])
            else expected.not.toEqual([act, at, old?.print ?? NO_ROWS])
          }
          before = after
        }
      }
      yield* sql`DROP TABLE printed`
    }).pipe(Effect.provide(BackupRepository.layer)))

  it("have other prints also where all of them are written again in their places, by whichever transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const prints = ["'(0,1)'", "'(0,2)'"].map((place) => versionOf(`${place}::tid`, "number::text::xid")).join(" # ")
      const [found] = yield* sql.unsafe<{ readonly some: number; readonly different: number }>(
        `SELECT count(*)::int AS some, count(DISTINCT print)::int AS different
         FROM (SELECT ${prints} AS print FROM generate_series(3, 40000) AS number) AS written`
      )
      expect(found?.some).toBe(39_998)
      expect(found?.different).toBe(39_998)
    }))

  it("are read once and in order, however many there are, and never many at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE counted (number int PRIMARY KEY, name text NOT NULL)`
      for (const count of COUNTS) {
        const parts = yield* taken(count)
        const numbers = Array.from({ length: count }, (_, index) => index + 1)
        expect(parts.flat().map((line) => JSON.parse(line))).toEqual(
          numbers.map((number) => [String(number), `row ${number}`, `ROW ${number}`])
        )
        expect(parts.every(({ length }) => length > 0 && length <= 250)).toBe(true)
      }
      yield* sql`DROP TABLE counted`
    }).pipe(Effect.provide(BackupRepository.layer)))
})

describe("Where a database stands", () => {
  const it = withLayer(Layer.provideMerge(BackupRepository.layer, TestDatabase.layer))

  it("is told with the session that tells it, by when that began, and with when the last migration ran", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atOneMoment, position } = yield* BackupRepository
      const look = atOneMoment(
        Effect.all([
          position,
          sql<{ readonly began: string }>`
            SELECT backend_start::text AS began FROM pg_stat_activity WHERE pid = pg_backend_pid()`
        ])
      )
      const [before, [session]] = yield* look
      expect(before.session).toContain(session?.began ?? "no session")
      expect((yield* look)[0].migrated).toBe(before.migrated)
      yield* rollback(before.schema - 1)
      yield* migrate()
      const [after] = yield* look
      expect([after.schema, after.migrated === before.migrated]).toEqual([before.schema, false])
    }))
})
