import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { botServer, playBots } from "../../lib/bots/BotMoney.ts"
import { itLive } from "../../lib/Effects.ts"

const SEQUENCES = 2
const LONGEST = 10

/** Every kind of move is taken in some sequence. */
const KINDS = "budget evaluate fund limit pause resume start terminate topup withdraw".split(" ")

describe("Credits and collateral of bots", () => {
  itLive("are conserved, whatever their owner does at once", () =>
    Effect.gen(function* () {
      const { commitments, profits, taken } = yield* playBots(yield* botServer, SEQUENCES, LONGEST)
      expect([...taken.keys()].toSorted()).toEqual(KINDS)
      expect(commitments).toBeGreaterThan(5)
      expect(profits.some((profit) => profit > 1_000_000n)).toBe(true)
    })
  )
})
