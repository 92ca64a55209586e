import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { appendedRows } from "../../../engine/journal/JournalRow.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { appendJournal, journalAfter } from "../../../src/database/JournalStatements.ts"
import { rollback } from "../../../src/database/Migrations.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

const entry = (data: string) => ({ stream: "s/1", data, key: "k", claims: [], commands: [] })
const answer = (seq: number, body: string) => ({ seq, key: "k", fingerprint: "f", status: 200, body })

/** Appends one row behind an end. */
const append = Effect.fnUntraced(function* (end: { seq: number; hash: Uint8Array }, data: string, body: string) {
  const sql = yield* SqlClient
  const [term] = yield* sql<{ readonly term: bigint }>`SELECT term FROM writer_term`
  const group = { entries: [entry(data)], answers: [answer(end.seq + 1, body)], term: 1n, now: 1 }
  const rows = appendedRows({ ...end, recordedAt: 0 }, group, link)
  yield* appendJournal(sql)(rows, end.hash, term?.term ?? 0n)
  return rows
})

describe("the journal's rows", () => {
  it("are read as they were appended, and long ones are stored in a fraction of their length", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`DELETE FROM journal`
      const [first] = yield* append({ seq: 0, hash: GENESIS }, '{"a":1}', "{}")
      const [second] = yield* append({ seq: 1, hash: first!.hash }, '{"a":"é"}'.repeat(1_000), "{}".repeat(2_000))
      expect(yield* journalAfter(sql)(0)).toEqual([first!, second!])
      const stored = yield* sql<{ readonly bytes: number }>`
        SELECT octet_length(body) + octet_length(answers) AS bytes FROM journal ORDER BY first_seq`
      expect(stored[0]?.bytes).toBe(first!.body.length + first!.answers!.length)
      expect(stored[1]?.bytes).toBeLessThan(400)
    }))

  it("go where the version before is wanted back that cannot read them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`DELETE FROM journal`
      const left = Effect.map(sql`SELECT first_seq FROM journal`, (rows) => rows.length)
      const [first] = yield* append({ seq: 0, hash: GENESIS }, '{"a":1}', "{}".repeat(2_000))
      yield* append({ seq: 1, hash: first!.hash }, '{"a":1}', "{}")
      expect(yield* left).toBe(2)
      yield* sql`UPDATE projection SET seq = 2`
      yield* rollback(46)
      expect(yield* left).toBe(0)
      const [only] = yield* append({ seq: 2, hash: GENESIS }, '{"a":1}', "{}")
      expect([only?.firstSeq, yield* left]).toEqual([3, 1])
    }))
})
