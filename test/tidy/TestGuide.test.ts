import { describe, expect, it } from "bun:test"
import { paths, textOf } from "./Source.ts"

const GUIDE = "test/lib/README.md"

/** Contexts whose modules are only wired or started: tests of others run them. */
const WITHOUT_A_TEST: ReadonlySet<string> = new Set(["metadata", "runtime"])

const helpersIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^\| `((?:\w+\/)?\w+)` \|/gm)].map(([, name = ""]) => name)

const testsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`(test\/[\w/.]+\.test\.tsx?)`/g)].map(([, path = ""]) => path)

/** The folders that the tests of a page stand in, below `test/engine` and `test/src`. */
const contextsOf = (tests: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(tests.map((path) => path.split("/")[2] ?? ""))

describe("The guide to the tests' helpers", () => {
  const text = textOf(GUIDE) ?? ""

  it("finds what is not listed, and what is not there", () => {
    const page = "| `Market` | x |\n| `rows/BotRows` | x |\n`test/src/funds/Funds.test.ts`"
    expect(helpersIn(page)).toEqual(["Market", "rows/BotRows"])
    expect(testsIn(page)).toEqual(["test/src/funds/Funds.test.ts"])
    expect([...contextsOf(testsIn(page))]).toEqual(["funds"])
  })

  it("lists every helper once, and no other", () => {
    const helpers = paths("test/lib/**/*.ts").map((path) => path.slice("test/lib/".length, -".ts".length))
    expect(helpers.length).toBeGreaterThan(100)
    expect([...helpersIn(text)].toSorted()).toEqual([...helpers].toSorted())
  })

  it("names a first test for every context, each of which is there", () => {
    const tests = testsIn(text)
    expect(tests.filter((path) => textOf(path) === undefined)).toEqual([])
    const named = contextsOf(tests)
    const contexts = new Set(paths("{engine,src}/*/*.ts").map((path) => path.split("/")[1] ?? ""))
    expect(contexts.size).toBeGreaterThan(20)
    expect([...contexts].filter((context) => !named.has(context) && !WITHOUT_A_TEST.has(context))).toEqual([])
  })
})
