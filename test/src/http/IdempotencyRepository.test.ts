import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { IdempotencyRepository } from "../../../src/http/IdempotencyRepository.ts"
import { requestName } from "../../../engine/cluster/RequestName.ts"
import { KEY_RETENTION } from "../../../engine/journal/KeyFilter.ts"
import { SqlClient } from "effect/sql/SqlClient"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"
import { writingUnit } from "../../lib/WritingUnit.ts"

const it = withLayer(
  IdempotencyRepository.layer.pipe(Layer.provide(writingUnit().projection), Layer.provideMerge(TestDatabase.layer))
)

const NOW = 4_000_000_000_000
const first = { fingerprint: "f1", status: 200, body: '{"id":1}' }
const second = { fingerprint: "f2", status: 404, body: "{}" }

describe("IdempotencyRepository", () => {
  it("keeps the first answer for 24 hours, then the next", () =>
    Effect.gen(function* () {
      const repository = yield* IdempotencyRepository
      expect(yield* repository.find("a", NOW)).toBeUndefined()
      yield* repository.keep("a", first, NOW)
      yield* repository.keep("a", second, NOW + 1)
      expect(yield* repository.find("a", NOW + KEY_RETENTION - 1)).toEqual(first)
      expect(yield* repository.find("a", NOW + KEY_RETENTION)).toBeUndefined()
      yield* repository.keep("a", second, NOW + KEY_RETENTION)
      expect(yield* repository.find("a", NOW + KEY_RETENTION)).toEqual(second)
    }))

  it("finds what another node named in the journal, and nothing that is not there", () =>
    Effect.gen(function* () {
      const repository = yield* IdempotencyRepository
      const name = requestName({ connection: "node.1", number: 1, behind: 0 })
      expect(yield* repository.findNamed(name)).toBeUndefined()
      expect(yield* Effect.flip(repository.findNamed("@nonsense"))).toMatchObject({ _tag: "Forgotten" })
    }))

  it("keeps nothing for a process that another one replaced", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const repository = yield* IdempotencyRepository
      yield* sql`UPDATE writer_term SET term = term + 1`
      const error = yield* Effect.flip(repository.keep("late", first, NOW))
      yield* sql`UPDATE writer_term SET term = term - 1`
      expect(error._tag).toBe("Unavailable")
      expect(yield* repository.find("late", NOW)).toBeUndefined()
    }))

  it("keeps an answer with the transaction that is open, or undoes it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const repository = yield* IdempotencyRepository
      const work = (key: string, end: Effect.Effect<void, "refused">) =>
        Effect.andThen(repository.keepWithin(key, first, NOW), end).pipe(sql.withTransaction)
      yield* Effect.flip(work("undone", Effect.fail("refused" as const)))
      expect(yield* repository.find("undone", NOW)).toBeUndefined()
      yield* work("done", Effect.void)
      expect(yield* repository.find("done", NOW)).toEqual(first)
      expect(yield* Effect.flip(work("done", Effect.void))).toMatchObject({ _tag: "Unavailable" })
    }))

  it("answers what is kept already", () =>
    Effect.gen(function* () {
      const repository = yield* IdempotencyRepository
      expect(yield* repository.keep("twice", first, NOW)).toBeUndefined()
      expect(yield* repository.keep("twice", second, NOW)).toEqual(first)
    }))

  it("prunes what is past the retention", () =>
    Effect.gen(function* () {
      const repository = yield* IdempotencyRepository
      yield* repository.keep("old", first, NOW - 10)
      yield* repository.keep("new", first, NOW)
      expect(yield* repository.prune(NOW - 10 + KEY_RETENTION)).toBe(1)
      expect(yield* repository.find("new", NOW)).toEqual(first)
    }))

  it("prunes the journal's answers as well, and nothing else of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const repository = yield* IdempotencyRepository
      const hash = new Uint8Array(32)
      yield* sql`DELETE FROM journal`
      yield* sql`
        INSERT INTO journal (first_seq, count, term, recorded_at, hash, answers_digest, body, answers)
        SELECT seq, 1, 1, ${BigInt(NOW)} - 10 + seq, ${hash}, ${hash}, 'body', '[]' FROM unnest(ARRAY[1, 10]) AS seq`
      expect(yield* repository.prune(NOW - 1 + KEY_RETENTION)).toBe(1)
      const rows = yield* sql`SELECT first_seq, body, answers FROM journal ORDER BY first_seq`
      expect([...rows]).toEqual([
        { first_seq: 1n, body: "body", answers: null },
        { first_seq: 10n, body: "body", answers: "[]" }
      ])
      yield* sql`DELETE FROM journal`
    }))
})
