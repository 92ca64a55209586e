import { describe, expect, it } from "bun:test"
import { decisionIdOf, streamOf, type BotEvent, decodeBotEvent } from "../../../engine/bots/BotEvent.ts"
import { BotLife } from "../../lib/BotLife.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import type { SimulatedJournal } from "../../../engine/simulation/SimulatedJournal.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { decodedEvent } from "../../lib/DecodedEvent.ts"
import { environment, withBots } from "../../lib/Simulations.ts"

describe("the streams of bots", () => {
  it("are a company's for their making, and a bot's own for the rest", () => {
    const life = new BotLife()
    life.take({ what: "start" })
    expect(life.stored.map(({ stream }) => stream)).toEqual(["bots/cmp_1", "bot/bot_1"])
    const guard = { _tag: "BotGuardSet", at: 1, by: null, companyId: "cmp_1", deadlineAt: null } as const
    expect(streamOf(guard)).toBe("bot-guard/cmp_1")
  })

  it("name a bot's own decision by bot and order", () => {
    expect(decisionIdOf("bot_1", "ord_2")).toBe("dec_bot_1_ord_2")
  })
})

const isOfBots = (event: PlatformEvent): event is BotEvent => event._tag.startsWith("Bot")

describe("BotEvent", () => {
  it("reads every event of bots back from its bytes, each in its stream", () => {
    const tags = new Set<string>()
    for (const seed of [1, 2, 3, 4]) {
      const kept: { journal?: SimulatedJournal } = {}
      const planted = { journal: { committed: (journal: SimulatedJournal) => void (kept.journal = journal) } }
      simulate(makeScenario(withBots(seed)), { ...environment, planted })
      for (const one of kept.journal?.events ?? []) {
        const { data, stream } = one
        const event = decodedEvent(one)
        if (!isOfBots(event)) continue
        tags.add(event._tag)
        expect(encodeEvent(decodeBotEvent(data))).toBe(data)
        expect(streamOf(event)).toBe(stream)
      }
    }
    expect(tags.size).toBeGreaterThanOrEqual(10)
  })

  it("reads a company's guard, and dies on what is no event of a bot", () => {
    const guard: BotEvent = { _tag: "BotGuardSet", at: 1, by: null, companyId: "cmp_1", deadlineAt: null }
    expect(decodeBotEvent(encodeEvent(guard))).toEqual(guard)
    expect(streamOf(guard)).toBe("bot-guard/cmp_1")
    expect(() => decodeBotEvent(`{"_tag":"BotStarted"}`)).toThrow()
  })
})
