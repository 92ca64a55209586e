import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { botServer, playBots } from "../../lib/bots/BotMoney.ts"
import { itLive } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"

const LONGEST = 40
const LIMIT = 1_800_000

describe("Credits and collateral of bots, many times", () => {
  itLive(
    "are conserved, whatever their owner does at once",
    () =>
      Effect.gen(function* () {
        const { taken } = yield* playBots(yield* botServer, Math.ceil(runs() / 20), LONGEST)
        expect(taken.size).toBe(10)
      }),
    LIMIT
  )
})
