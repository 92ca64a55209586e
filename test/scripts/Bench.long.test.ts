import { describe, expect, it } from "bun:test"
import { BENCH, smokeCases } from "../lib/BenchSmoke.ts"

describe("bun run bench", () => {
  smokeCases(["a", "c", "d", "e", "f", "g", "h", "i", "j", "m", "p"])

  it("refuses a case that there is not", () => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, BENCH, "--only", "z"])
    expect(exitCode).toBe(2)
    expect(stderr.toString()).toContain("no case z")
  })

  it("refuses a variant that no chosen case has", () => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, BENCH, "--only", "a", "--variants", "64"])
    expect(exitCode).toBe(2)
    expect(stderr.toString()).toContain("no variant 64")
  })
})
