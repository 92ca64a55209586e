import { describe, expect, it } from "bun:test"
import { playedWithBots as played } from "../../lib/PlayedBots.ts"

describe("BotDesk", () => {
  it("makes the bots, and carries out what their owners ask", () => {
    const { journal, result, scenario } = played(2, false)
    const tags = Map.groupBy(journal.events, ({ event }) => event._tag)
    expect(tags.get("BotCreated")?.length).toBe(scenario.bots.length)
    for (const tag of ["BotFunded", "BotStarted", "BotPaused", "BotWithdrawn", "CreditsBought"] as const) {
      expect([tag, (tags.get(tag)?.length ?? 0) > 0]).toEqual([tag, true])
    }
    expect(result.botResponses["BotFunded"]).toBe(tags.get("BotFunded")!.length)
    expect(result.botResponses["AlreadyThere"]).toBeGreaterThan(0)
  })

  it("carries out what moves money once, however often it arrives", () => {
    let replayed = 0
    for (const seed of [4, 5, 6]) {
      const { journal, result } = played(seed, true)
      const ids = new Set(journal.answers.keys())
      const moved = journal.events.filter(
        ({ event }) =>
          event._tag === "BotFunded" ||
          event._tag === "BotWithdrawn" ||
          (event._tag === "CreditsBought" && !event.automatic)
      )
      expect(moved.length).toBe([...ids].filter((id) => id.startsWith("bot/")).length)
      replayed += result.botResponses["Replayed"] ?? 0
    }
    expect(replayed).toBeGreaterThan(0)
  })

  it("gives back what terminated bots are still paid", () => {
    const found = [1, 2, 3, 4, 5, 6].flatMap((seed) => played(seed, true).journal.events.map(({ event }) => event._tag))
    expect(found).toContain("BotTerminated")
    expect(found).toContain("BotReturned")
  })
})
