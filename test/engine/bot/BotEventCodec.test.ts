import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { type BotEvent, streamOf } from "../../../engine/bot/BotEvent.ts"
import { decodeBotEvent } from "../../../engine/bot/BotEventCodec.ts"
import { MemoryJournal } from "../../../engine/simulation/MemoryJournal.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import type { SimulatedEvent } from "../../../engine/simulation/SimulatedArena.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { environment, withBots } from "../../lib/Simulations.ts"

const isOfBots = (event: SimulatedEvent): event is BotEvent => event._tag.startsWith("Bot")

describe("BotEventCodec", () => {
  it("reads every event of bots back from its bytes, each in its stream", () => {
    const tags = new Set<string>()
    for (const seed of [1, 2, 3, 4]) {
      const kept: { journal?: MemoryJournal<SimulatedEvent> } = {}
      const planted = {
        makeJournal: (options: ConstructorParameters<typeof MemoryJournal<SimulatedEvent>>[0]) =>
          (kept.journal = new MemoryJournal<SimulatedEvent>(options))
      }
      simulate(makeScenario(withBots(seed)), { ...environment, planted })
      for (const { data, event, stream } of kept.journal?.events ?? []) {
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
