import { describe, expect, it } from "bun:test"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { fromNumber } from "../../../engine/money/Amount.ts"
import { BODY_LIMIT_BYTES, REQUEST_TIMEOUT_MILLIS } from "../../../src/oracles/BoundedJson.ts"
import { LIVE_INSTRUMENTS, make, PUBLICATION_MAX_AGE_MILLIS, quotesOf } from "../../../src/oracles/LiveRatesSource.ts"
import { BREAKER_FAILURES, BREAKER_OPEN_MILLIS } from "../../../src/oracles/PolledSource.ts"
import { dailyRatesText } from "../../lib/DailyRates.ts"
import { itEffect } from "../../lib/Effects.ts"
import { client, priceServer, stall } from "../../lib/PriceServer.ts"

const [header = [], ...rows] = dailyRatesText
  .trim()
  .split("\n")
  .map((line) => line.split(","))
const usd = Object.fromEntries(header.slice(1).map((code, column) => [code, Number(rows.at(-1)?.[column + 1])]))
const date = "2026-09-29"
const midnight = Date.parse(date)
const noon = midnight + 43_200_000
const amount = (value: number) => Result.getOrThrow(fromNumber(value))

const served = Effect.gen(function* () {
  yield* TestClock.setTime(noon)
  const server = yield* priceServer
  const source = yield* make(yield* client, server.url)
  const publish = (body: unknown) => server.answer(() => Response.json(body))
  publish({ date, usd })
  return { publish, server, source }
})

describe("LiveRatesSource", () => {
  itEffect("quotes currencies and metals from the shortest decimals, and not crypto-currencies", () =>
    Effect.gen(function* () {
      const { source } = yield* served
      yield* source.refresh
      const quotes = yield* source.quotes
      expect(quotes.map(({ asset }) => asset)).toEqual(LIVE_INSTRUMENTS.map(({ asset }) => asset))
      expect(quotes.length).toBe(12)
      const price = (asset: string) => quotes.find((quote) => quote.asset === asset)?.price
      expect(price("EUR/USD")).toBe(amount(1.136072))
      expect(price("JPY/USD")).toBe(amount(0.635012))
      expect(price("XAU")).toBe(amount(4129.100455))
      for (const quote of quotes) {
        expect(quote).toMatchObject({ source: "live-rates", observedAt: noon, simulated: false })
      }
    })
  )

  itEffect("does without missing symbols and ignores others", () =>
    Effect.gen(function* () {
      const { publish, source } = yield* served
      publish({ date, usd: { eur: 0.5, xyz: "?", btc: 1e-5 }, extra: true })
      yield* source.refresh
      expect(yield* source.quotes).toMatchObject([{ asset: "EUR/USD", price: amount(2) }])
    })
  )

  itEffect("refuses rates that are no positive numbers, of no known symbol, or of no date", () =>
    Effect.gen(function* () {
      const { publish, source } = yield* served
      const bodies = [
        {},
        [],
        { date },
        { usd },
        { date, usd: {} },
        { date, usd: { xyz: 1 } },
        { date, usd: { eur: "0.88" } },
        { date, usd: { eur: 0 } },
        { date, usd: { eur: -1 } },
        { date, usd: { eur: null } },
        { date, usd: { eur: 1e-300 } },
        { date: "29.09.2026", usd },
        { date: "2026-13-45", usd }
      ]
      for (const [index, body] of bodies.entries()) {
        publish(body)
        expect((yield* Effect.flip(source.refresh)).source).toBe("live-rates")
        expect(yield* Effect.flip(source.quotes)).toMatchObject({ reason: "no answer lately" })
        if ((index + 1) % BREAKER_FAILURES === 0) yield* TestClock.adjust(BREAKER_OPEN_MILLIS)
        publish({ date, usd: { eur: 1 } })
        yield* source.refresh
        yield* TestClock.adjust(10 * BREAKER_OPEN_MILLIS)
      }
    })
  )

  itEffect("refuses a publication that is too old or of the future", () =>
    Effect.gen(function* () {
      const { publish, source } = yield* served
      publish({ date: "2026-09-26", usd })
      expect(yield* Effect.flip(source.refresh)).toMatchObject({ reason: "the rates are of 2026-09-26" })
      publish({ date: "2026-10-01", usd })
      expect(yield* Effect.flip(source.refresh)).toMatchObject({ reason: "the rates are of 2026-10-01" })
      publish({ date: "2026-09-30", usd })
      yield* source.refresh
    })
  )

  it("takes a publication to the last millisecond of its time", () => {
    const last = midnight + PUBLICATION_MAX_AGE_MILLIS
    expect(Result.isSuccess(quotesOf({ date, usd: { eur: 1 } }, last))).toBe(true)
    expect(Result.isSuccess(quotesOf({ date, usd: { eur: 1 } }, last + 1))).toBe(false)
  })

  itEffect("fails for errors, garbage, huge bodies and silence, then is left alone, probed and used again", () =>
    Effect.gen(function* () {
      const { publish, server, source } = yield* served
      server.answer(() => new Response("down", { status: 500 }))
      expect(yield* Effect.flip(source.refresh)).toMatchObject({ reason: "status 500" })
      server.answer(() => new Response("x".repeat(BODY_LIMIT_BYTES + 1)))
      expect(yield* Effect.flip(source.refresh)).toMatchObject({ reason: `the body is over ${BODY_LIMIT_BYTES} bytes` })
      server.answer(stall)
      const slow = yield* Effect.forkChild(Effect.flip(source.refresh), { startImmediately: true })
      yield* TestClock.adjust(REQUEST_TIMEOUT_MILLIS)
      expect(yield* Fiber.join(slow)).toMatchObject({ reason: `no answer in ${REQUEST_TIMEOUT_MILLIS} ms` })

      publish({ date, usd })
      const before = server.requests()
      expect(yield* Effect.flip(source.refresh)).toMatchObject({ reason: "left alone after 3 failures in a row" })
      expect(server.requests()).toBe(before)

      server.answer(() => new Response("{"))
      yield* TestClock.adjust(BREAKER_OPEN_MILLIS)
      yield* Effect.flip(source.refresh)
      yield* Effect.flip(source.refresh)
      expect(server.requests()).toBe(before + 1)

      publish({ date, usd })
      yield* TestClock.adjust(BREAKER_OPEN_MILLIS)
      yield* source.refresh
      expect((yield* source.quotes).length).toBe(12)
    })
  )
})
