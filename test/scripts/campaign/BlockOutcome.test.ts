import { expect, it } from "bun:test"
import { createHash } from "node:crypto"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { blockOutcome } from "../../../scripts/campaign/BlockOutcome.ts"
import { environment } from "../../lib/Simulations.ts"
import { PLANTED_BUGS } from "../../lib/PlantedBugs.ts"

const specs = [7, 8].map((seed) => ({ seed, orders: 4, traders: 4, faults: true }))

it("A block is what its seeds come to, one by one", () => {
  const block = blockOutcome(specs, environment)
  const results = specs.map((spec) => simulate(makeScenario(spec), environment))
  const lines = results.map(({ eventsHash, seed, stateHash }) => `${seed} ${eventsHash} ${stateHash}\n`).join("")
  expect(block).toMatchObject({ firstSeed: 7, seeds: 2, failures: [] })
  expect(block.hash).toBe(createHash("sha256").update(lines).digest("hex"))
  const total = (count: (result: (typeof results)[number]) => number) =>
    results.reduce((sum, result) => sum + count(result), 0)
  expect(block.elapsed).toBe(total(({ endedAt, startedAt }) => endedAt - startedAt))
  expect(block.reached.auctions["opened"]).toBe(total(({ orders }) => orders.length))
  expect(block.reached.answers["Submitted"]).toBe(total(({ answers }) => answers["Submitted"] ?? 0))
  expect(block.reached.events["OrderOpened"]).toBe(total(({ reached }) => reached.events["OrderOpened"] ?? 0))
  for (const kind of Object.keys(block.reached.struckBefore)) {
    expect(block.reached.struckBefore[kind]!["CommitmentSubmitted"] ?? 0).toBe(
      total(({ reached }) => reached.struckBefore[kind]?.["CommitmentSubmitted"] ?? 0)
    )
  }
})

it("A block tells what failed, with the command that replays it", () => {
  const planted = PLANTED_BUGS["ledger"]?.["keeps a unit of every capture"]
  const { failures } = blockOutcome(specs, { ...environment, ...(planted && { planted }) })
  expect(failures.map(({ replay }) => replay)).toContain("npm run sim -- --seed 7 --orders 4 --traders 4 --faults")
})
