/**
 * Stands in for `bun:test` in the mutated copy of the tests: it collects them, so that one warm process can run them
 * again and again. `expect` is the real one.
 */
import { expect as realExpect } from "bun:test"

type Step = () => unknown

interface Suite {
  readonly name: string
  readonly parent: Suite | undefined
  readonly before: Array<Step>
  readonly after: Array<Step>
  readonly beforeEach: Array<Step>
  readonly afterEach: Array<Step>
}

/** One collected test. */
export interface Collected {
  readonly name: string
  readonly run: () => Promise<void>
}

const suiteOf = (name: string, parent: Suite | undefined): Suite => ({
  name,
  parent,
  before: [],
  after: [],
  beforeEach: [],
  afterEach: []
})

/** Every test collected so far, in order. */
export const collected: Array<Collected> = []
const suites: Array<Suite> = [suiteOf("", undefined)]
let current = suites[0] as Suite

const lineage = (suite: Suite): ReadonlyArray<Suite> =>
  suite.parent === undefined ? [suite] : [...lineage(suite.parent), suite]

const define = (name: string, body: Step): void => {
  const chain = lineage(current)
  const run = async () => {
    for (const suite of chain) for (const step of suite.beforeEach) await step()
    try {
      await body()
    } finally {
      for (const suite of chain.toReversed()) for (const step of suite.afterEach) await step()
    }
  }
  const path = chain.map((suite) => suite.name).filter((part) => part !== "")
  collected.push({ name: [...path, name].join(" > "), run })
}

const group = (name: string, body: () => void): void => {
  const outer = current
  current = suiteOf(name, outer)
  suites.push(current)
  body()
  current = outer
}

type Row = ReadonlyArray<unknown>
const rowOf = (row: unknown): Row => (Array.isArray(row) ? row : [row])
const each =
  (one: (name: string, body: () => void) => void) =>
  (table: ReadonlyArray<unknown>) =>
  (name: string, body: (...row: Row) => unknown): void =>
    table.forEach((row, index) => one(`${name} #${index}`, () => body(...rowOf(row)) as void))

export const it = Object.assign(define, { each: each(define) })
export const test = it
export const describe = Object.assign(group, { each: each(group) })
export const expect = realExpect
export const beforeAll = (step: Step): void => void current.before.push(step)
export const afterAll = (step: Step): void => void current.after.push(step)
export const beforeEach = (step: Step): void => void current.beforeEach.push(step)
export const afterEach = (step: Step): void => void current.afterEach.push(step)
export const setDefaultTimeout = (): void => undefined

/** Runs what the tests need once before all of them, outermost first. */
export const setUp = async (): Promise<void> => {
  for (const suite of suites) for (const step of suite.before) await step()
}

/** Runs what the tests need once after all of them, innermost first. */
export const tearDown = async (): Promise<void> => {
  for (const suite of suites.toReversed()) for (const step of suite.after) await step()
}
