import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { keepersIn } from "../../../src/database/MetadataColumn.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

describe("The companies that keep metadata with a list's rows", () => {
  it("are as many as a filter takes, in their order, and none is left out silently", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE things (company_id text NOT NULL, metadata text NOT NULL)`
      yield* sql`
        INSERT INTO things SELECT 'cmp_' || lpad((n * 7 % 500)::text, 3, '0'), '{"a":"b"}' FROM generate_series(1, 1000) AS n`
      yield* sql`INSERT INTO things VALUES ('cmp_none', '{}')`
      const keepers = keepersIn(sql, "things", "company_id", sql`true`)
      expect(yield* keepers).toEqual(Array.from({ length: 500 }, (_, n) => `cmp_${String(n).padStart(3, "0")}`))
      yield* sql`INSERT INTO things VALUES ('cmp_one_more', '{"a":"b"}')`
      expect(yield* Effect.flip(keepers)).toMatchObject({
        code: "unprocessable",
        message: expect.stringContaining("more than 500 companies")
      })
      expect(yield* keepersIn(sql, "things", "company_id", sql`company_id > 'cmp_499'`)).toEqual(["cmp_one_more"])
    }))
})
