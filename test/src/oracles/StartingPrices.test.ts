import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { StartingPrices } from "../../../src/oracles/StartingPrices.ts"
import { itEffect } from "../../lib/Effects.ts"

describe("StartingPrices", () => {
  itEffect("may have none", () =>
    Effect.gen(function* () {
      const { read } = yield* StartingPrices
      expect((yield* read).size).toBe(0)
    }).pipe(Effect.provide(StartingPrices.none))
  )
})
