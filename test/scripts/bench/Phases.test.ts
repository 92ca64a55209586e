import { describe, expect, it } from "bun:test"
import { phaseRows, phasesIn } from "../../../scripts/bench/Phases.ts"

const text = (http: number, commits: number): string =>
  [
    "# TYPE emporion_commit_phase_seconds_total counter",
    `emporion_commit_phase_seconds_total{phase="http"} ${http}`,
    'emporion_commit_phase_seconds_total{phase="decision"} 1e-7',
    `emporion_commit_phase_commits_total{phase="http"} ${commits}`,
    'emporion_commit_phase_commits_total{phase="decision"} 0',
    'other_total{phase="http"} 9',
    ""
  ].join("\n")

describe("phases", () => {
  it("are read by name", () => {
    expect(Object.fromEntries(phasesIn(text(0.5, 10)))).toEqual({
      http: { seconds: 0.5, passed: 10 },
      decision: { seconds: 1e-7, passed: 0 }
    })
  })

  it("have a row of what one took meanwhile, where any passed", () => {
    const rows = phaseRows("b", phasesIn(text(0.5, 10)), phasesIn(text(0.7, 15)))
    expect(rows.map(({ ours, what }) => [what.trim(), Math.round(ours.median)])).toEqual([
      ["of its main thread for one: http", 40_000]
    ])
    expect(phaseRows("b", new Map(), phasesIn(text(0.5, 10)))[0]?.ours.median).toBe(50_000)
  })
})
