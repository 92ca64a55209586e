import { describe, expect, it } from "bun:test"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { environment, withBots } from "../../lib/Simulations.ts"

describe("BotCompanies", () => {
  it("are the same whether or not anybody judges them", () => {
    const scenario = makeScenario(withBots(9))
    const [judged, unjudged] = [true, false].map((audit) => simulate(scenario, { ...environment, audit }))
    expect([unjudged!.eventsHash, unjudged!.stateHash]).toEqual([judged!.eventsHash, judged!.stateHash])
  })

  it("count what is asked by hand and by program together", () => {
    const { botResponses, bots, restarts } = simulate(makeScenario(withBots(4)), environment)
    expect(Object.keys(botResponses)).toEqual(expect.arrayContaining(["BotStarted", "GuardSet"]))
    expect([bots.length, restarts > 0]).toEqual([6, true])
  })

  it("are none where there are no bots", () => {
    const { botResponses, bots } = simulate(makeScenario({ ...withBots(3), bots: 0 }), environment)
    expect([botResponses, bots]).toEqual([{}, []])
  })
})
