import { describe, expect } from "bun:test"
import { Effect, Layer, Result } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { settleGroup } from "../../../engine/actor/CommitGroup.ts"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { type AppendedGroup, newAccountsOf } from "../../../engine/journal/AppendedGroup.ts"
import type { JournalEnd } from "../../../engine/journal/JournalRow.ts"
import { Direct } from "../../../src/database/BoundedClient.ts"
import { LedgerTables } from "../../../src/database/LedgerTables.ts"
import { ProjectionSession } from "../../../src/database/WriteSession.ts"
import { WriterTerm } from "../../../src/database/WriterTerm.ts"
import { withLayer } from "../../lib/Effects.ts"
import { type PlannedEntry, plannedBatch, plannedEntry } from "../../lib/LedgerPlans.ts"
import { clearLedger, ledgerRows } from "../../lib/LedgerRows.ts"
import { property } from "../../lib/Property.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(
  Layer.mergeAll(LedgerTables.layer, ProjectionSession.layer).pipe(Layer.provideMerge(TestDatabase.layer))
)

/** Groups as a writer that forgets nothing makes them. */
const groupsOf = (plan: ReadonlyArray<ReadonlyArray<PlannedEntry>>): ReadonlyArray<AppendedGroup> => {
  const memory = new WriterMemory()
  const placed: Array<string> = []
  let seq = 0
  return plan.map((entries) => {
    const batches = entries.map((entry) => plannedBatch(entry, placed))
    const pending = placed.flatMap((id) => memory.hold(id) ?? [])
    const multiHolds = placed.flatMap((id) => memory.multiHold(id) ?? [])
    const settled = settleGroup(
      batches,
      {
        book: new Book([], new Map(pending.map((hold) => [hold.id, hold])), multiHolds, (id) => memory.account(id)),
        heads: { get: (stream) => memory.head(stream) }
      },
      seq,
      link
    )
    expect(settled.results.every(Result.isSuccess)).toBe(true)
    seq += settled.recorded.length
    const newAccounts = newAccountsOf(settled, memory)
    memory.remember(settled, seq)
    const answers = settled.answers.map(({ fingerprint, key, recorded }) => ({
      seq: recorded.seq,
      key,
      fingerprint,
      status: 200,
      body: "{}"
    }))
    return { settled, answers, newAccounts, end: { seq, hash: GENESIS, recordedAt: seq } }
  })
}

/** Writes groups by so many transactions, and answers all rows. */
const written = (cycles: ReadonlyArray<ReadonlyArray<AppendedGroup>>) =>
  Effect.gen(function* () {
    const tables = yield* LedgerTables
    const { transaction } = yield* ProjectionSession
    yield* clearLedger
    for (const groups of cycles) yield* transaction({ statements: [...tables.write(groups)].flat() })
    return yield* ledgerRows
  })

describe("the ledger's tables", () => {
  it("have the answer of what was done in the place of a refusal that was kept too late", () =>
    Effect.gen(function* () {
      const tables = yield* LedgerTables
      const sql = yield* Direct
      const { transaction } = yield* ProjectionSession
      yield* clearLedger
      yield* sql`
        INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at)
        VALUES ('mint0', 'f', 422, '{"refused":1}', 1)`
      const groups = groupsOf([[{ owner: 0, stream: 0, act: "mint", of: 0 }]])
      yield* transaction({ statements: [...tables.write(groups)].flat() })
      expect([...(yield* sql`SELECT status, body FROM idempotency_keys`)]).toEqual([{ status: 200, body: "{}" }])
    }))

  it("have the same rows whether groups are written one by one or together, and whatever is in them", () =>
    Effect.gen(function* () {
      const runPromise = Effect.runPromiseWith(yield* Effect.context<SqlClient | LedgerTables | ProjectionSession>())
      const plan = fc.array(fc.array(plannedEntry, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(plan, (plan) =>
            runPromise(
              Effect.gen(function* () {
                const groups = groupsOf(plan)
                const together = yield* written([groups])
                expect(together).toEqual(yield* written(groups.map((group) => [group])))
                expect(together["events"]).toHaveLength(groups.flatMap(({ settled }) => settled.recorded).length)
              })
            )
          ),
          property(10)
        )
      )
    }))

  it("move from where they were alone, to a row that the journal has, and by the last writer alone", () =>
    Effect.gen(function* () {
      const sql = yield* Direct
      const tables = yield* LedgerTables
      const term = yield* WriterTerm
      const { transaction } = yield* ProjectionSession
      const from = yield* tables.projected
      const endOf = (seq: number) => ({ seq, hash: link(GENESIS, String(seq)), recordedAt: 1 })
      const appended = Effect.forEach([from + 5, from + 7], (seq, index) => {
        const [first, count] = [index === 0 ? from + 1 : from + 6, index === 0 ? 5 : 2]
        return sql`INSERT INTO journal (first_seq, count, term, recorded_at, hash, answers_digest, body)
          VALUES (${BigInt(first)}, ${count}, 1, 1, ${endOf(seq).hash}, ${GENESIS}, '')`
      })
      yield* appended
      const move = (from: number, to: JournalEnd, of = term.current()) =>
        Effect.map(
          Effect.exit(transaction({ condition: tables.advance(from, to, of), statements: [] })),
          ({ _tag }) => _tag
        )
      const other = { ...endOf(from + 5), hash: GENESIS }
      expect([yield* tables.isAppended(other), yield* tables.isAppended(endOf(from + 5))]).toEqual([false, true])
      expect(yield* move(from, other)).toBe("Failure")
      expect(yield* move(from, endOf(from + 5))).toBe("Success")
      expect([yield* move(from, endOf(from + 7)), yield* move(from + 5, endOf(from + 7), term.current() - 1n)]).toEqual(
        ["Failure", "Failure"]
      )
      expect(yield* tables.projected).toBe(from + 5)
    }))
})
