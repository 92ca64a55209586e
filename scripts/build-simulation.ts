/** The simulation in the browser as a folder for any host of files: `bun scripts/build-simulation.ts <folder>`. */
import { buildSimulation } from "./BuiltSimulation.ts"

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error("bun scripts/build-simulation.ts <folder>")
  process.exit(2)
}
await buildSimulation(folder)
console.log(`${folder}/index.html is the simulation: put the folder on any host, or try it with: bunx serve ${folder}`)
