import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { SqlClient } from "effect/sql/SqlClient"
import { type PaymentLease, PaymentTimes, type TimedPayment } from "../../../engine/simulation/platform/PaymentTimes.ts"
import { paymentSchedule } from "../../../src/database/migrations/0039_payment_schedule.ts"
import { PaymentScheduleRepository } from "../../../src/payments/PaymentScheduleRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"
import { layer as database } from "../../lib/TestDatabase.ts"

const itSchedules = withLayer(PaymentScheduleRepository.layer.pipe(Layer.provideMerge(database)))

/** A payment as events left it, or an event more of one. */
const recorded = Effect.fnUntraced(function* (id: string, seq: number, direct = false) {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO payments (id, order_id, payer, company_id, provider, direct, extent, capture, state, amount, created_at,
      changed_at, event_seq)
    VALUES (${id}, 'pur_1', 'usr_1', 'cmp_1', 'wallet', ${direct}, 'all', 'automatic', 'created', 1, 1, 1, ${BigInt(seq)})
    ON CONFLICT (id) DO UPDATE SET event_seq = EXCLUDED.event_seq`
})

const run = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient, (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement)))

const emptied = run(["DELETE FROM payments", "DELETE FROM payment_schedule", "UPDATE payment_cursor SET seq = 0"])

/** The latest time of a step. */
const LATEST = 4

const step = fc.record({
  act: fc.constantFrom("record", "lease", "release", "postpone", "due"),
  id: fc.constantFrom("a", "direct"),
  at: fc.integer({ min: 0, max: LATEST }),
  attempts: fc.integer({ min: 0, max: 2 })
})

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

describe("the schedule of payments", () => {
  itSchedules("makes due what something was recorded of, once, but not what is paid at once", () =>
    Effect.gen(function* () {
      yield* emptied
      const { due, lease, release } = yield* PaymentScheduleRepository
      yield* recorded("a", 1)
      yield* recorded("b", 2)
      yield* recorded("c", 3, true)
      expect(yield* due(10, 9)).toEqual(["a", "b"])
      expect(yield* due(10, 1)).toEqual(["a"])
      yield* release("a", yield* lease("a", 50), undefined)
      yield* release("b", yield* lease("b", 50), 90)
      expect(yield* due(89, 9)).toEqual([])
      expect(yield* due(90, 9)).toEqual(["b"])
    })
  )

  itSchedules("makes due again what something was recorded of since it was leased", () =>
    Effect.gen(function* () {
      yield* emptied
      const { due, lease, release } = yield* PaymentScheduleRepository
      yield* recorded("a", 1)
      const first = yield* lease("a", 50)
      yield* release("a", first, undefined)
      expect(yield* due(60, 9)).toEqual([])
      const second = yield* lease("a", 100)
      yield* recorded("a", 4)
      yield* release("a", second, undefined)
      expect(yield* due(60, 9)).toEqual(["a"])
      const third = yield* lease("a", 100)
      yield* recorded("a", 5)
      expect(yield* due(60, 9)).toEqual(["a"])
      yield* release("a", third, undefined)
      expect(yield* due(60, 9)).toEqual(["a"])
    })
  )

  itSchedules("makes due all payments that one event is about, however many came before it", () =>
    Effect.gen(function* () {
      yield* emptied
      const sql = yield* SqlClient
      yield* sql`
        INSERT INTO payments (id, order_id, payer, company_id, provider, direct, extent, capture, state, amount,
          created_at, changed_at, event_seq)
        SELECT 'p' || number, 'pur_1', 'usr_1', 'cmp_1', 'wallet', false, 'all', 'automatic', 'created', 1, 1, 1,
          least(number, 999) FROM generate_series(1, 1002) AS number`
      const { due } = yield* PaymentScheduleRepository
      yield* due(10, 1)
      expect(yield* due(10, 2_000)).toHaveLength(1_002)
      yield* emptied
    })
  )

  itSchedules("counts requests without an answer until something is recorded", () =>
    Effect.gen(function* () {
      yield* emptied
      const { attempts, due, lease, postpone } = yield* PaymentScheduleRepository
      yield* recorded("a", 1)
      expect(yield* attempts("a")).toBe(0)
      yield* postpone("a", 70, 3)
      expect([yield* attempts("a"), yield* due(69, 9), yield* due(70, 9)]).toEqual([3, [], ["a"]])
      yield* lease("a", 80)
      expect(yield* attempts("a")).toBe(3)
      yield* recorded("a", 2)
      expect([yield* attempts("a"), yield* due(71, 9)]).toEqual([0, ["a"]])
    })
  )

  itSchedules("is what simulations have in its place", () =>
    Effect.gen(function* () {
      const schedule = yield* PaymentScheduleRepository
      const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
        yield* emptied
        const payments = new Map<string, TimedPayment>()
        const leases = new Map<string, PaymentLease>()
        const times = new PaymentTimes((id) => payments.get(id))
        let seq = 0
        for (const { act, at, attempts, id } of steps) {
          const lease = leases.get(id)
          const isDirect = id === "direct"
          if (act === "record") {
            payments.set(id, { seq: (seq += 1), isDirect })
            times.recorded(id)
            yield* recorded(id, seq, isDirect)
          } else if (act === "lease") {
            const taken = yield* schedule.lease(id, at)
            expect(times.lease(id, at)).toEqual(taken)
            leases.set(id, taken)
          } else if (act === "release" && lease !== undefined) {
            const due = attempts === 0 ? undefined : at
            times.release(id, lease, due)
            yield* schedule.release(id, lease, due)
          } else if (act === "postpone") {
            times.postpone(id, at, attempts)
            yield* schedule.postpone(id, at, attempts)
          } else if (act === "due") {
            expect(times.due(at)).toEqual(yield* schedule.due(at, 9))
          }
          expect(times.attempts(id)).toBe(yield* schedule.attempts(id))
        }
        expect(times.due(LATEST)).toEqual(yield* schedule.due(LATEST, 9))
      })
      const context = yield* Effect.context<SqlClient>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), (steps) =>
            Effect.runPromiseWith(context)(Effect.orDie(play(steps)))
          ),
          { numRuns: Math.ceil(runs() / 2) }
        )
      )
    })
  )

  itSchedules("is taken along in both directions", () =>
    Effect.gen(function* () {
      yield* emptied
      const { due, lease, postpone, release } = yield* PaymentScheduleRepository
      for (const [index, id] of ["a", "b", "c", "d"].entries()) yield* recorded(id, index + 1)
      yield* recorded("e", 5, true)
      yield* postpone("a", 70, 3)
      yield* release("b", yield* lease("b", 50), undefined)
      yield* release("c", yield* lease("c", 50), 90)
      yield* run(paymentSchedule.down as ReadonlyArray<string>)
      const sql = yield* SqlClient
      expect(yield* sql`SELECT id, due_at, attempts FROM payments ORDER BY id`).toEqual([
        { id: "a", due_at: 70n, attempts: 3 },
        { id: "b", due_at: null, attempts: 0 },
        { id: "c", due_at: 90n, attempts: 0 },
        { id: "d", due_at: 1n, attempts: 0 },
        { id: "e", due_at: null, attempts: 0 }
      ])
      yield* run(paymentSchedule.up)
      const { attempts } = yield* PaymentScheduleRepository
      expect(yield* due(1, 9)).toEqual(["d"])
      expect(yield* due(100, 9)).toEqual(["d", "a", "c"])
      expect(yield* attempts("a")).toBe(3)
    })
  )
})
