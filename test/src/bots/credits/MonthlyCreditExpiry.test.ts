import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CompanyCredits } from "../../../../src/bots/credits/CompanyCredits.ts"
import * as MonthlyCreditExpiry from "../../../../src/bots/credits/MonthlyCreditExpiry.ts"
import { Unavailable } from "../../../../src/database/DatabaseError.ts"
import { itEffect } from "../../../lib/Effects.ts"

/** Credits whose rounds end as listed, then with nothing to do; `rounds` counts them. */
const deskOf = (ends: ReadonlyArray<Effect.Effect<number, Unavailable>>) => {
  const state = { rounds: 0 }
  const turn = Effect.suspend(() => {
    state.rounds += 1
    return ends[state.rounds - 1] ?? Effect.succeed(0)
  })
  return { state, layer: Layer.succeed(CompanyCredits, { turn } as unknown as CompanyCredits["Service"]) }
}

describe("MonthlyCreditExpiry", () => {
  itEffect("ends months until none is left, goes on after failures, and looks again in ten minutes", () =>
    Effect.gen(function* () {
      const { layer, state } = deskOf([
        Effect.succeed(100),
        Effect.succeed(3),
        Effect.succeed(0),
        Effect.fail(new Unavailable({ reason: "away" })),
        Effect.die("broken")
      ])
      yield* Layer.build(MonthlyCreditExpiry.layer.pipe(Layer.provide(layer)))
      const rounds: Array<number> = []
      for (let times = 0; times < 4; times++) {
        yield* TestClock.adjust(times === 0 ? 0 : "10 minutes")
        yield* Effect.yieldNow
        rounds.push(state.rounds)
      }
      expect(rounds).toEqual([3, 4, 5, 6])
    })
  )
})
