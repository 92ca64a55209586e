import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { GPUS, INSTRUMENTS } from "../../../engine/arena/Instrument.ts"
import { type Amount, fromUnits } from "../../../engine/money/Amount.ts"
import { make, SimulationRefused } from "../../../src/oracles/SimulatedSource.ts"
import { dailyRates, keyed } from "../../lib/DailyRates.ts"
import { itEffect } from "../../lib/Effects.ts"

const noon = Date.parse("2026-09-30T12:00:00Z")
const options = {
  mode: "sandbox",
  hash: keyed("a"),
  history: dailyRates,
  speed: 1,
  start: new Map<string, Amount>(),
  assets: new Set(INSTRUMENTS.map(({ asset }) => asset))
} as const

describe("SimulatedSource", () => {
  itEffect("refuses to run in production", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(make({ ...options, mode: "production" }))
      expect(refused).toBeInstanceOf(SimulationRefused)
      expect(refused.message).toBe("Simulated prices are for the sandbox alone.")
    })
  )

  itEffect("begins at the last closes and list prices, and says that it is simulated", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon + 700)
      const source = yield* make(options)
      const quotes = yield* source.quotes
      expect(quotes.map(({ asset }) => asset)).toEqual(INSTRUMENTS.map(({ asset }) => asset))
      expect(quotes.find(({ asset }) => asset === "XAU")?.price).toBe(fromUnits(4_129_100_455n))
      expect(quotes.find(({ asset }) => asset === "L40S")?.price).toBe(
        GPUS.find(({ asset }) => asset === "L40S")!.listPrice
      )
      for (const quote of quotes) {
        expect(quote).toMatchObject({ source: "sandbox-simulation", simulated: true, observedAt: noon })
      }
    })
  )

  itEffect("stands still within a second and moves with the next, however often it is asked", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const [often, once] = [yield* make(options), yield* make(options)]
      const first = yield* often.quotes
      yield* TestClock.adjust(999)
      expect(yield* often.quotes).toEqual(first)
      yield* TestClock.adjust(1)
      expect(yield* often.quotes).not.toEqual(first)
      for (let second = 0; second < 20; second++) {
        yield* TestClock.adjust(1_000)
        yield* often.quotes
      }
      expect(yield* once.quotes).toEqual(yield* often.quotes)
    })
  )

  itEffect("goes on from the last recorded prices after a restart", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const source = yield* make(options)
      yield* TestClock.adjust("10 minutes")
      const recorded = yield* source.quotes
      yield* TestClock.adjust("5 hours")
      const restarted = yield* make({ ...options, start: new Map(recorded.map(({ asset, price }) => [asset, price])) })
      expect((yield* restarted.quotes).map(({ price }) => price)).toEqual(recorded.map(({ price }) => price))
      yield* TestClock.adjust("1 second")
      expect((yield* restarted.quotes).map(({ price }) => price)).not.toEqual(recorded.map(({ price }) => price))
    })
  )

  itEffect("quotes the assets it is told alone, and is another under another key", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const some = yield* make({ ...options, assets: new Set(["XAU", "DOGE"]) })
      const other = yield* make({ ...options, assets: new Set(["XAU"]), hash: keyed("b") })
      yield* TestClock.adjust("1 minute")
      expect((yield* some.quotes).map(({ asset }) => asset)).toEqual(["XAU"])
      expect(yield* some.quotes).not.toEqual(yield* other.quotes)
    })
  )
})
