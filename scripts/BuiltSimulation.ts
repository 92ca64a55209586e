import { Effect, Layer } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SimulatorBundle } from "../src/dashboard/SimulatorBundle.ts"
import { NEXT_TO_EACH_OTHER, renderSimulator } from "../src/dashboard/SimulatorPage.ts"
import * as BunPageBundler from "../src/runtime/bun/BunPageBundler.ts"

const bundled = Effect.flatMap(SimulatorBundle, ({ bundle }) => bundle)
const bundler = Layer.provide(SimulatorBundle.layer, BunPageBundler.layer)

/** Writes the simulation in the browser into a folder: a page and its files, which need no server of ours. */
export const buildSimulation = async (folder: string): Promise<void> => {
  const pages = await Effect.runPromise(Effect.provide(bundled, bundler))
  mkdirSync(folder, { recursive: true })
  for (const [name, { plain }] of pages.assets) writeFileSync(join(folder, name), plain)
  writeFileSync(join(folder, "index.html"), renderSimulator(pages, NEXT_TO_EACH_OTHER, true))
}
