import { describe, expect, it } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dir, "../../..")

/** Microseconds of processor time: what it takes on a core of its own, whatever else runs beside it. */
const LIMIT = 5_000_000

describe("npm run sim -- backtest", () => {
  it("runs the three presets over all closes, with their report, in less than 5 s", () => {
    const folder = mkdtempSync(join(tmpdir(), "emporion-backtest-"))
    const { exitCode, resourceUsage, stdout } = Bun.spawnSync(
      [process.execPath, join(root, "scripts/sim.ts"), "backtest", "--report", join(folder, "report.html")],
      { cwd: root, stdin: "ignore" }
    )
    rmSync(folder, { recursive: true })
    expect(exitCode).toBe(0)
    for (const name of ["conservative", "balanced", "aggressive"]) {
      expect(stdout.toString()).toMatch(new RegExp(`^${name} +-?[\\d,.]+`, "m"))
    }
    expect(Number(resourceUsage?.cpuTime.total)).toBeLessThan(LIMIT)
  })
})
