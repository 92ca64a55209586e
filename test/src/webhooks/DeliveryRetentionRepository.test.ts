import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { DELIVERY_STATUSES } from "../../../engine/webhooks/Delivery.ts"
import { HorizonRepository } from "../../../src/database/HorizonRepository.ts"
import * as Retention from "../../../src/Retention.ts"
import { DeliveryRetentionRepository } from "../../../src/webhooks/DeliveryRetentionRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import {
  emptyDeliveries,
  leftDeliveries,
  type RetainedEvent,
  type RetainedRows,
  writeDeliveries
} from "../../lib/RetainedDeliveries.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(
  Layer.mergeAll(DeliveryRetentionRepository.layer, HorizonRepository.layer).pipe(
    Layer.provideMerge(TestDatabase.layer)
  )
)

const NOW = 100

const delivery = fc.record({
  webhook: fc.constantFrom("enabled", "disabled", "deleted"),
  status: fc.constantFrom(...DELIVERY_STATUSES),
  after: fc.nat(NOW),
  attempts: fc.nat(3)
})

/** In the order of the journal. Where times step back, a pass may stop at a step of young events, and the next one goes on. */
const events: fc.Arbitrary<ReadonlyArray<RetainedEvent>> = fc
  .array(fc.record({ at: fc.integer({ min: 1, max: NOW }), deliveries: fc.array(delivery, { maxLength: 3 }) }), {
    maxLength: 12
  })
  .map((made) =>
    made
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, deliveries }) => ({
        at,
        deliveries: deliveries.map(({ after, ...rest }) => ({ ...rest, updatedAt: Math.min(NOW, at + after) }))
      }))
  )

/** A clock that stepped back put an old event after a young one. */
const youngBetween: ReadonlyArray<RetainedEvent> = [10, 50, 10].map((at) => ({ at, deliveries: [] }))

/** What should be left of what {@link writeDeliveries} wrote. */
const keptOf = (made: ReadonlyArray<RetainedEvent>, horizon: number): RetainedRows => {
  const kept = made.map(({ at, deliveries }, index) => {
    const left = deliveries.flatMap(({ attempts, status, updatedAt, webhook }, n) => {
      const ended = status === "delivered" || status === "failed" || webhook === "deleted"
      return ended && updatedAt < horizon ? [] : [{ id: `whd_${index + 1}_${n}`, attempts }]
    })
    return { id: `evt_${index + 1}`, isLeft: at >= horizon || left.length > 0, left }
  })
  const deliveries = kept.flatMap(({ left }) => left)
  return {
    events: kept.flatMap(({ id, isLeft }) => (isLeft ? [id] : [])).toSorted(),
    deliveries: deliveries.map(({ id }) => id).toSorted(),
    attempts: deliveries.flatMap(({ attempts, id }) => Array<string>(attempts).fill(id)).toSorted()
  }
}

const isWithin = (some: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean =>
  some.every((one) => all.includes(one))

const DAY = 86_400_000

/** A day's events: one goes through at once, one fails, and one was tried again until it went through. */
const dayOf = (day: number): ReadonlyArray<RetainedEvent> =>
  Array.from({ length: 10 }, (_, index) => {
    const at = day * DAY + index * 1_000
    const status = index % 5 === 0 ? "failed" : "delivered"
    return { at, deliveries: [{ webhook: "enabled", status, updatedAt: at + 500, attempts: 1 + (index % 5) }] }
  })

describe("DeliveryRetentionRepository", () => {
  it("removes what ended before the horizon and nothing else, wherever it is interrupted", () =>
    Effect.gen(function* () {
      const { removeSome } = yield* DeliveryRetentionRepository
      const runPromise = Effect.runPromiseWith(yield* Effect.context<SqlClient>())
      const some = fc.record({ made: events, horizon: fc.nat(NOW), limit: fc.constantFrom(1, 2, 100), cut: fc.nat(6) })
      const run = Effect.fnUntraced(function* (
        made: ReadonlyArray<RetainedEvent>,
        horizon: number,
        limit: number,
        cut: number
      ) {
        yield* emptyDeliveries
        yield* writeDeliveries(made, 0)
        const kept = keptOf(made, horizon)
        let from: number | undefined = 0
        for (let step = 0; step < cut && from !== undefined; step++) {
          from = (yield* removeSome(horizon, from, limit)).next
          const left = yield* leftDeliveries
          expect(isWithin(kept.events, left.events)).toBe(true)
          expect(isWithin(kept.deliveries, left.deliveries)).toBe(true)
          expect(isWithin(kept.attempts, left.attempts)).toBe(true)
        }
        for (from = 0; from !== undefined;) from = (yield* removeSome(horizon, from, limit)).next
        expect(yield* leftDeliveries).toEqual(kept)
        expect(yield* removeSome(horizon, 0, 100)).toMatchObject({ removed: 0 })
      })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(some, ({ cut, horizon, limit, made }) => runPromise(run(made, horizon, limit, cut))),
          { ...property(4), examples: [[{ made: youngBetween, horizon: 20, limit: 100, cut: 0 }]] }
        )
      )
    }))

  it("removes what waits of a company that was forgotten", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { removeSome } = yield* DeliveryRetentionRepository
      yield* emptyDeliveries
      const waiting = (["pending", "held"] as const).map((status) => ({
        webhook: "enabled" as const,
        status,
        updatedAt: 1,
        attempts: 1
      }))
      yield* writeDeliveries([{ at: 1, deliveries: waiting }], 0)
      yield* removeSome(NOW, 0, 100)
      expect((yield* leftDeliveries).deliveries).toHaveLength(2)
      const company = `cmp_${"f".repeat(24)}`
      yield* sql`UPDATE webhook_deliveries SET company_id = ${company}`
      yield* sql`INSERT INTO erasures (id, company_id, at, erased_by) VALUES (${company}, ${company}, 1, 'usr_1')`
      yield* removeSome(NOW, 0, 100)
      yield* sql`DELETE FROM erasures`
      expect(yield* leftDeliveries).toEqual({ events: [], deliveries: [], attempts: [] })
    }))

  it("leaves at most 1.1 times the rows of one period after ten", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { removeSome } = yield* DeliveryRetentionRepository
      const DAYS = 10
      const retained: Retention.Retained = {
        kind: "deliveries",
        days: DAYS,
        step: (horizon, from) => removeSome(horizon, from, 20)
      }
      yield* emptyDeliveries
      const count = Effect.map(
        leftDeliveries,
        (left) => left.events.length + left.deliveries.length + left.attempts.length
      )
      let onePeriod = 0
      let most = 0
      for (let day = 1; day <= 10 * DAYS; day++) {
        yield* writeDeliveries(dayOf(day), day * 100)
        yield* sql`
          INSERT INTO webhook_days (company_id, day, deliveries) VALUES ('cmp_a', date '1970-01-01' + ${day}::integer, 10)`
        yield* TestClock.setTime((day + 1) * DAY)
        yield* Retention.pass(retained, Effect.void)
        const rows = yield* count
        if (day === DAYS) onePeriod = rows
        most = Math.max(most, rows)
      }
      const [days] = yield* sql<{ readonly count: bigint }>`SELECT count(*) AS count FROM webhook_days`
      expect(onePeriod).toBeGreaterThan(400)
      expect(most).toBeLessThanOrEqual(1.1 * onePeriod)
      expect(Number(days?.count)).toBeLessThanOrEqual(DAYS + 1)
      const [horizon] = yield* sql<{ readonly horizon: bigint }>`SELECT horizon FROM retention_horizons`
      expect(Number(horizon?.horizon)).toBe((9 * DAYS + 1) * DAY)
    }).pipe(Effect.provide(TestClock.layer())))
})
