import type { HandedOver } from "./HandOvers.ts"
import { acknowledgedAt, type Operation } from "./History.ts"

/** The steps of a hand-over in their order: who logs what at the end of each. The last one is what clients saw. */
const STEPS = [
  { name: "told", by: "old", says: /^This node leaves\.$/ },
  { name: "answered", by: "old", says: /^What was begun is answered\.$/ },
  { name: "given up", by: "old", says: /^This node writes no more\.$/ },
  { name: "elected", by: "next", says: /^This node was elected to write\.$/ },
  { name: "term", by: "next", says: /^The term is \d+\.$/ },
  { name: "journal", by: "next", says: /^The journal goes on behind event \d+\.$/ },
  { name: "ready", by: "next", says: /^This node takes requests as the one that writes\.$/ }
] as const

export type PhaseName = (typeof STEPS)[number]["name"] | "acknowledged"

const NAMES: ReadonlyArray<PhaseName> = [...STEPS.map(({ name }) => name), "acknowledged"]

/** Milliseconds from the signal until each step was done; undefined where nobody said so. */
export type Phases = Readonly<Record<PhaseName, number | undefined>>

interface Line {
  readonly at: number
  readonly message: string
}

const lineOf = (text: string): ReadonlyArray<Line> => {
  try {
    const { message, timestamp } = JSON.parse(text) as { readonly message?: unknown; readonly timestamp?: string }
    return typeof message === "string" ? [{ at: Date.parse(timestamp ?? ""), message }] : []
  } catch {
    return []
  }
}

/** What a node logged, its lines that are JSON. */
const linesOf = (log: string): ReadonlyArray<Line> => log.split("\n").flatMap(lineOf)

/**
 * When the steps of each hand-over were done.
 *
 * @param logs - what each node logged in all its lives, by its name
 */
export const phases = (
  handOvers: ReadonlyArray<HandedOver>,
  operations: ReadonlyArray<Operation>,
  logs: ReadonlyMap<string, string>
): ReadonlyArray<Phases> => {
  const lines = new Map([...logs].map(([name, log]) => [name, linesOf(log)]))
  const acknowledged = operations.flatMap((one) => acknowledgedAt(one) ?? []).toSorted((one, other) => one - other)
  return handOvers.map(({ at, from, signalled, to }, index) => {
    const end = handOvers[index + 1]?.signalled ?? Infinity
    const found = STEPS.map(({ by, name, says }): readonly [PhaseName, number | undefined] => {
      const line = lines
        .get(by === "old" ? from : to)
        ?.find((one) => one.at >= Math.floor(signalled) && one.at < end && says.test(one.message))
      return [name, line === undefined ? undefined : Math.max(0, line.at - signalled)]
    })
    const elected = found.find(([name]) => name === "elected")?.[1]
    const first = elected === undefined ? undefined : acknowledged.find((moment) => moment - at >= elected)
    return Object.fromEntries([...found, ["acknowledged", first === undefined ? undefined : first - at]]) as Phases
  })
}

/** Each step from the end of the one before. What overlaps takes nothing. */
const steps = (found: Phases): ReadonlyArray<number | undefined> => {
  let before = 0
  return NAMES.map((name) => {
    const end = found[name]
    if (end === undefined) return undefined
    const took = Math.max(0, end - before)
    before = Math.max(before, end)
    return took
  })
}

const shown = (millis: number | undefined): string => (millis === undefined ? "–" : String(Math.round(millis)))

/** A row for each hand-over: the milliseconds of each step, and the time in which nobody was acknowledged anything. */
export const phaseTable = (found: ReadonlyArray<Phases>, pauses: ReadonlyArray<{ readonly overall: number }>): string =>
  [
    `| ms until | ${NAMES.join(" | ")} | pause |`,
    `|---|${NAMES.map(() => "---|").join("")}---|`,
    ...found.map(
      (one, index) => `| ${index + 1} | ${steps(one).map(shown).join(" | ")} | ${shown(pauses[index]?.overall)} |`
    )
  ].join("\n")
