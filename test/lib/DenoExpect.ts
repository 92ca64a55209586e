/** The part of `expect` of `bun:test` that tests of the server use, where they run on Deno. */
import { inspect } from "node:util"

/** Stands for any of many values. */
class Matching {
  readonly matches: (actual: unknown) => boolean

  constructor(matches: (actual: unknown) => boolean) {
    this.matches = matches
  }
}

type Fields = Readonly<Record<string, unknown>>

/** All fields, or in part those that are expected. `undefined` is as good as absent. */
const sameFields = (actual: Fields, expected: Fields, isPart: boolean): boolean => {
  const names = new Set(isPart ? Object.keys(expected) : [...Object.keys(actual), ...Object.keys(expected)])
  return [...names].every((name) => same(actual[name], expected[name], isPart))
}

const isList = (value: unknown): value is ArrayLike<unknown> => Array.isArray(value) || ArrayBuffer.isView(value)

const same = (actual: unknown, expected: unknown, isPart = false): boolean => {
  if (expected instanceof Matching) return expected.matches(actual)
  if (Object.is(actual, expected)) return true
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null) return false
  if (isList(expected) || isList(actual)) {
    if (!isList(actual) || !isList(expected) || actual.length !== expected.length) return false
    return Array.from(expected).every((each, index) => same(actual[index], each, isPart))
  }
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime()
  if (expected instanceof RegExp) return String(actual) === String(expected)
  if (expected instanceof Map) return actual instanceof Map && same([...actual], [...expected])
  if (expected instanceof Set) {
    const has = (each: unknown) => [...expected].some((other) => same(each, other))
    return actual instanceof Set && actual.size === expected.size && [...actual].every(has)
  }
  if (expected instanceof Error && (!(actual instanceof Error) || actual.message !== expected.message)) return false
  return sameFields(actual as Fields, expected as Fields, isPart)
}

const has = (actual: unknown, part: unknown): boolean =>
  typeof actual === "string" ? actual.includes(String(part)) : [...(actual as Iterable<unknown>)].includes(part)

const thrown = (act: unknown, expected: unknown): boolean => {
  try {
    ;(act as () => unknown)()
    return false
  } catch (error) {
    if (expected === undefined) return true
    const message = error instanceof Error ? error.message : String(error)
    if (expected instanceof RegExp) return expected.test(message)
    return typeof expected === "function" ? error instanceof expected : message.includes(String(expected))
  }
}

type Matcher = (actual: unknown, expected: unknown) => boolean

const ordered =
  (holds: (actual: number | bigint, expected: number | bigint) => boolean): Matcher =>
  (actual, expected) =>
    holds(actual as number, expected as number)

const MATCHERS: Readonly<Record<string, Matcher>> = {
  toBe: (actual, expected) => Object.is(actual, expected),
  toEqual: (actual, expected) => same(actual, expected),
  toMatchObject: (actual, expected) => same(actual, expected, true),
  toBeNull: (actual) => actual === null,
  toBeUndefined: (actual) => actual === undefined,
  toBeDefined: (actual) => actual !== undefined,
  toBeLessThan: ordered((actual, expected) => actual < expected),
  toBeLessThanOrEqual: ordered((actual, expected) => actual <= expected),
  toBeGreaterThan: ordered((actual, expected) => actual > expected),
  toBeGreaterThanOrEqual: ordered((actual, expected) => actual >= expected),
  toHaveLength: (actual, expected) => (actual as ArrayLike<unknown>).length === expected,
  toStartWith: (actual, expected) => String(actual).startsWith(String(expected)),
  toContain: has,
  toContainEqual: (actual, expected) => [...(actual as Iterable<unknown>)].some((each) => same(each, expected)),
  toMatch: (actual, expected) => new RegExp(expected as RegExp | string).test(String(actual)),
  toBeInstanceOf: (actual, expected) => actual instanceof (expected as new () => unknown),
  toThrow: thrown
}

const shown = (value: unknown): string => inspect(value, { depth: 6, breakLength: 120 })

const expectations = (actual: unknown, isRight: boolean) =>
  Object.fromEntries(
    Object.entries(MATCHERS).map(([name, matches]) => [
      name,
      (expected?: unknown) => {
        if (matches(actual, expected) === isRight) return
        throw new Error(`${isRight ? "" : "not "}${name}\nexpected: ${shown(expected)}\nreceived: ${shown(actual)}`)
      }
    ])
  )

const isKind = (kind: unknown, actual: unknown): boolean => {
  if (kind === String) return typeof actual === "string"
  return kind === Number ? typeof actual === "number" : actual instanceof (kind as new () => unknown)
}

/** As `expect` of `bun:test`. A matcher that is missing here is a call of `undefined`, which fails. */
export const expect = Object.assign(
  (actual: unknown) => ({ ...expectations(actual, true), not: expectations(actual, false) }),
  {
    any: (kind: unknown) => new Matching((actual) => isKind(kind, actual)),
    stringMatching: (pattern: RegExp) => new Matching((actual) => typeof actual === "string" && pattern.test(actual)),
    stringContaining: (part: string) => new Matching((actual) => typeof actual === "string" && actual.includes(part)),
    arrayContaining: (parts: ReadonlyArray<unknown>) =>
      new Matching((actual) => Array.isArray(actual) && parts.every((part) => actual.some((each) => same(each, part))))
  }
)
