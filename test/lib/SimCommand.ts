import { join } from "node:path"

const root = join(import.meta.dir, "../..")

/** Runs `bun run sim` with these arguments, and waits for its end. */
export const sim = (...given: ReadonlyArray<string>) => {
  const child = Bun.spawnSync([process.execPath, join(root, "scripts/sim.ts"), ...given], {
    cwd: root,
    stdin: "ignore"
  })
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() }
}
