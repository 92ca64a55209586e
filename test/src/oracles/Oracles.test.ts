import { describe, expect, it } from "bun:test"
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { INSTRUMENTS } from "../../../engine/arena/Instrument.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { Settings } from "../../../src/Config.ts"
import { mediansOf, Oracles } from "../../../src/oracles/Oracles.ts"
import { type PriceSource, type Quote, SourceUnavailable } from "../../../src/oracles/PriceSource.ts"
import { StartingPrices } from "../../../src/oracles/StartingPrices.ts"
import { dailyRates } from "../../lib/DailyRates.ts"
import { itEffect } from "../../lib/Effects.ts"
import { priceServer } from "../../lib/PriceServer.ts"

const noon = Date.parse("2026-09-29T12:00:00Z")
const none = { available: false, sample_price: "0", source: "none" }

const quote = (asset: string, price: number, source: string, changes: Partial<Quote> = {}): Quote => ({
  asset,
  price: fromUnits(BigInt(price)),
  source,
  observedAt: 0,
  simulated: false,
  ...changes
})
const source = (name: string, quotes: PriceSource["quotes"]): PriceSource => ({ name, staleAfterMillis: 1_000, quotes })
const fixed = (name: string, ...quotes: ReadonlyArray<Quote>) => source(name, Effect.succeed(quotes))

const oracles = (
  variables: Record<string, string>,
  start: Layer.Layer<StartingPrices> = StartingPrices.none
): Effect.Effect<Oracles["Service"], never, Scope.Scope> =>
  Effect.map(
    Layer.build(
      Oracles.layer.pipe(
        Layer.provide(Layer.mergeAll(Settings.layerOf(variables).pipe(Layer.orDie), start, FetchHttpClient.layer))
      )
    ),
    (context) => Context.get(context, Oracles)
  )
/** Lets the sockets have their turn; virtual time stands still. */
const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
const production = { APP_MODE: "production" }

describe("Oracles", () => {
  it("takes each asset's median over its sources", () => {
    const quotes = [
      quote("XAU", 10, "a", { observedAt: 7 }),
      quote("XAG", 5, "a"),
      quote("XAU", 30, "b", { observedAt: 5 }),
      quote("XAU", 11, "c", { observedAt: 6, simulated: true })
    ]
    expect(mediansOf(quotes)).toEqual([
      { asset: "XAU", price: fromUnits(11n), source: "a,b,c", observedAt: 5, simulated: true },
      { asset: "XAG", price: fromUnits(5n), source: "a", observedAt: 0, simulated: false }
    ])
    expect(mediansOf([])).toEqual([])
  })

  itEffect("leaves out stale quotes and sources that fail", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(2_000)
      const down = source("c", Effect.fail(new SourceUnavailable({ source: "c", reason: "down" })))
      const a = fixed("a", quote("XAU", 10, "a", { observedAt: 1_000 }), quote("XAG", 5, "a", { observedAt: 999 }))
      const service = yield* Effect.service(Oracles).pipe(Effect.provide(Oracles.layerOf([down, a])))
      expect(yield* service.quotes).toMatchObject([{ asset: "XAU" }])
      expect(yield* service.medians).toMatchObject([{ asset: "XAU", price: fromUnits(10n), source: "a" }])
    })
  )

  itEffect("says which source commodities come from, and what is available", () =>
    Effect.gen(function* () {
      const status = (...sources: ReadonlyArray<PriceSource>) =>
        Effect.service(Oracles).pipe(
          Effect.flatMap((service) => service.status),
          Effect.provide(Oracles.layerOf(sources))
        )
      expect(yield* status()).toEqual({
        price_oracle: none,
        fx_api: { available: false },
        gpu_marketplaces: { available: false }
      })
      expect(yield* status(fixed("a", quote("EUR/USD", 5, "a")), fixed("b", quote("L40S", 5, "b")))).toEqual({
        price_oracle: none,
        fx_api: { available: true },
        gpu_marketplaces: { available: true }
      })
      const metals = fixed("a", quote("XAG", 5, "a"), quote("XAU", 4_129_500_000, "a"))
      expect((yield* status(metals)).price_oracle).toEqual({ available: true, sample_price: "4129.5", source: "a" })
      const silver = yield* status(fixed("a", quote("XAG", 5, "a")))
      expect(silver.price_oracle).toEqual({ available: true, sample_price: "0.000005", source: "a" })
    })
  )

  itEffect("simulates everything in a sandbox without live sources", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const service = yield* oracles({})
      const medians = yield* service.medians
      expect(medians.map(({ asset }) => asset)).toEqual(INSTRUMENTS.map(({ asset }) => asset))
      expect(medians.every(({ simulated }) => simulated)).toBe(true)
      expect((yield* service.status).price_oracle).toEqual({
        available: true,
        sample_price: "4129.100455",
        source: "sandbox-simulation"
      })
      expect(service.history).toEqual(dailyRates)
    })
  )

  itEffect("goes on from the starting prices", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const start = Layer.succeed(StartingPrices, { read: Effect.succeed(new Map([["XAU", fromUnits(7_000_000n)]])) })
      const service = yield* oracles({}, start)
      expect((yield* service.status).price_oracle.sample_price).toBe("7")
    })
  )

  itEffect("walks as fast as the setting says, under the secret key", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const settings = [{}, { ARENA_WALK_SPEED: "60" }, { SECRET_KEY: "11".repeat(32) }]
      const services = yield* Effect.forEach(settings, (variables) => oracles(variables))
      yield* TestClock.adjust("1 minute")
      const prices = yield* Effect.forEach(services, ({ medians }) =>
        Effect.map(medians, (list) => list.find(({ asset }) => asset === "BTC")?.price)
      )
      expect(new Set(prices).size).toBe(3)
    })
  )

  itEffect("prices nothing in production without live sources", () =>
    Effect.gen(function* () {
      const service = yield* oracles(production)
      expect(yield* service.quotes).toEqual([])
      expect((yield* service.status).price_oracle).toEqual(none)
    })
  )

  for (const mode of ["sandbox", "production"]) {
    itEffect(`never simulates what a live source is set for, in ${mode}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const server = yield* priceServer
        let arrived = () => {}
        const asked = new Promise<void>((resolve) => {
          arrived = resolve
        })
        server.answer(() => {
          arrived()
          return new Response("down", { status: 500 })
        })
        const service = yield* oracles({ APP_MODE: mode, ORACLE_FX_URL: server.url.href })
        yield* Effect.promise(() => asked)
        const assets = (yield* service.quotes).map(({ asset }) => asset)
        expect(assets).not.toContain("EUR/USD")
        expect(assets).not.toContain("XAU")
        expect(assets.includes("BTC")).toBe(mode === "sandbox")
        expect((yield* service.status).fx_api).toEqual({ available: false })
      })
    )
  }

  itEffect("takes live prices when they come", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const server = yield* priceServer
      server.answer(() => Response.json({ date: "2026-09-29", usd: { eur: 0.5, xau: 0.00025 } }))
      const gpus = yield* priceServer
      const prices = [2, 3, 7].map((usd_per_hour, index) => ({
        model: "L40S",
        provider: `market-${index}`,
        usd_per_hour
      }))
      gpus.answer(() => Response.json({ observed_at: "2026-09-29T12:00:00Z", prices }))
      const service = yield* oracles({
        ...production,
        ORACLE_FX_URL: server.url.href,
        GPU_PRICES_URL: gpus.url.href
      })
      yield* Effect.repeat(Effect.andThen(turn, service.quotes), { until: (quotes) => quotes.length === 5 })
      expect(yield* service.medians).toMatchObject([
        { asset: "EUR/USD", price: fromUnits(2_000_000n), source: "live-rates", simulated: false },
        { asset: "XAU", price: fromUnits(4_000_000_000n) },
        { asset: "L40S", price: fromUnits(3_000_000n), source: "market-0,market-1,market-2" }
      ])
      expect(yield* service.status).toEqual({
        price_oracle: { available: true, sample_price: "4000", source: "live-rates" },
        fx_api: { available: true },
        gpu_marketplaces: { available: true }
      })
    })
  )
})
