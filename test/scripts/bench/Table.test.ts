import { describe, expect, it } from "bun:test"
import { isMet, type Row } from "../../../scripts/bench/Row.ts"
import { spreadOf } from "../../../scripts/bench/Sample.ts"
import { shown, table } from "../../../scripts/bench/Table.ts"

const row = (change: Partial<Row> = {}): Row => ({
  key: "b",
  what: "commitments",
  unit: "/s",
  ours: spreadOf([9_000, 10_000, 11_000]),
  ...change
})

describe("a row", () => {
  it("is judged by its ratio, else by its own figure, at most or at least", () => {
    expect(isMet(row())).toBeUndefined()
    expect(isMet(row({ target: { bound: 10_000, at: "least" } }))).toBe(true)
    expect(isMet(row({ target: { bound: 9_999, at: "most" } }))).toBe(false)
    expect(isMet(row({ ratio: spreadOf([4.9]), target: { bound: 5, at: "least" } }))).toBe(false)
    expect(isMet(row({ ours: spreadOf([Number.NaN]), target: { bound: 5, at: "least" } }))).toBe(false)
  })
})

describe("the table", () => {
  it("shows three digits that say something", () => {
    expect([1_234.5, 100, 99.96, 0.012345, 0, Number.NaN].map(shown)).toEqual([
      "1,235",
      "100",
      "100",
      "0.0123",
      "0",
      "none"
    ])
  })

  it("tells both sides, their ratio and whether the target is met", () => {
    const peer = spreadOf([2_000])
    const ratio = spreadOf([5])
    const [head = "", , line = ""] = table([
      row({ peer, peerName: "a peer", ratio, target: { bound: 5, at: "least", goal: 8 } })
    ]).split("\n")
    expect(head.split("|").map((cell) => cell.trim())).toContain("target")
    expect(line.split("|").map((cell) => cell.trim())).toEqual([
      "",
      "b",
      "commitments",
      "10,000 /s (9,000–11,000)",
      "2,000 /s a peer",
      "5×",
      "≥ 5, goal 8: met",
      ""
    ])
  })
})
