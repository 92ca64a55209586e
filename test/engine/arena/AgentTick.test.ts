import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AgentTick } from "../../../engine/arena/AgentTick.ts"
import { AgentFixture, due, LOST, SLOT } from "../../lib/AgentFixture.ts"
import { itEffect } from "../../lib/Effects.ts"

const START = 10 * SLOT

describe("AgentTick", () => {
  itEffect("records, checks, opens and advances, in this order", () =>
    Effect.gen(function* () {
      const fixture = new AgentFixture()
      fixture.live = [due("old", 0)]
      fixture.problems = [{ scope: "fx", reason: "stale_price" }]
      fixture.isBalanced = false
      yield* TestClock.setTime(START)
      yield* new AgentTick(fixture.world).once
      expect(fixture.calls).toEqual([
        "live",
        "record",
        "audit",
        "check",
        "open order/commodity/10",
        "open order/fx/10",
        "open order/options/10",
        "advance old"
      ])
      expect(fixture.checked[0]?.map(({ reason }) => reason)).toEqual(["stale_price", "ledger_imbalance"])
    })
  )

  itEffect("opens none where time passes too fast for anybody to commit", () =>
    Effect.gen(function* () {
      const fixture = new AgentFixture()
      fixture.live = [due("old", 0)]
      yield* TestClock.setTime(START)
      yield* new AgentTick(fixture.world).onceWithoutOrders
      expect(fixture.calls).toEqual(["live", "record", "audit", "check", "advance old"])
    })
  )

  itEffect("looks after what it opened", () =>
    Effect.gen(function* () {
      const fixture = new AgentFixture()
      const agent = new AgentTick(fixture.world)
      yield* TestClock.setTime(START)
      yield* agent.once
      yield* TestClock.adjust(30_000)
      yield* agent.once
      expect(fixture.calls.filter((call) => call.startsWith("advance"))).toEqual([
        "advance commodity/10",
        "advance fx/10",
        "advance options/10"
      ])
    })
  )

  itEffect("ends where the world does not answer, and reads what may have been written in the next round", () =>
    Effect.gen(function* () {
      const fixture = new AgentFixture()
      const agent = new AgentTick(fixture.world)
      yield* TestClock.setTime(START)
      fixture.live = [due("old", 0)]
      fixture.outcomes.push("lost")
      expect(yield* Effect.flip(agent.once)).toBe(LOST)
      expect(fixture.calls).not.toContain("advance old")
      fixture.live = [due("written", 0)]
      yield* agent.once
      expect(fixture.calls.filter((call) => call === "live" || call.startsWith("advance"))).toEqual([
        "live",
        "live",
        "advance written"
      ])
    })
  )
})
