import { describe, expect, it } from "bun:test"
import { locksOf, tablesMadeBy } from "../../scripts/MigrationLocks.ts"
import { label } from "../../src/database/Migrations.ts"
import { registry } from "../../src/database/migrations/Registry.ts"

/** Up to here a new version never ran beside an older one. */
const UNCHECKED = 61

const locking: ReadonlyArray<readonly [statement: string, why: string]> = [
  ["CREATE INDEX a_b ON a (b)", "CREATE INDEX CONCURRENTLY"],
  ["CREATE UNIQUE INDEX a_b\n  ON a (b) WHERE c", "CREATE INDEX CONCURRENTLY"],
  ["CREATE INDEX CONCURRENTLY a_b ON a (b)", "does not work in a transaction"],
  ["ALTER TABLE a ADD COLUMN b text NOT NULL", "give it a default"],
  ["ALTER TABLE a ADD COLUMN b text DEFAULT gen_random_uuid()", "writes every row anew"],
  ["ALTER TABLE a ADD COLUMN b bigint GENERATED ALWAYS AS IDENTITY", "writes every row anew"],
  ["ALTER TABLE a ADD COLUMN b text CHECK (char_length(b) < 5)", "NOT VALID"],
  ["ALTER TABLE a ADD COLUMN b text, ADD COLUMN c text REFERENCES d (id)", "NOT VALID"],
  ["ALTER TABLE ONLY a ADD CONSTRAINT b CHECK (c > 0)", "NOT VALID"],
  ["ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c (id)", "NOT VALID"],
  ["ALTER TABLE a ADD CONSTRAINT b UNIQUE (c, d)", "USING INDEX"],
  ["ALTER TABLE a ADD PRIMARY KEY (b)", "USING INDEX"],
  ["ALTER TABLE a ALTER COLUMN b TYPE bigint", "writes every row anew"],
  ["ALTER TABLE a ALTER b SET NOT NULL", "NOT VALID"],
  ["ALTER TABLE a SET UNLOGGED", "writes every row anew"],
  ["ALTER TABLE a DROP COLUMN b", "no version uses it"],
  ["ALTER TABLE a DROP CONSTRAINT b", "no version uses it"],
  ["ALTER TABLE a RENAME COLUMN b TO c", "no version uses it"],
  ["ALTER TABLE a RENAME TO b", "no version uses it"],
  ["DROP TABLE a", "no version uses it"],
  ["TRUNCATE a", "no version uses it"],
  ["-- why\nUPDATE a SET b = 1", "in small steps"],
  ["DELETE FROM a WHERE b", "in small steps"],
  ["WITH b AS (SELECT 1) UPDATE a SET b = 1", "in small steps"],
  ["LOCK TABLE a", "holds a lock"],
  ['CREATE INDEX a_b ON "a" (b)', "CREATE INDEX CONCURRENTLY"],
  ["ALTER TABLE public.a ADD b text NOT NULL", "give it a default"],
  ['ALTER TABLE IF EXISTS public."a" ADD COLUMN IF NOT EXISTS b text CHECK (b <> c)', "NOT VALID"]
]

const harmless: ReadonlyArray<ReadonlyArray<string>> = [
  ["CREATE TABLE a (b text)", "CREATE INDEX a_b ON a (b)", "ALTER TABLE a ADD CHECK (b <> '')", "UPDATE a SET b = 'c'"],
  ['CREATE TABLE "a" (b text)', "ALTER TABLE public.a ADD b text NOT NULL"],
  ["CREATE TABLE IF NOT EXISTS a (b text CHECK (b <> ''))"],
  ["ALTER TABLE a ADD COLUMN b text", "ALTER TABLE a ADD COLUMN c integer NOT NULL DEFAULT 0"],
  ["ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0 AND (d, e) IS NOT NULL) NOT VALID"],
  ["ALTER TABLE a VALIDATE CONSTRAINT b"],
  ["ALTER TABLE a ADD CONSTRAINT b UNIQUE USING INDEX a_b"],
  ["ALTER TABLE a SET (autovacuum_vacuum_scale_factor = 0.02)", "ALTER TABLE a ALTER COLUMN b SET DEFAULT 1"],
  ["INSERT INTO a (b) VALUES (1)"]
]

describe("The locks of a migration", () => {
  for (const [statement, why] of locking) {
    it(`are told: ${statement.replaceAll(/\s+/g, " ")}`, () => {
      const found = locksOf({ up: [statement] })
      expect(found).toHaveLength(1)
      expect(found[0]).toContain(why)
    })
  }

  it("are none where nobody waits", () => {
    for (const up of harmless) expect([up, locksOf({ up })]).toEqual([up, []])
    const concurrently = ["DROP INDEX CONCURRENTLY IF EXISTS a_b", "CREATE INDEX CONCURRENTLY a_b ON a (b)"]
    expect(locksOf({ up: concurrently, concurrently: true })).toEqual([])
    const kept = ["CREATE INDEX CONCURRENTLY IF NOT EXISTS a_b ON a (b)"]
    expect(locksOf({ up: kept, concurrently: true })).toEqual([
      expect.stringContaining("DROP INDEX CONCURRENTLY IF EXISTS")
    ])
  })

  it("are none of the program's newer ones, or it says why it may", () => {
    for (const migration of registry.filter(({ id }) => id > UNCHECKED)) {
      const found = locksOf(migration)
      if (migration.allowed === undefined) expect([label(migration), found]).toEqual([label(migration), []])
      else expect([label(migration), found.length > 0]).toEqual([label(migration), true])
    }
  })

  it("would be found in the program's older ones, whose tables are all known", () => {
    const made = new Set(registry.flatMap(tablesMadeBy))
    const named = registry.flatMap(locksOf).map((problem) => problem.split(":", 1)[0] ?? "")
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((table) => !made.has(table))).toEqual([])
  })
})
