import { Effect } from "effect"
import { metricsText } from "./Counter.ts"
import type { Row } from "./Row.ts"
import { spreadOf } from "./Sample.ts"

/** Seconds of a server's main thread, and how many passed, by the phase of a commit. */
export type Phases = ReadonlyMap<string, { readonly seconds: number; readonly passed: number }>

const SERIES = /^emporion_commit_phase_(seconds|commits)_total\{phase="(\w+)"\} (\S+)$/gm

/** What Prometheus' text format tells of phases. */
export const phasesIn = (text: string): Phases => {
  const found = new Map<string, { seconds: number; passed: number }>()
  for (const [, kind, phase = "", value] of text.matchAll(SERIES)) {
    const sums = found.get(phase) ?? { seconds: 0, passed: 0 }
    found.set(phase, sums)
    sums[kind === "seconds" ? "seconds" : "passed"] = Number(value)
  }
  return found
}

export const phasesOf = (url: string): Effect.Effect<Phases> => Effect.map(metricsText(url), phasesIn)

/** Lines of what each phase took of the main thread for one of those that passed it between two looks. */
export const phaseRows = (key: string, before: Phases, after: Phases): ReadonlyArray<Row> =>
  Array.from(after, ([phase, { passed, seconds }]): Row => {
    const earlier = before.get(phase) ?? { passed: 0, seconds: 0 }
    const micros = ((seconds - earlier.seconds) * 1e6) / (passed - earlier.passed)
    return { key, what: `  of its main thread for one: ${phase}`, unit: "µs", ours: spreadOf([micros]) }
  }).filter(({ ours }) => Number.isFinite(ours.median))
