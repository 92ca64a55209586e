import { describe, expect, it } from "bun:test"
import { sumOf } from "../../../scripts/bench/Counter.ts"

const TEXT = [
  "# TYPE failures counter",
  'failures{kind="a b"} 2',
  'failures{kind="c"} 3',
  "failures_of_others 7",
  ""
].join("\n")

describe("sumOf", () => {
  it("adds up a counter's series, and no other's", () => {
    expect(sumOf(TEXT, "failures")).toBe(5)
    expect(sumOf(TEXT, "failures_of_others")).toBe(7)
  })

  it("is 0 before anything was counted", () => {
    expect(sumOf(TEXT, "absent")).toBe(0)
  })
})
