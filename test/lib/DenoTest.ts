/**
 * What tests import as `bun:test` where they run on Deno: `test/deno.json` says so. A file's tests run in their order,
 * one after the other.
 */
import { expect as matchers } from "./DenoExpect.ts"

export const expect = matchers

type Act = () => unknown

/** Milliseconds that one test may take unless it says more itself. */
const TEST_LIMIT = 60_000

interface Suite {
  readonly name: string
  readonly before: Array<Act>
  readonly after: Array<Act>
  readonly members: Array<Suite | Test>
}

interface Test {
  readonly name: string
  readonly act: Act
  readonly limit: number
}

/** How a test ended: `failure` says why where it failed. */
export interface Outcome {
  readonly name: string
  readonly failure: string | undefined
}

const suiteOf = (name: string): Suite => ({ name, before: [], after: [], members: [] })

const root = suiteOf("")
const afterEachTest: Array<Act> = []
let current = root

export const describe = (name: string, declare: () => void): void => {
  const outer = current
  current = suiteOf(name)
  outer.members.push(current)
  declare()
  current = outer
}

export const it = (name: string, act: Act, limit = TEST_LIMIT): void => void current.members.push({ name, act, limit })

export const beforeAll = (act: Act): void => void current.before.push(act)

export const afterAll = (act: Act): void => void current.after.push(act)

export const afterEach = (act: Act): void => void afterEachTest.push(act)

const inTime = async (act: Act, limit: number): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limit} ms`)), limit)
  })
  try {
    await Promise.race([act(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Why it failed; undefined where it did not. */
const failureOf = async (act: Act, limit = TEST_LIMIT): Promise<string | undefined> => {
  try {
    await inTime(act, limit)
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

const runTest = async ({ act, limit }: Test): Promise<string | undefined> => {
  const failures = [await failureOf(act, limit)]
  for (const after of afterEachTest) failures.push(await failureOf(after))
  return failures.find((failure) => failure !== undefined)
}

const runSuite = async (suite: Suite, path: string, tell: (outcome: Outcome) => void): Promise<void> => {
  for (const act of suite.before) {
    const failure = await failureOf(act)
    if (failure !== undefined) return tell({ name: `${path}(before all)`, failure })
  }
  for (const member of suite.members) {
    if ("members" in member) await runSuite(member, `${path}${member.name} > `, tell)
    else tell({ name: `${path}${member.name}`, failure: await runTest(member) })
  }
  for (const act of suite.after) {
    const failure = await failureOf(act)
    if (failure !== undefined) tell({ name: `${path}(after all)`, failure })
  }
}

/** Runs all tests that were declared. */
export const runTests = (tell: (outcome: Outcome) => void): Promise<void> => runSuite(root, "", tell)
