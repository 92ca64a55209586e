import { describe, expect, it } from "bun:test"
import { outcomeOf, shrunken } from "../../../scripts/ShrunkFailure.ts"
import { readArguments } from "../../../engine/simulation/SimulationArguments.ts"
import { PLANTED_NODES } from "../../lib/PlantedNodes.ts"
import { brokenWorlds, simulatedNodes } from "../../lib/SimulatedNodes.ts"
import { environment } from "../../lib/Simulations.ts"

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

  it("finds a planted fault, which a few requests and faults still show, by the command that is printed", () => {
    const planted = PLANTED_NODES["the term is not checked at the append"]
    const spec = { seed: 2, nodes: 3, requests: 60 }
    const { violation } = simulatedNodes(spec.seed, planted)
    if (violation === null) throw new Error("it is not found")
    const { command, violation: smaller } = shrunken(spec, violation, environment, planted)
    const replayed = readArguments(command.replace("npm run sim -- ", "").split(" "))
    if (typeof replayed === "string") throw new Error(replayed)
    expect(outcomeOf(replayed.spec, environment, planted).violation).toEqual(smaller)
    expect(smaller.invariant).toBe("fence")
    expect(command).toMatch(/--keep-requests [\d,]{1,8} --keep-faults [\d,]{1,8}$/)
  })
})
