/**
 * Mutation testing: `bun scripts/mutate.ts [--threshold=80] [--runs=40] [--tests=part of a path] [file or folder…]`.
 *
 * Every small change of the engine's rules (those of Stryker's instrumenter) must be noticed by a test of the folder
 * that mirrors it. By default over engine/arena and engine/ledger. Ends with the score; the whole list is in
 * reports/mutation.json.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"
import { makeSandbox, type Mutant } from "./mutation/Sandbox.ts"
import { tryMutants, type Verdicts } from "./mutation/Trial.ts"

const DEFAULT_TARGETS = ["engine/arena", "engine/ledger"]
const DEFAULT_THRESHOLD = 80
const DEFAULT_RUNS = 40
const MAX_WORKERS = 8
const SHOWN = 90

const root = join(import.meta.dir, "..")
const given = process.argv.slice(2)
const option = (name: string, otherwise: number): number => {
  const value = given.find((argument) => argument.startsWith(`--${name}=`))?.split("=")[1]
  return value === undefined ? otherwise : Number(value)
}
const threshold = option("threshold", DEFAULT_THRESHOLD)
const runs = option("runs", DEFAULT_RUNS)
const only = given.find((argument) => argument.startsWith("--tests="))?.slice("--tests=".length) ?? ""
const named = given.filter((argument) => !argument.startsWith("--"))
const targets = named.length === 0 ? DEFAULT_TARGETS : named

const scan = (pattern: string) => [...new Bun.Glob(pattern).scanSync(root)].toSorted()
const files = scan("engine/**/*.ts").filter((file) =>
  targets.some((target) => file === target || file.startsWith(`${target.replace(/\/$/, "")}/`))
)
const folders = new Set(files.map((file) => `test/${dirname(file)}`))
const tests = scan("test/engine/**/*.test.ts").filter(
  (file) => folders.has(dirname(file)) && !file.includes(".long.") && file.includes(only)
)
if (files.length === 0 || tests.length === 0) {
  console.error(`nothing to mutate, or no test of it, in ${targets.join(", ")}`)
  process.exit(1)
}

const oneLine = (text: string) => {
  const flat = text.replaceAll(/\s+/g, " ")
  return flat.length > SHOWN ? `${flat.slice(0, SHOWN)}…` : flat
}
const percent = (part: number, whole: number) => (whole === 0 ? 100 : (100 * part) / whole)

const score = (mutants: ReadonlyArray<Mutant>, verdicts: Verdicts) => {
  const count = (...statuses: ReadonlyArray<string>) =>
    mutants.filter(({ id }) => statuses.includes(verdicts.get(id)?.status ?? "unreached")).length
  const noticed = count("killed", "timeout")
  const missed = count("survived", "unreached")
  return { noticed, missed, unreached: count("unreached"), score: percent(noticed, noticed + missed) }
}

const report = (mutants: ReadonlyArray<Mutant>, verdicts: Verdicts): number => {
  const all = mutants.map((mutant) => ({ ...mutant, ...verdicts.get(mutant.id) }))
  for (const { file, line, original, mutated, status } of all) {
    if (status !== "survived" && status !== "unreached") continue
    console.log(`${file}:${line} ${status}: ${oneLine(original)}  →  ${oneLine(mutated)}`)
  }
  console.log("")
  for (const file of files) {
    const own = score(
      mutants.filter((mutant) => mutant.file === file),
      verdicts
    )
    if (own.noticed + own.missed === 0) continue
    console.log(`${own.score.toFixed(1).padStart(5)} %  ${file} (${own.noticed} noticed, ${own.missed} missed)`)
  }
  const total = score(mutants, verdicts)
  mkdirSync(join(root, "reports"), { recursive: true })
  writeFileSync(join(root, "reports", "mutation.json"), `${JSON.stringify({ ...total, mutants: all }, null, 2)}\n`)
  console.log(
    `${total.score.toFixed(1).padStart(5)} %  of all: ${total.noticed} noticed, ${total.missed} missed ` +
      `(${total.unreached} reached by no test), ${mutants.length - total.noticed - total.missed} static and not tried`
  )
  return total.score
}

const begun = performance.now()
const folder = join(root, "reports", `mutation-${process.pid}`)
try {
  const sandbox = await makeSandbox(root, folder, files, tests)
  if (sandbox.mutants.length === 0) throw new Error(`no mutants in ${files.join(", ")}`)
  const workers = Math.min(availableParallelism(), MAX_WORKERS)
  console.log(
    `${sandbox.mutants.length} mutants in ${files.length} files, ${tests.length} test files, ${workers} workers`
  )
  const parts = Array.from({ length: workers }, (_, part) =>
    sandbox.mutants.filter((_, index) => index % workers === part).map(({ id }) => id)
  )
  const verdicts = await Promise.all(parts.map((ids, part) => tryMutants(sandbox, `worker${part}`, ids, runs)))
  const reached = report(sandbox.mutants, new Map(verdicts.flatMap((part) => [...part])))
  console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s`)
  if (!(reached >= threshold)) {
    console.log(`below the threshold of ${threshold} %`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
