import { describe, expect, it } from "bun:test"
import type { BotGuardSet, BotPaused } from "../../../engine/bot/BotEvent.ts"
import { playedWithBots as played } from "../../lib/PlayedBots.ts"

const SEEDS = [1, 2, 3, 4]

/** What became of the switches of some simulations: the guards that were set and ended, and who was paused by them. */
const switched = (faults: boolean) => {
  const events = SEEDS.map((seed) => played(seed, faults).journal.events.map(({ event }) => event))
  const all = events.flat()
  return {
    set: all.filter((event): event is BotGuardSet => event._tag === "BotGuardSet" && event.by !== null),
    ended: all.filter((event): event is BotGuardSet => event._tag === "BotGuardSet" && event.by === null),
    paused: all.filter((event): event is BotPaused => event._tag === "BotPaused" && event.by === null)
  }
}

describe("SimulatedGuards", () => {
  for (const faults of [false, true]) {
    it(`pauses bots where nobody asked again, ${faults ? "with" : "without"} faults`, () => {
      const { ended, paused, set } = switched(faults)
      expect([ended.length > 0, paused.length > 0]).toEqual([true, true])
      expect(set.length).toBeGreaterThan(ended.length)
      expect(set.some(({ deadlineAt }) => deadlineAt === null)).toBe(true)
    })
  }
})
