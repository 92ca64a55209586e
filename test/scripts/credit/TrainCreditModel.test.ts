import { afterAll, describe, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { madeLoans } from "../../lib/LoanRecordsMade.ts"

const SCRIPT = join(import.meta.dir, "..", "..", "..", "scripts", "train-credit-model.ts")
const folder = mkdtempSync(join(tmpdir(), "emporion-credit-"))
const data = join(folder, "loans.csv")
const out = join(folder, "Model.ts")
writeFileSync(data, madeLoans(400))

const run = (...args: ReadonlyArray<string>) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, SCRIPT, ...args], { stdin: "ignore" })
  return { exitCode, said: stdout.toString(), complained: stderr.toString() }
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("bun scripts/train-credit-model.ts", () => {
  it("writes a model, and the same one again", () => {
    const first = run("--data", data, "--out", out, "--date", "2026-01-02")
    expect(first.complained).toBe("")
    expect(first.exitCode).toBe(0)
    expect(first.said).toContain("trained on 2026-01-02")
    expect(first.said).toContain("AUC")
    expect(first.said).toContain("written")
    const text = readFileSync(out, "utf8")
    expect(text).toContain("export const trainedModel: CreditModel = {")
    expect(run("--data", data, "--out", out, "--date", "2026-01-02").said).toContain("unchanged")
    expect(readFileSync(out, "utf8")).toBe(text)
  }, 60_000)

  it("says in a line what is missing or wrong", () => {
    const missing = run("--data", join(folder, "none.csv"), "--out", out)
    expect(missing.exitCode).toBe(1)
    expect(missing.complained).toContain("there is no file")
    expect(missing.complained).toContain("licence is unchecked")
    expect(missing.complained.trimEnd().split("\n").length).toBe(1)
    expect(run()).toMatchObject({ exitCode: 2, complained: expect.stringContaining("--data is missing") })
    expect(run("--data", data, "--date", "2026-02-30")).toMatchObject({ exitCode: 2 })
    expect(run("--dat", data)).toMatchObject({ exitCode: 2, complained: expect.stringContaining("--data") })
  }, 60_000)
})
