import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { JournalRepository } from "../../../src/database/JournalRepository.ts"
import { Projection } from "../../../src/database/Projection.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { WriteSession } from "../../../src/database/WriteSession.ts"
import { withLayer } from "../../lib/Effects.ts"
import { type PlannedEntry, plannedBatch, plannedEntry } from "../../lib/LedgerPlans.ts"
import { clearLedger, ledgerRows } from "../../lib/LedgerRows.ts"
import { property } from "../../lib/Property.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

const projection = Layer.succeed(
  Projection,
  Projection.of({
    begin: () => Effect.succeed({ statements: () => [], written: () => {} }),
    answers: { of: ({ seq }) => ({ status: 200, body: String(seq) }), follows: () => false },
    projected: () => {}
  })
)

/** A server's writer for as long as the effect runs. */
const serving = <A, E>(effect: Effect.Effect<A, E, SqlClient | UnitOfWork>) =>
  Effect.provide(
    effect,
    Layer.fresh(UnitOfWork.layer).pipe(
      Layer.provide(Layer.mergeAll(JournalRepository.layer, projection, Layer.fresh(WriteSession.layer)))
    )
  )

let plays = 0

/** Appends what is planned, several batches at once, and answers all rows of the tables. */
const play = (plan: ReadonlyArray<ReadonlyArray<PlannedEntry>>) =>
  serving(
    Effect.gen(function* () {
      const journal = yield* UnitOfWork
      const placed: Array<string> = []
      plays += 1
      for (const group of plan) {
        const batches = group.map((entry) => plannedBatch(entry, placed, `${plays}/`))
        yield* Effect.forEach(batches, journal.append, { concurrency: "unbounded" })
      }
      return yield* ledgerRows
    })
  )

describe("the journal at a start", () => {
  it("gives the tables what they lack, whatever that is, as they had it", () =>
    Effect.gen(function* () {
      const runPromise = Effect.runPromiseWith(yield* Effect.context<Layer.Success<typeof TestDatabase.layer>>())
      const plan = fc.array(fc.array(plannedEntry, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 })
      const sql = yield* SqlClient
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(plan, (plan) =>
            runPromise(
              Effect.gen(function* () {
                const before = yield* play(plan)
                yield* clearLedger
                yield* sql`UPDATE projection SET seq = 0`
                expect(yield* serving(ledgerRows)).toEqual(before)
                expect(
                  (yield* sql`SELECT 1 FROM projection WHERE seq = (SELECT coalesce(max(seq), 0) FROM events)`).length
                ).toBe(1)
              })
            )
          ),
          { ...property(4), examples: [[[[{ owner: 0, stream: 0, act: "hold", of: 3 }]]]] }
        )
      )
    }))
})
