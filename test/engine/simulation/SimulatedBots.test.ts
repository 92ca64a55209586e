import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { BotMemory } from "../../../engine/bots/BotMemory.ts"
import type { BotBehavior } from "../../../engine/simulation/SimulatedBots.ts"
import { PLANTED_BOT_BUGS } from "../../lib/PlantedBotBugs.ts"
import { simulated, withBots } from "../../lib/Simulations.ts"

const SEEDS = 8
const MOST_SEEDS = 100

/** The rule that a fault of bots breaks in the first seed that shows it. */
const broken = ({ from = 1, planted }: (typeof PLANTED_BOT_BUGS)[number]): string | undefined => {
  for (let seed = from; seed < from + MOST_SEEDS; seed++) {
    const { violation } = simulated(withBots(seed), planted)
    if (violation !== null) return violation.invariant
  }
  return undefined
}

/** Keeps what a bot knew when its actor failed: what is recorded must hold all the same. */
const keepsMemory = (given: BotBehavior): BotBehavior => {
  const kept = new Map<string, BotMemory>()
  return {
    ...given,
    start: (id) => {
      const memory = kept.get(id)
      return memory !== undefined
        ? Effect.succeed({ _tag: "Ready", state: memory })
        : Effect.map(given.start(id), (started) => {
            if (started._tag === "Ready") kept.set(id, started.state)
            return started
          })
    }
  }
}

describe("SimulatedBots", () => {
  it(`keep every rule under faults, for ${SEEDS} seeds`, () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => simulated(withBots(1 + index)))
    expect(seeds.flatMap(({ seed, violation }) => (violation === null ? [] : [{ seed, violation }]))).toEqual([])
    const bots = seeds.flatMap((result) => result.bots)
    expect(bots.some(({ commitments }) => commitments > 1)).toBe(true)
    expect(bots.some(({ wins }) => wins > 0)).toBe(true)
    expect(bots.some(({ evaluations }) => evaluations > 0)).toBe(true)
    expect(new Set(bots.map(({ status }) => status)).size).toBeGreaterThanOrEqual(4)
  })

  it("give the same bytes for the same seed", () => {
    expect(simulated(withBots(7))).toEqual(simulated(withBots(7)))
  })

  it("decide about every order of their types while they are active and have credits", () => {
    const { bots, orders } = simulated({ ...withBots(5, 40, 8), faults: false })
    const busy = bots.filter(({ decisions }) => decisions > 0)
    expect(busy.length).toBeGreaterThan(5)
    expect(Math.max(...bots.map(({ decisions }) => decisions))).toBeGreaterThan(orders.length / 4)
  })

  it("keep every rule even where an actor that failed remembers what it knew", () => {
    for (let seed = 1; seed <= 4; seed++) {
      expect(simulated(withBots(seed), { botBehavior: keepsMemory }).violation).toBeNull()
    }
  })

  for (const planted of PLANTED_BOT_BUGS) {
    it(`are seen through where one ${planted.bug}`, () => {
      expect(planted.found).toContain(broken(planted) ?? "")
    })
  }
})
