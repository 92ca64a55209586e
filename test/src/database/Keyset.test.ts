import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { cursorKey, type Listed, page, pageOf, statement, UnknownCursor } from "../../../src/database/Keyset.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

interface Row {
  readonly id: string
  readonly owner: string
  readonly kind: string
  readonly at: bigint
}

const ORDERS = {
  oldest: [{ column: "note.at" }, { column: "note.id" }],
  newest: [
    { column: "note.at", descending: true },
    { column: "note.id", descending: true }
  ],
  mixed: [{ column: "note.at", descending: true }, { column: "note.id" }]
} as const

type Order = keyof typeof ORDERS

const table = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE notes (id text PRIMARY KEY, owner text NOT NULL, kind text NOT NULL, at bigint NOT NULL)`
  yield* sql`CREATE INDEX notes_by_owner ON notes (owner, at, id)`
  yield* sql`CREATE INDEX notes_newest ON notes (owner, at DESC, id)`
})

const it = withLayer(Layer.effectDiscard(Effect.orDie(table)).pipe(Layer.provideMerge(TestDatabase.layer)))

const listed = (sql: SqlClient, owner: string, order: Order, kind?: string): Listed<Row> => ({
  select: sql`SELECT note.* FROM notes AS note`,
  from: sql`notes AS note`,
  scope: sql`note.owner = ${owner}`,
  wanted: kind === undefined ? undefined : sql`note.kind = ${kind}`,
  order: ORDERS[order],
  id: "note.id",
  idOf: ({ id }) => id
})

/** The order as one would write it without a database. */
const comparing =
  (order: Order) =>
  (a: Row, b: Row): number => {
    const sign = order === "oldest" ? 1 : -1
    const byId = a.id < b.id ? -1 : 1
    return a.at === b.at ? (order === "newest" ? -byId : byId) : sign * (a.at < b.at ? -1 : 1)
  }

const insert = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
  if (rows.length === 0) return
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO notes SELECT * FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ owner }) => owner)}::text[],
      ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ at }) => at)}::bigint[])`
})

interface Drawn {
  readonly at: bigint
  readonly kind: string
  readonly mine: boolean
}

interface Scenario {
  readonly before: ReadonlyArray<Drawn>
  readonly between: ReadonlyArray<ReadonlyArray<Drawn>>
  readonly limit: number
  readonly order: Order
  readonly kind: string | undefined
}

/** Few times, so that many rows share one. */
const drawn = fc.record({ at: fc.bigInt(0n, 6n), kind: fc.constantFrom("a", "b"), mine: fc.boolean() })

const scenario = fc.record({
  before: fc.array(drawn, { maxLength: 25 }),
  between: fc.array(fc.array(drawn, { maxLength: 6 }), { maxLength: 8 }),
  limit: fc.integer({ min: 1, max: 7 }),
  order: fc.constantFrom<Order>("oldest", "newest", "mixed"),
  kind: fc.constantFrom(undefined, "a")
})

let runs = 0

const read = Effect.fnUntraced(function* ({ before, between, kind, limit, order }: Scenario) {
  const sql = yield* SqlClient
  const run = (runs += 1)
  let made = 0
  const rowsOf = (all: ReadonlyArray<Drawn>): ReadonlyArray<Row> =>
    all.map(({ at, kind, mine }) => {
      made += 1
      return { id: `${run}_${(made * 7919) % 1000}`, owner: mine ? `me${run}` : "other", kind, at }
    })
  const all = [...rowsOf(before)]
  yield* insert(all)
  const isListed = (row: Row) => row.owner === `me${run}` && (kind === undefined || row.kind === kind)
  const atStart = all.filter(isListed).toSorted(comparing(order))
  const seen: Array<Row> = []
  let after: string | undefined
  for (let turn = 0; ; turn += 1) {
    const found = yield* page(sql, listed(sql, `me${run}`, order, kind), { limit, offset: 0, after })
    const sorted = all.filter(isListed).toSorted(comparing(order))
    const from = after === undefined ? 0 : sorted.findIndex(({ id }) => id === after) + 1
    expect(found.rows).toEqual(sorted.slice(from, from + limit))
    expect(yield* pageOf(sorted, ({ id }) => id, { limit, offset: 0, after })).toEqual(found)
    expect([found.total, found.next]).toEqual([
      sorted.length,
      sorted.length > from + limit ? sorted[from + limit - 1]?.id : undefined
    ])
    seen.push(...found.rows)
    if (found.next === undefined) break
    after = found.next
    const added = rowsOf(between[turn] ?? [])
    yield* insert(added)
    all.push(...added)
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  expect(seen.filter(({ id }) => atStart.some((row) => row.id === id))).toEqual(atStart)
})

describe("Reading by cursors", () => {
  it("sees every row that was there once and in order, whatever is added between pages", () =>
    Effect.gen(function* () {
      const run = Effect.runPromiseWith(yield* Effect.context<SqlClient>())
      const all = fc.asyncProperty(scenario, (drawn) => run(Effect.orDie(read(drawn))))
      yield* Effect.promise(() => fc.assert(all, property(5)))
    }))

  it("goes on from a row that is no longer wanted, and refuses what is no row of the list", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* insert([
        { id: "x1", owner: "x", kind: "a", at: 1n },
        { id: "x2", owner: "x", kind: "b", at: 2n },
        { id: "x3", owner: "x", kind: "a", at: 3n },
        { id: "y1", owner: "y", kind: "a", at: 1n }
      ])
      const after = (id: string) =>
        Effect.map(page(sql, listed(sql, "x", "oldest", "a"), { limit: 9, offset: 0, after: id }), ({ rows }) =>
          rows.map((row) => row.id)
        )
      expect(yield* after("x2")).toEqual(["x3"])
      expect(yield* Effect.flip(pageOf(["a"], String, { limit: 1, offset: 0, after: "b" }))).toBeInstanceOf(
        UnknownCursor
      )
      for (const id of ["y1", "unknown", "'"]) {
        expect(yield* Effect.flip(after(id))).toBeInstanceOf(UnknownCursor)
      }
    }))

  it("refuses a cursor that is no number where ids are, and takes a key where ids are not unique", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* insert([
        { id: "k1", owner: "k", kind: "same", at: 11n },
        { id: "k2", owner: "k", kind: "same", at: 12n }
      ])
      const numbered = { ...listed(sql, "k", "oldest"), id: "note.at", isNumber: true }
      expect((yield* page(sql, numbered, { limit: 5, offset: 0, after: "11" })).rows.map(({ id }) => id)).toEqual([
        "k2"
      ])
      for (const after of ["1.5", "-1", "k1", "9".repeat(30)]) {
        expect(yield* Effect.flip(page(sql, numbered, { limit: 5, offset: 0, after }))).toBeInstanceOf(UnknownCursor)
      }
      const keyed = { ...listed(sql, "k", "oldest"), id: "note.kind", key: "note.id" }
      expect((yield* page(sql, keyed, { limit: 5, offset: 0, after: "k1" })).rows.map(({ id }) => id)).toEqual(["k2"])
      const ambiguous = page(sql, keyed, { limit: 5, offset: 0, after: "same" })
      expect(yield* Effect.flip(ambiguous)).toBeInstanceOf(UnknownCursor)
    }))

  it("goes on from the place of a removed row, whoever else has one there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* insert([
        { id: "p1", owner: "p", kind: "a", at: 21n },
        { id: "p2", owner: "p", kind: "a", at: 21n },
        { id: "p3", owner: "p", kind: "a", at: 22n },
        { id: "q2", owner: "q", kind: "a", at: 21n }
      ])
      const placed = { ...listed(sql, "p", "oldest"), placeOf: ({ at, id }: Row) => [at, id] as const }
      const read = (limit: number, after?: string) => page(sql, placed, { limit, offset: 0, after })
      const first = yield* read(1)
      expect(first.next).toBe("21.p1")
      yield* sql`DELETE FROM notes WHERE id = 'p1'`
      const ids = ({ rows }: typeof first) => rows.map(({ id }) => id)
      expect(ids(yield* read(5, first.next))).toEqual(["p2", "p3"])
      expect(ids(yield* read(5, "p2"))).toEqual(["p3"])
      expect(ids(yield* read(5, "21.q2"))).toEqual(ids(yield* read(5, "21.q3")))
      for (const after of ["p1", "q2", "21", "21.", "x.p1", `${"9".repeat(19)}.p1`]) {
        expect(yield* Effect.flip(read(5, after))).toBeInstanceOf(UnknownCursor)
      }
      const numbered = {
        ...placed,
        order: [{ column: "note.at" }],
        id: "note.at",
        isNumber: true,
        placeOf: ({ at }: Row) => [at] as const
      }
      expect(ids(yield* page(sql, numbered, { limit: 5, offset: 0, after: "21" }))).toEqual(["p3"])
      expect(yield* Effect.flip(page(sql, numbered, { limit: 5, offset: 0, after: "21.p1" }))).toBeInstanceOf(
        UnknownCursor
      )
    }))

  it("counts what it shows: what is added right after an empty page was read is not counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const added = insert([{ id: "e1", owner: "e", kind: "a", at: 1n }])
      // Adds a row before a statement that counts alone.
      const late = new Proxy(sql, {
        apply: (target, _, [strings, ...values]: [TemplateStringsArray, ...Array<never>]) => {
          const made = target<object>(strings, ...values)
          return strings.every((text) => text === "") ? Effect.andThen(added, made) : made
        }
      })
      expect(yield* page(late, listed(sql, "e", "oldest"), { limit: 5, offset: 0 })).toEqual({
        rows: [],
        total: 0,
        next: undefined
      })
    }))

  it("is served by an index from the middle of a big table, without sorting", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        INSERT INTO notes SELECT 'big' || n, 'big', 'a', n / 3 FROM generate_series(1, 20000) AS n`
      yield* sql`ANALYZE notes`
      for (const order of ["oldest", "newest", "mixed"] as const) {
        const list = listed(sql, "big", order)
        const key = yield* cursorKey(sql, list, "big10000")
        const plan = yield* sql<{ readonly "QUERY PLAN": unknown }>`
          EXPLAIN (FORMAT JSON, ANALYZE) ${statement(sql, list, { limit: 100, offset: 0 }, key)}`
        const text = JSON.stringify(plan)
        expect(text).toMatch(/"Index (Only )?Scan"/)
        expect(text).not.toMatch(/"(Incremental )?Sort"|"Seq Scan"/)
        const skipped = [...text.matchAll(/"Rows Removed by Filter":(\d+)/g)].map(([, rows]) => Number(rows))
        expect(skipped.every((rows) => rows <= 5)).toBe(true)
      }
    }))
})
