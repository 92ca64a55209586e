import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Plan, Status, Verdict } from "./Plan.ts"
import type { Sandbox } from "./Sandbox.ts"

/** What became of each mutant, by id. */
export type Verdicts = Map<string, { readonly status: Status; readonly by: string | undefined }>

/** A worker that says nothing for so long hangs in a loop that no test ends. The first word may take longer. */
const SILENCE_MS = 15_000
const START_MS = 180_000
const POLL_MS = 200

const readVerdicts = (file: string): ReadonlyArray<Verdict> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as Verdict)
    : []

const watch = async (child: Bun.Subprocess, results: string): Promise<ReadonlyArray<Verdict>> => {
  let heard = 0
  let since = performance.now()
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([child.exited, Bun.sleep(POLL_MS)])
    const verdicts = readVerdicts(results)
    if (verdicts.length > heard) [heard, since] = [verdicts.length, performance.now()]
    if (performance.now() - since > (heard === 0 ? START_MS : SILENCE_MS)) child.kill("SIGKILL")
  }
  return readVerdicts(results)
}

/** Tries the mutants in one worker, and in further ones after those that hang it. Fails when the tests fail by themselves. */
export const tryMutants = async (
  sandbox: Sandbox,
  name: string,
  ids: ReadonlyArray<string>,
  runs: number
): Promise<Verdicts> => {
  const verdicts: Verdicts = new Map()
  for (let turn = 0; verdicts.size < ids.length; turn++) {
    const results = join(sandbox.folder, `${name}-${turn}.jsonl`)
    const planFile = join(sandbox.folder, `${name}-${turn}.json`)
    const plan: Plan = { tests: sandbox.tests, mutants: ids.filter((id) => !verdicts.has(id)), results }
    writeFileSync(planFile, JSON.stringify(plan))
    const child = Bun.spawn([process.execPath, "test", "--no-orphans", "./driver.test.ts"], {
      cwd: sandbox.folder,
      env: { ...process.env, FC_RUNS: String(runs), MUTATION_PLAN: planFile },
      stdio: ["ignore", "ignore", "ignore"]
    })
    const told = await watch(child, results)
    const before = verdicts.size
    for (const verdict of told) {
      if (verdict._tag === "Broken") throw new Error(`the tests fail without any mutant:\n${verdict.reason}`)
      if (verdict._tag === "Begun") verdicts.set(verdict.id, { status: "timeout", by: undefined })
      if (verdict._tag === "Ended") verdicts.set(verdict.id, verdict)
    }
    if (verdicts.size === before) throw new Error("a worker ended without a word; does `npm test` pass?")
  }
  return verdicts
}
