/**
 * One simulation, on any runtime that has `node:crypto` and `node:fs`:
 * `<runtime> simPortable.js <daily rates> '<specification as JSON>'` prints a line of JSON with both hashes.
 */
import process from "node:process"
import { makeScenario, type ScenarioSpec } from "../engine/simulation/Scenario.ts"
import { simulate } from "../engine/simulation/Simulation.ts"
import { hashing, readHistory } from "./SimulationPlatform.ts"

const [rates = "data/daily-rates-per-usd.csv", ...specs] = process.argv.slice(2)
const history = readHistory(rates)
for (const text of specs) {
  const spec: ScenarioSpec = JSON.parse(text)
  const { seed, events, stateHash, eventsHash, violation } = simulate(makeScenario(spec), { hashing, history })
  console.log(JSON.stringify({ seed, events, stateHash, eventsHash, violation }))
}
