import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { Cell, type CountedUsage } from "../../../src/analytics/UsageCounts.ts"
import { type EndpointDay, UsageRepository } from "../../../src/analytics/UsageRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(UsageRepository.layer.pipe(Layer.provide(TestDatabase.layer)))

interface Asked {
  readonly company: number
  readonly day: number
  readonly endpoint: string
  readonly status: number
  readonly seconds: number
}

const asked: fc.Arbitrary<Asked> = fc.record({
  company: fc.nat(1),
  day: fc.nat(2),
  endpoint: fc.constantFrom("GET /a", "POST /b", "unmatched"),
  status: fc.constantFrom(200, 404, 500),
  seconds: fc.constantFrom(0, 0.000_5, 0.001, 0.25, 3, 1_000)
})

const usageOf = (requests: ReadonlyArray<Asked>, companyOf: (index: number) => string): ReadonlyArray<CountedUsage> => {
  const cells = new Map<string, CountedUsage>()
  for (const { company, day, endpoint, seconds, status } of requests) {
    const key = [company, day, endpoint].join(" ")
    const known = cells.get(key) ?? { companyId: companyOf(company), day, endpoint, cell: new Cell() }
    known.cell.count(status, seconds)
    cells.set(key, known)
  }
  return [...cells.values()]
}

/** What is read of usage that was never written. */
const expected = (usage: ReadonlyArray<CountedUsage>): ReadonlyArray<EndpointDay> =>
  usage
    .map(({ cell, day, endpoint }) => ({
      day,
      endpoint,
      requests: cell.requests,
      clientErrors: cell.clientErrors,
      serverErrors: cell.serverErrors,
      latency: [...cell.latency].slice(0, cell.latency.findLastIndex((count) => count > 0) + 1)
    }))
    .toSorted((one, other) => one.day - other.day || (one.endpoint < other.endpoint ? -1 : 1))

let turn = 0

describe("UsageRepository", () => {
  it("reads the sum of what was added, of one company and of all", () =>
    Effect.gen(function* () {
      const { add, read } = yield* UsageRepository
      const context = yield* Effect.context<never>()
      const play = Effect.fnUntraced(function* (parts: ReadonlyArray<ReadonlyArray<Asked>>) {
        turn += 1
        const nameOf = (company: number) => `cmp_${turn}_${company}`
        const later = parts.map((part) => part.map((one) => ({ ...one, day: one.day + 10 * turn })))
        for (const part of later) yield* add(usageOf(part, nameOf))
        const range = { from: 10 * turn, to: 10 * turn + 2, endpoint: undefined }
        const all = later.flat()
        for (const company of [0, 1]) {
          const own = all.filter((one) => one.company === company)
          expect(yield* read({ ...range, companyId: nameOf(company) })).toEqual(expected(usageOf(own, nameOf)))
        }
        const everybody = all.map((one) => ({ ...one, company: 0 }))
        expect(yield* read({ ...range, companyId: undefined })).toEqual(expected(usageOf(everybody, nameOf)))
        const chosen = { from: range.from, to: range.from, endpoint: "GET /a" }
        const few = everybody.filter(({ day, endpoint }) => day === chosen.from && endpoint === chosen.endpoint)
        expect(yield* read({ ...chosen, companyId: undefined })).toEqual(expected(usageOf(few, nameOf)))
      })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.array(asked, { maxLength: 20 }), { maxLength: 4 }), (parts) =>
            Effect.runPromiseWith(context)(Effect.orDie(play(parts)))
          ),
          { numRuns: Math.ceil(runs() / 10) }
        )
      )
    }))

  it("removes the counts of days before one, so many at once", () =>
    Effect.gen(function* () {
      const { add, prune, read } = yield* UsageRepository
      yield* prune(1_000_000, 1_000_000)
      const days = [5, 6, 7].map((day) => ({ company: 0, day, endpoint: "GET /a", status: 200, seconds: 0 }))
      yield* add(usageOf(days, () => "cmp_old"))
      expect([yield* prune(7, 3), yield* prune(7, 3), yield* prune(7, 3)]).toEqual([3, 1, 0])
      const left = yield* read({ companyId: "cmp_old", from: 0, to: 99, endpoint: undefined })
      expect(left.map(({ day }) => day)).toEqual([7])
    }))
})
