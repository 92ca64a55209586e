import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Migration } from "../../../src/database/Migration.ts"
import { checksum, migrate, pending, rollback, status, undoable } from "../../../src/database/Migrations.ts"
import { registry } from "../../../src/database/migrations/Registry.ts"
import { itLive } from "../../lib/Effects.ts"
import { emptyLayer } from "../../lib/TestDatabase.ts"

const first: Migration = {
  id: 1,
  name: "first",
  up: ["CREATE TABLE first (id int)", "INSERT INTO first VALUES (7)"],
  down: ["DROP TABLE first"]
}
const second: Migration = {
  id: 2,
  name: "second",
  up: ["CREATE TABLE second AS SELECT id + 1 AS id FROM first"],
  down: ["DROP TABLE second"]
}
const broken: Migration = { id: 3, name: "broken", up: ["CREATE TABLE third (id int)", "SELECT 1 / 0"], down: [] }
const final: Migration = { id: 3, name: "final", up: ["DROP TABLE first"], down: { irreversible: "its rows are gone" } }

const indexed: Migration = {
  id: 2,
  name: "indexed",
  up: ["DROP INDEX CONCURRENTLY IF EXISTS first_id", "CREATE INDEX CONCURRENTLY first_id ON first (id)"],
  concurrently: true,
  down: ["DROP INDEX first_id"]
}

const applied = ({ id, name, up }: Migration, sum = checksum({ id, name, up, down: [] })) => ({
  id,
  name,
  checksum: sum
})

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`
  return rows.map(({ name }) => name)
})

describe("pending migrations", () => {
  it("are those that did not run, in order", () => {
    expect(pending([first, second], [])).toEqual([first, second])
    expect(pending([first, second], [applied(first)])).toEqual([second])
    expect(pending([first, second], [applied(first), applied(second)])).toEqual([])
  })

  it("are refused when one that ran was changed", () => {
    expect(pending([{ ...first, up: ["CREATE TABLE first (id bigint)"] }], [applied(first)])).toBe(
      "Migration 0001_first was changed after it ran: restore it, and write the change as a new migration."
    )
  })

  it("are refused when the database is newer, when one comes too late, and when the list is out of order", () => {
    expect(pending([first], [applied(first), applied(second)])).toBe(
      "The database has migration 0002_second, which this version does not know: start a newer version."
    )
    expect(pending([first, second], [applied(second)])).toBe(
      "Migration 0001_first comes before 0002_second, which already ran: give it a later number."
    )
    expect(pending([second, first], [])).toBe("Migration 0001_first is not after the one before it.")
    expect(pending([first, first], [])).toBe("Migration 0001_first is not after the one before it.")
  })

  it("have a checksum that minds statements, not their layout", () => {
    expect(checksum({ ...first, up: ["\n  CREATE TABLE\n first (id int)\n", "INSERT INTO first VALUES (7)"] })).toBe(
      checksum(first)
    )
    expect(checksum({ ...first, up: first.up.toReversed() })).not.toBe(checksum(first))
  })
})

describe("migrating", () => {
  itLive("runs each once, in order, and remembers it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      expect(yield* migrate([first])).toEqual([first])
      expect(yield* migrate([first, second])).toEqual([second])
      expect(yield* migrate([first, second])).toEqual([])
      expect(yield* sql`SELECT id FROM second`).toEqual([{ id: 8 }])
      const rows = yield* sql`SELECT id, name, checksum FROM schema_migrations ORDER BY id`
      expect(rows).toEqual([applied(first), applied(second)])
    }).pipe(Effect.provide(emptyLayer))
  )

  itLive("leaves nothing of a migration that fails, and keeps those before it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(migrate([first, second, broken]))
      expect(error._tag).toBe("SqlError")
      expect(yield* tables).toEqual(["first", "schema_migrations", "second"])
    }).pipe(Effect.provide(emptyLayer))
  )

  itLive("builds an index without a transaction, and goes on after it was killed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const wrong: Migration = { ...indexed, up: [...indexed.up, "SELECT 1 / 0"] }
      const limit = yield* sql`SHOW statement_timeout`
      yield* Effect.flip(migrate([first, wrong]))
      expect(yield* sql`SELECT id FROM schema_migrations`).toEqual([{ id: 1 }])
      expect(yield* migrate([first, indexed])).toEqual([indexed])
      expect(yield* migrate([first, indexed])).toEqual([])
      const indexes = sql`SELECT indexname FROM pg_indexes WHERE tablename = 'first'`
      expect(yield* indexes).toEqual([{ indexname: "first_id" }])
      expect(yield* sql`SHOW statement_timeout`).toEqual(limit)
      yield* rollback(1, [first, indexed])
      expect(yield* indexes).toEqual([])
    }).pipe(Effect.provide(emptyLayer))
  )

  itLive("runs once when several processes start together", () =>
    Effect.gen(function* () {
      const ran = yield* Effect.all(
        Array.from({ length: 4 }, () => migrate([first, second])),
        { concurrency: "unbounded" }
      )
      expect(
        ran
          .flat()
          .map(({ id }) => id)
          .toSorted()
      ).toEqual([1, 2])
    }).pipe(Effect.provide(emptyLayer))
  )

  itLive("changes nothing when it is refused", () =>
    Effect.gen(function* () {
      yield* migrate([first])
      const error = yield* Effect.flip(migrate([{ ...first, up: ["SELECT 1"] }, second]))
      expect(error._tag).toBe("MigrationRefused")
      expect(yield* tables).toEqual(["first", "schema_migrations"])
    }).pipe(Effect.provide(emptyLayer))
  )
})

describe("rolling back", () => {
  itLive("undoes the last first, down to the target", () =>
    Effect.gen(function* () {
      yield* migrate([first, second])
      expect(yield* rollback(1, [first, second])).toEqual([second])
      expect(yield* tables).toEqual(["first", "schema_migrations"])
      expect(yield* rollback(0, [first, second])).toEqual([first])
      expect(yield* migrate([first, second])).toEqual([first, second])
    }).pipe(Effect.provide(emptyLayer))
  )

  itLive("stops at one that cannot be undone and says why", () =>
    Effect.gen(function* () {
      yield* migrate([first, second, final])
      const error = yield* Effect.flip(rollback(0, [first, second, final]))
      expect(error.message).toBe("0003_final cannot be undone: its rows are gone")
      expect(yield* tables).toEqual(["schema_migrations", "second"])
    }).pipe(Effect.provide(emptyLayer))
  )

  itLive("of the whole registry, where it can be undone, leaves an empty schema that migrates again", () =>
    Effect.gen(function* () {
      yield* migrate()
      const target = registry.findLast(({ down }) => "irreversible" in down)?.id ?? 0
      yield* rollback(target)
      if (target === 0) expect(yield* tables).toEqual(["schema_migrations"])
      yield* migrate()
    }).pipe(Effect.provide(emptyLayer))
  )
})

describe("tables that lack events of the journal", () => {
  itLive("are not changed, either way", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate()
      const hash = new Uint8Array(32)
      yield* sql`
        INSERT INTO journal (first_seq, count, term, recorded_at, hash, answers_digest, body)
        VALUES (1, 3, 1, 7000, ${hash}, ${hash}, '')`
      const more = { id: 9_999, name: "more", up: ["CREATE TABLE more ()"], down: ["DROP TABLE more"] }
      const { message } = yield* Effect.flip(migrate([...registry, more]))
      expect(message).toStartWith("The tables lack 3 events of the journal")
      expect((yield* Effect.flip(rollback(registry.length - 1))).message).toBe(message)
      yield* sql`UPDATE projection SET seq = 3`
      expect((yield* migrate([...registry, more])).map(({ name }) => name)).toEqual(["more"])
    }).pipe(Effect.provide(emptyLayer))
  )
})

describe("the schema's status", () => {
  itLive("is known without a table, and changes nothing", () =>
    Effect.gen(function* () {
      const before = yield* status([first, second])
      expect([before.applied, before.pending]).toEqual([[], [first, second]])
      expect(yield* tables).toEqual([])
      yield* migrate([first])
      const after = yield* status([first, second])
      expect(after.applied).toEqual([{ ...applied(first), at: expect.any(Date) }])
      expect(after.pending).toEqual([second])
      const refused = yield* Effect.flip(status([{ ...first, up: [] }]))
      expect(refused.message).toContain("was changed after it ran")
    }).pipe(Effect.provide(emptyLayer))
  )

  itLive("tells which of the last ones can be undone, or refuses all of them", () =>
    Effect.gen(function* () {
      const all = [first, second, final]
      yield* migrate([first, second])
      expect(yield* undoable(yield* status(all), 1, all)).toEqual([second])
      expect(yield* undoable(yield* status(all), 5, all)).toEqual([second, first])
      yield* migrate(all)
      const refused = yield* Effect.flip(undoable(yield* status(all), 2, all))
      expect(refused.message).toBe("0003_final cannot be undone: its rows are gone")
    }).pipe(Effect.provide(emptyLayer))
  )
})
