import { afterAll, beforeAll, describe, expect, it } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requireRuntime, RUNTIMES } from "../../lib/Runtimes.ts"

const NAME = "creditPortable"
const folder = mkdtempSync(join(tmpdir(), "emporion-portable-"))

const hashOn = (command: ReadonlyArray<string>): string => {
  const child = Bun.spawnSync([...command, join(folder, `${NAME}.mjs`)], {
    stdin: "ignore",
    env: { ...process.env, NO_COLOR: "1" }
  })
  expect(child.stderr.toString()).toBe("")
  return child.stdout.toString().trim()
}

beforeAll(async () => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "..", "..", "..", "scripts", `${NAME}.ts`)],
    target: "node",
    format: "esm",
    outdir: folder,
    naming: `${NAME}.mjs`
  })
  expect(built.success).toBe(true)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("Score cards on another runtime", () => {
  for (const runtime of RUNTIMES) {
    it(`are the same on ${runtime.name} as on Bun`, () => {
      requireRuntime(runtime)
      const here = hashOn([process.execPath])
      expect(here).toMatch(/^[0-9a-f]{64}$/)
      expect(hashOn(runtime.command)).toBe(here)
    }, 120_000)
  }
})
