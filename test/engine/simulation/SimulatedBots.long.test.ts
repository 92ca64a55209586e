import { describe, expect, it } from "bun:test"
import { SLOT_MILLIS } from "../../../engine/simulation/Scenario.ts"
import { simulated, withBots } from "../../lib/Simulations.ts"

const TEN_HOURS = 36_000_000
const ORDERS = (TEN_HOURS / SLOT_MILLIS) * 4
const BOTS = 200
const SEEDS = 500
const FIRST_SEED = 10_000

describe("SimulatedBots, long", () => {
  it(`live for ten hours under faults, ${BOTS} of them, twice with the same bytes`, () => {
    const spec = withBots(42, ORDERS, BOTS)
    const { bots, botResponses, endedAt, eventsHash, faults, restarts, startedAt, stateHash, violation } =
      simulated(spec)
    expect(violation).toBeNull()
    expect(endedAt - startedAt).toBeGreaterThanOrEqual(TEN_HOURS)
    expect(bots.length).toBe(BOTS)
    expect(bots.reduce((sum, { decisions }) => sum + decisions, 0)).toBeGreaterThan(10_000)
    expect(bots.reduce((sum, { commitments }) => sum + commitments, 0)).toBeGreaterThan(1_000)
    expect([faults.length > 500, restarts > 50]).toEqual([true, true])
    expect(Object.keys(botResponses)).toEqual(
      expect.arrayContaining(["BotPaused", "BotResumed", "BotTerminated", "CreditsBought", "Evaluated", "Unanswered"])
    )
    const again = simulated(spec)
    expect([again.eventsHash, again.stateHash]).toEqual([eventsHash, stateHash])
  }, 900_000)

  it(`keep every rule under faults, for ${SEEDS} seeds`, () => {
    const broken = Array.from({ length: SEEDS }, (_, index) => simulated(withBots(FIRST_SEED + index)))
      .filter(({ violation }) => violation !== null)
      .map(({ seed, violation }) => `${seed}: ${violation?.invariant}, ${violation?.detail}`)
    expect(broken).toEqual([])
  }, 600_000)
})
