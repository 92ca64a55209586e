/**
 * Makes executables that need nothing else: `npm run build:executable [-- linux-x64 darwin-arm64 …]`, by default one for
 * each system, each in a folder of its own in `dist/executable` with PostgreSQL beside it.
 */
import { join } from "node:path"
import { buildExecutable, type ExecutableTarget, TARGETS } from "./executable/ExecutableBuild.ts"
import { currentBundle } from "./launch/Launch.ts"
import { ROOT } from "./launch/Program.ts"

const isTarget = (name: string): name is ExecutableTarget => name in TARGETS

const named = process.argv.slice(2)
const unknown = named.find((name) => !isTarget(name))
if (unknown !== undefined) {
  console.error(`There is no executable for "${unknown}". There are: ${Object.keys(TARGETS).join(", ")}.`)
  process.exit(2)
}
const bundle = await currentBundle()
const targets = named.length > 0 ? named : Object.keys(TARGETS)
for (const target of targets.filter(isTarget)) {
  console.log(await buildExecutable(target, bundle, join(ROOT, "dist", "executable", target)))
}
