import { appendFileSync, readFileSync } from "node:fs"
import fc from "fast-check"
import { type Collected, collected, setUp, tearDown } from "./Harness.ts"
import type { Plan, Status, Verdict } from "./Plan.ts"

/** The instrumented code's own switchboard. */
interface Switchboard {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: {
    readonly static: Record<string, number>
    readonly perTest: Record<string, Record<string, number>>
  }
}

/** The same random choices for every mutant; a found failure is enough, it needs no shrinking. */
const SEED = 20_260_101
const TEST_TIMEOUT_MS = 2_000
const SLOWDOWN = 5
const HITS = 100

const board: Switchboard = {}
Object.assign(globalThis, { __stryker__: board })

interface Known {
  readonly test: Collected
  readonly milliseconds: number
  readonly covers: Record<string, number>
}

const within = async (milliseconds: number, work: Promise<void>): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const inTime = await Promise.race([work.then(() => true as const), late]).finally(() => clearTimeout(timer))
  return inTime
}

const learn = async (): Promise<ReadonlyArray<Known>> => {
  const known: Array<Known> = []
  for (const [index, test] of collected.entries()) {
    board.currentTestId = `${index}`
    const begun = performance.now()
    if (!(await within(60_000, test.run()))) throw new Error(`${test.name} did not end`)
    const covers = board.mutantCoverage?.perTest[`${index}`] ?? {}
    known.push({ test, milliseconds: performance.now() - begun, covers })
  }
  board.currentTestId = undefined
  return known.toSorted((one, other) => one.milliseconds - other.milliseconds)
}

const attempt = async (id: string, known: ReadonlyArray<Known>): Promise<readonly [Status, string | undefined]> => {
  const reaching = known.filter(({ covers }) => covers[id] !== undefined)
  if (reaching.length === 0) return [board.mutantCoverage?.static[id] === undefined ? "unreached" : "static", undefined]
  board.activeMutant = id
  try {
    for (const { test, milliseconds, covers } of reaching) {
      board.hitCount = 0
      board.hitLimit = (covers[id] ?? 0) * HITS + HITS
      try {
        if (!(await within(TEST_TIMEOUT_MS + milliseconds * SLOWDOWN, test.run()))) return ["timeout", test.name]
      } catch {
        return [board.hitCount > board.hitLimit ? "timeout" : "killed", test.name]
      }
    }
    return ["survived", undefined]
  } finally {
    board.activeMutant = undefined
    board.hitCount = undefined
  }
}

/** Collects the plan's tests, runs them once without a mutant, then tries each mutant on the tests that reach it. */
export const work = async (planFile: string): Promise<void> => {
  const plan = JSON.parse(readFileSync(planFile, "utf8")) as Plan
  const tell = (verdict: Verdict) => appendFileSync(plan.results, `${JSON.stringify(verdict)}\n`)
  fc.configureGlobal({ seed: SEED, endOnFailure: true })
  try {
    for (const file of plan.tests) await import(file)
    await setUp()
    const begun = performance.now()
    const known = await learn()
    tell({ _tag: "Ready", tests: known.length, milliseconds: performance.now() - begun })
    for (const id of plan.mutants) {
      tell({ _tag: "Begun", id })
      const [status, by] = await attempt(id, known)
      tell({ _tag: "Ended", id, status, by })
    }
    await tearDown()
  } catch (cause) {
    tell({ _tag: "Broken", reason: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) })
    throw cause
  }
}
