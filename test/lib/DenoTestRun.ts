import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Outcome } from "./DenoTest.ts"
import { denoCommand } from "./Programs.ts"

const ROOT = join(import.meta.dirname, "..", "..")

/** What stands for `bun:test` there. */
const IMPORTS = `--import-map=${join(ROOT, "test", "deno.json")}`

/** What a file's tests came to. */
export interface FileOutcome {
  readonly passed: number
  /** Why a test failed, or the whole file. */
  readonly failures: ReadonlyArray<string>
}

const outcomeOf = (told: string, code: number | null, said: string): FileOutcome => {
  const outcomes = told
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Outcome)
  const failures = outcomes.flatMap(({ failure, name }) => (failure === undefined ? [] : [`${name}: ${failure}`]))
  const ended = code === 0 ? [] : [`ended with ${code}: ${said}`]
  return { passed: outcomes.length - failures.length, failures: [...failures, ...ended] }
}

/** Runs a file of tests on Deno, with its server on Deno. */
export const runOnDeno = (file: string): Promise<FileOutcome> =>
  new Promise((resolve) => {
    const [command, ...options] = denoCommand(join(ROOT, "test", "lib", "DenoTestFile.ts"), [IMPORTS])
    const child = spawn(command, [...options, file], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] })
    const said = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => void (said[name] += text))
    }
    child.once("close", (code) => resolve(outcomeOf(said.stdout, code, said.stderr)))
  })
