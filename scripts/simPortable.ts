/**
 * One simulation, on any runtime that has `node:crypto` and `node:fs`:
 * `<runtime> simPortable.js <daily rates> '<specification as JSON>'` prints a line of JSON with both hashes.
 */
import process from "node:process"
import type { SimulationSpec } from "../engine/simulation/Shrink.ts"
import { extensionNamed } from "./ExtensionLoading.ts"
import { outcomeOf } from "./ShrunkFailure.ts"
import { compression, hashing, readHistory } from "./SimulationPlatform.ts"
import { worldNamed } from "./WorldLoading.ts"

const [rates = "data/daily-rates-per-usd.csv", ...specs] = process.argv.slice(2)
const history = readHistory(rates)
for (const text of specs) {
  const spec: SimulationSpec = JSON.parse(text)
  const extension = await extensionNamed(spec)
  const world = await worldNamed(spec)
  const environment = { compression, hashing, history, extension, world: world?.world }
  console.log(JSON.stringify(outcomeOf(spec, environment)))
}
