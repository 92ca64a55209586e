import { join, resolve } from "node:path"
import type { ScenarioSpec } from "../engine/simulation/Scenario.ts"

/** Where `npm run sim` runs, and with it the commands that are printed. */
const ROOT = join(import.meta.dirname, "..")

/** A file as it is found from there. */
export const named = (path: string): string => (resolve() === ROOT ? path : resolve(path))

/** A specification whose files are found where its printed command runs, wherever this process does. */
export const withFiles = (spec: ScenarioSpec): ScenarioSpec => ({
  ...spec,
  ...(spec.with !== undefined && { with: named(spec.with) }),
  ...(spec.world !== undefined && { world: named(spec.world) })
})
