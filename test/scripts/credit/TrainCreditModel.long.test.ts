import { afterAll, describe, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { trainedModel } from "../../../engine/credit/TrainedModel.ts"
import { writeModel } from "../../../scripts/credit/ModelFile.ts"
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
  it("writes a model and tells how good it is", () => {
    const { exitCode, said, complained } = run("--data", data, "--out", out, "--date", "2026-01-02")
    expect(complained).toBe("")
    expect(exitCode).toBe(0)
    for (const part of ["trained on 2026-01-02", "AUC", "Brier", "predicted  observed", "written"]) {
      expect(said).toContain(part)
    }
    expect(readFileSync(out, "utf8")).toContain("export const trainedModel: CreditModel = {")
  }, 180_000)

  it("leaves a file alone that says the same already", () => {
    const path = join(folder, "Kept.ts")
    expect(writeModel(path, trainedModel)).toBe(true)
    expect(writeModel(path, trainedModel)).toBe(false)
    expect(writeModel(path, { ...trainedModel, trainedOn: "2026-01-02" })).toBe(true)
  })

  it("says in a line what is missing or wrong", () => {
    const missing = run("--data", join(folder, "none.csv"), "--out", out)
    expect(missing.exitCode).toBe(1)
    expect(missing.complained).toContain("there is no file")
    expect(missing.complained).toContain("licence is unchecked")
    expect(missing.complained.trimEnd().split("\n").length).toBe(1)
    expect(run()).toMatchObject({ exitCode: 2, complained: expect.stringContaining("--data is missing") })
    expect(run("--data", data, "--date", "2026-02-30")).toMatchObject({ exitCode: 2 })
    expect(run("--dat", data)).toMatchObject({ exitCode: 2, complained: expect.stringContaining("--data") })
  }, 180_000)
})
