/** Compiles the package for TypeScript into packages/client/dist: `bun scripts/build-client.ts`. `npm pack` there runs it first. */
import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"

const ROOT = join(import.meta.dir, "..")
const PACKAGE = join(ROOT, "packages", "client")
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc")

rmSync(join(PACKAGE, "dist"), { recursive: true, force: true })
copyFileSync(join(ROOT, "LICENSE"), join(PACKAGE, "LICENSE"))
const { exitCode } = Bun.spawnSync([process.execPath, TSC, "-p", PACKAGE, "--outDir", join(PACKAGE, "dist")], {
  stdin: "ignore",
  stdout: "inherit",
  stderr: "inherit"
})
process.exit(exitCode)
