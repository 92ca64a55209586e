/** After an installation: gives the compiler its Effect diagnostics, where it is installed, and bundles the program. */
import { existsSync } from "node:fs"
import { join } from "node:path"

const patch = join(import.meta.dir, "../node_modules/.bin/effect-tsgo")
if (existsSync(patch)) {
  const { exitCode } = Bun.spawnSync([patch, "patch"], { stdio: ["ignore", "inherit", "inherit"] })
  if (exitCode !== 0) process.exit(exitCode)
}
await import("./bundle.ts")
