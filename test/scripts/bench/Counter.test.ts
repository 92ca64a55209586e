import { describe, expect, it } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sumOf } from "../../../scripts/bench/Counter.ts"

const ROOT = join(import.meta.dir, "..", "..", "..")
const BENCH = join(ROOT, "scripts", "bench")
const METRICS = readFileSync(join(ROOT, "docs", "reference", "metrics.md"), "utf8")

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

  it("is asked for counters that the program has", () => {
    const bench = [...new Bun.Glob("*.ts").scanSync(BENCH)]
      .map((file) => readFileSync(join(BENCH, file), "utf8"))
      .join()
    const names = [...bench.matchAll(/"(emporion_\w+)"/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(METRICS).toContain(`\`${name}\``)
  })

  it("is 0 before anything was counted", () => {
    expect(sumOf(TEXT, "absent")).toBe(0)
  })
})
