import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CreditModel } from "../../engine/credit/CreditModel.ts"

const ROOT = join(import.meta.dir, "..", "..")

/** Where the model that scores is kept. */
export const MODEL_FILE = join(ROOT, "engine", "credit", "TrainedModel.ts")

const FORMATTER = join(ROOT, "node_modules", ".bin", "oxfmt")

/** The module that holds a model. */
export const moduleOf = (model: CreditModel): string => {
  const source = [
    `import type { CreditModel } from "./CreditModel.ts"`,
    "",
    "/** Made by `bun scripts/train-credit-model.ts`, never by hand. */",
    `export const trainedModel: CreditModel = ${JSON.stringify(model)}`,
    ""
  ].join("\n")
  const { status, stdout, stderr } = spawnSync(FORMATTER, ["--stdin-filepath", "TrainedModel.ts"], {
    cwd: ROOT,
    input: source,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`the model could not be formatted: ${stderr}`)
  return stdout
}

/** Writes a model where it differs from what is there; whether it did. */
export const writeModel = (path: string, model: CreditModel): boolean => {
  const text = moduleOf(model)
  if (existsSync(path) && readFileSync(path, "utf8") === text) return false
  writeFileSync(path, text)
  return true
}
