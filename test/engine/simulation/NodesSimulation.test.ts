import { describe, expect, it } from "bun:test"
import { PLANTED_NODES } from "../../lib/PlantedNodes.ts"
import { brokenWorlds, firstBroken, simulatedNodes } from "../../lib/SimulatedNodes.ts"

const SEEDS = 25

describe("NodesSimulation", () => {
  it("keeps every rule, whatever the adversary does", () => {
    expect(brokenWorlds(1, SEEDS)).toEqual([])
  }, 60_000)

  it("gives the same bytes for the same seed, and others for another", () => {
    expect(simulatedNodes(5)).toEqual(simulatedNodes(5))
    expect(simulatedNodes(6).eventsHash).not.toBe(simulatedNodes(5).eventsHash)
  })

  it("acknowledges most of what is asked, through many terms", () => {
    const { answers, processes, terms } = simulatedNodes(2)
    expect(answers.acknowledged).toBeGreaterThan(10)
    expect(answers.acknowledged + answers.refused + answers.unknown).toBe(60)
    expect([terms > 2, processes > 3]).toEqual([true, true])
  })

  it("finds a planted fault", () => {
    expect(firstBroken(PLANTED_NODES["the term is not checked at the append"], 5)?.invariant).toBe("fence")
  })
})
