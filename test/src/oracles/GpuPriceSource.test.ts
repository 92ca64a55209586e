import { describe, expect, it } from "bun:test"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { fromNumber } from "../../../engine/money/Amount.ts"
import {
  make,
  MAX_OFFERS,
  OBSERVATION_MAX_AGE_MILLIS,
  OBSERVATION_MAX_LEAD_MILLIS,
  quotesOf
} from "../../../src/oracles/GpuPriceSource.ts"
import { itEffect } from "../../lib/Effects.ts"
import { client, priceServer } from "../../lib/PriceServer.ts"

const observed_at = "2026-09-29T12:00:00Z"
const noon = Date.parse(observed_at)
const offer = (model: string, provider: string, usd_per_hour: number) => ({ model, provider, usd_per_hour })
const prices = [offer("H100-SXM", "one", 2.5), offer("H100-SXM", "two", 2.25), offer("L40S", "one", 0.8)]
const amount = (value: number) => Result.getOrThrow(fromNumber(value))

describe("GpuPriceSource", () => {
  itEffect("quotes every provider's price of the configured models", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const server = yield* priceServer
      server.answer(() => Response.json({ observed_at, prices: [...prices, offer("ABACUS", "one", 1)] }))
      const source = yield* make(yield* client, server.url)
      yield* source.refresh
      expect(yield* source.quotes).toEqual(
        prices.map(({ model, provider, usd_per_hour }) => ({
          asset: model,
          price: amount(usd_per_hour),
          source: provider,
          observedAt: noon,
          simulated: false
        }))
      )
    })
  )

  itEffect("refuses answers of another shape", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const server = yield* priceServer
      const bodies = [
        {},
        { observed_at },
        { observed_at: "yesterday", prices },
        { observed_at, prices: [] },
        { observed_at, prices: [offer("L40S", "one", 0)] },
        { observed_at, prices: [offer("L40S", "", 1)] },
        { observed_at, prices: [offer("L40S", "x".repeat(65), 1)] },
        { observed_at, prices: [offer("ABACUS", "one", 1)] },
        { observed_at, prices: Array.from({ length: MAX_OFFERS + 1 }, () => prices[0]) }
      ]
      for (const body of bodies) {
        server.answer(() => Response.json(body))
        const source = yield* make(yield* client, server.url)
        expect((yield* Effect.flip(source.refresh)).source).toBe("gpu-marketplaces")
      }
    })
  )

  it("counts a provider's first price of a model, rounded at the sixth decimal", () => {
    const twice = [offer("L40S", "one", 0.800000_4), offer("L40S", "one", 0.9)]
    expect(Result.getOrThrow(quotesOf({ observed_at, prices: twice }, noon))).toMatchObject([{ price: amount(0.8) }])
  })

  it("takes an observation within its time alone", () => {
    const taken = (now: number) => Result.isSuccess(quotesOf({ observed_at, prices }, now))
    expect([OBSERVATION_MAX_AGE_MILLIS, OBSERVATION_MAX_AGE_MILLIS + 1].map((age) => taken(noon + age))).toEqual([
      true,
      false
    ])
    expect([OBSERVATION_MAX_LEAD_MILLIS, OBSERVATION_MAX_LEAD_MILLIS + 1].map((lead) => taken(noon - lead))).toEqual([
      true,
      false
    ])
  })
})
