import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { dailyRates } from "../../../src/oracles/DailyRatesFile.ts"
import * as Shipped from "../../lib/DailyRates.ts"
import { itEffect } from "../../lib/Effects.ts"

describe("DailyRatesFile", () => {
  itEffect("reads the rates that ship with the program", () =>
    Effect.gen(function* () {
      expect(yield* dailyRates).toEqual(Shipped.dailyRates)
    })
  )
})
