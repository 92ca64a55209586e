import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { type BotEvent, streamOf } from "../../../engine/bot/BotEvent.ts"
import { decodeBotEvent } from "../../../engine/bot/BotEventCodec.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import type { SimulatedJournal } from "../../../engine/simulation/SimulatedJournal.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { decodedEvent } from "../../lib/DecodedEvent.ts"
import { environment, withBots } from "../../lib/Simulations.ts"

const isOfBots = (event: PlatformEvent): event is BotEvent => event._tag.startsWith("Bot")

describe("BotEventCodec", () => {
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
