import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { BackupRepository } from "../../../src/backup/BackupRepository.ts"
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
    const table = { name: "counted", columns: ["number", "name"], order: ["number"] }
    yield* atOneMoment(each(table, (lines) => Effect.sync(() => void parts.push(lines)), { subject: "upper(name)" }))
    return parts
  })

describe("The rows of a table", () => {
  const it = withLayer(TestDatabase.layer)

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
