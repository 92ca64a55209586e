import { describe, expect, it } from "bun:test"
import { textOf } from "./Source.ts"

const PAGE = "docs/reference/attacks.md"

const ROW = /\| `(test\/[^`]+)` → (.+) \|$/gm

/** Rows whose test is not where they say. */
const stale = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(ROW)]
    .filter(([, path = "", name = ""]) => textOf(path)?.includes(`"${name}"`) !== true)
    .map(([, path, name]) => `${path} → ${name}`)

describe("Every attack has the test that its row names", () => {
  it("finds a row without one", () => {
    const rows = `| a | b | \`${import.meta.path}\` → nothing of this name |\n| a | b | \`test/none.ts\` → x |`
    expect(stale(rows.replace(import.meta.path, "test/tidy/Attacks.test.ts")).length).toBe(2)
  })

  it(`in ${PAGE}`, () => {
    const page = textOf(PAGE) ?? ""
    expect([...page.matchAll(ROW)].length).toBe(page.split("\n").filter((line) => line.includes(" → ")).length)
    expect(stale(page)).toEqual([])
  })
})
