import { describe, expect } from "bun:test"
import { Effect, Result, Stream } from "effect"
import fc from "fast-check"
import type { Median } from "../../../../engine/arena/Median.ts"
import { fromUnits, toNumber } from "../../../../engine/money/Amount.ts"
import { DAY } from "../../../../src/arena/history/HistoryDay.ts"
import { HistoryFiles } from "../../../../src/arena/history/HistoryFiles.ts"
import { readMedians } from "../../../../src/arena/history/MedianFile.ts"
import { MedianRepository, type SourcedMedian } from "../../../../src/arena/MedianRepository.ts"
import { isoUtc } from "../../../../src/api/Timestamp.ts"
import { itLive } from "../../../lib/Effects.ts"
import { runs } from "../../../lib/Property.ts"
import type { Answer } from "../../../lib/Requests.ts"
import { TestServer } from "../../../lib/TestServer.ts"

interface CandleJson {
  readonly at: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly prices: number
}

interface CandlesJson {
  readonly candles: ReadonlyArray<CandleJson>
  readonly total: number
}

const START = Date.parse("2026-09-30T12:00:00.000Z")

/** Milliseconds that the prices of a case are spread over. */
const SPAN = 4 * 3_600_000

const prices = fc.uniqueArray(
  fc.record({ at: fc.nat(SPAN), units: fc.integer({ min: 1, max: 5_000_000 }), safe: fc.boolean() }),
  { selector: ({ at }) => at, maxLength: 400, size: "max" }
)

const query = fc.record({
  interval: fc.integer({ min: 60, max: 86_400 }).chain((any) => fc.constantFrom(60, 61, 900, any)),
  from: fc.option(fc.nat(SPAN)),
  to: fc.option(fc.nat(SPAN)),
  limit: fc.integer({ min: 1, max: 100 })
})

/** One price after another. */
const naive = (
  medians: ReadonlyArray<Median>,
  { from, interval, to }: { readonly interval: number; readonly from: number; readonly to: number }
): ReadonlyArray<CandleJson> => {
  const made = new Map<number, CandleJson>()
  for (const { at, price, safe } of medians.toSorted((one, other) => one.at - other.at)) {
    if (!safe || at < from || at >= to) continue
    const begin = at - (at % (interval * 1_000))
    const value = toNumber(price)
    const known = made.get(begin) ?? {
      at: isoUtc(begin),
      open: value,
      high: value,
      low: value,
      close: value,
      prices: 0
    }
    made.set(begin, {
      ...known,
      high: Math.max(known.high, value),
      low: Math.min(known.low, value),
      close: value,
      prices: known.prices + 1
    })
  }
  return [...made.values()]
}

describe("GET /api/arena/candles/{asset}", () => {
  itLive("are none of an instrument before its first price, and a 404 of what is none", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { id } = yield* server.user()
      const none = yield* server.get<CandlesJson>("/api/arena/candles/XAU?interval=60", id)
      expect([none.status, none.json.candles, none.json.total]).toEqual([200, [], 0])
      for (const name of ["EUR%2FUSD", "EURUSD", "eur-usd", "Eur_Usd"]) {
        const named = yield* server.get(`/api/arena/candles/${name}?interval=60`, id)
        expect(named).toMatchObject({ status: 200, json: { asset: "EUR/USD" } })
      }
      const unknown = yield* server.get<{ readonly code: string }>("/api/arena/candles/GOLD?interval=60", id)
      expect([unknown.status, unknown.json.code]).toEqual([404, "not_found"])
    })
  )

  itLive(
    "are what the safe prices make one after another, through all pages",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const { id } = yield* server.user()
        const cases = fc.sample(fc.tuple(prices, query), Math.ceil(runs() / 5))
        for (const [index, [given, { from, interval, limit, to }]] of cases.entries()) {
          const asset = `A${index}/USD`
          const medians = given.map(({ at, safe, units }): SourcedMedian => ({
            asset,
            at: START + at,
            price: fromUnits(BigInt(units)),
            safe,
            source: "test"
          }))
          yield* server.run(Effect.flatMap(MedianRepository, ({ insert }) => insert(medians)))
          const [first, end] = [START + (from ?? 0), START + (to ?? SPAN + 1)]
          const edges = [
            ...(from === null ? [] : [`&from=${isoUtc(first)}`]),
            ...(to === null ? [] : [`&to=${isoUtc(end)}`])
          ].join("")
          const expected = naive(medians, { interval, from: first, to: end })
          const found: Array<CandleJson> = []
          let path: string | undefined =
            `/api/arena/candles/${encodeURIComponent(asset)}?interval=${interval}&limit=${limit}${edges}`
          while (path !== undefined) {
            const { headers, json, status }: Answer<CandlesJson> = yield* server.get<CandlesJson>(path, id)
            expect(status).toBe(given.length === 0 ? 404 : 200)
            if (status === 404) break
            expect(json).toMatchObject({ total: expected.length })
            found.push(...json.candles)
            path = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1]
          }
          expect(found).toEqual([...expected])
        }
        // The file of the day has all of these, and the same candles follow from it.
        const text = yield* server.run(
          Effect.flatMap(HistoryFiles, ({ contents }) =>
            Stream.mkString(Stream.decodeText(contents({ day: Math.floor(START / DAY), bids: "open" }, "medians.csv")))
          )
        )
        const recorded = Map.groupBy(Result.getOrThrow(readMedians(text)), ({ asset }) => asset)
        for (const [index, [given, { interval }]] of cases.entries()) {
          const asset = `A${index}/USD`
          const path = `/api/arena/candles/${encodeURIComponent(asset)}?interval=${interval}&limit=100`
          const { json } = yield* server.get<CandlesJson>(path, id)
          const made = naive(recorded.get(asset) ?? [], { interval, from: 0, to: START + DAY })
          expect(recorded.get(asset)?.length ?? 0).toBe(given.length)
          if (given.length > 0) expect([...json.candles]).toEqual(made.slice(0, 100))
        }
      }),
    60_000
  )
})
