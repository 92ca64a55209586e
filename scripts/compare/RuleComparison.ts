import type { FairnessRule } from "../../engine/arena/Fairness.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { added, type AuctionFigures, NO_FIGURES } from "./AuctionFigures.ts"

/** One seed under either rule. */
export interface SeedPair {
  readonly seed: number
  readonly one: AuctionFigures
  readonly other: AuctionFigures
}

/** What is compared: of the figures of so many seeds together. None where it has no meaning. */
const MEASURES = {
  wins: ({ wins }: AuctionFigures, seeds: number) => wins / seeds,
  profit: ({ profit }: AuctionFigures, seeds: number) => profit / seeds,
  voids: ({ voids }: AuctionFigures, seeds: number) => voids / seeds,
  machine_share: ({ machineWins, wins }: AuctionFigures) => (wins === 0 ? undefined : machineWins / wins)
}

export type MeasureName = keyof typeof MEASURES

export const MEASURE_NAMES = Object.keys(MEASURES) as ReadonlyArray<MeasureName>

/** A measure under both rules, and by how much the second is above the first. Null: there was nothing to measure. */
export interface ComparedMeasure {
  readonly one: number | null
  readonly other: number | null
  readonly difference: number | null
  /** 95 % of what the difference comes to when the seeds are drawn again: a paired percentile bootstrap. */
  readonly interval: readonly [low: number, high: number] | null
}

export interface RuleComparison {
  readonly rules: readonly [one: FairnessRule, other: FairnessRule]
  readonly seeds: number
  readonly measures: Readonly<Record<MeasureName, ComparedMeasure>>
}

/** How often the seeds are drawn again (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3). */
export const RESAMPLES = 2_000

const LOW = 0.025

interface Totals {
  readonly one: AuctionFigures
  readonly other: AuctionFigures
}

const total = (pairs: Iterable<Totals>): Totals => {
  let [one, other] = [NO_FIGURES, NO_FIGURES]
  for (const pair of pairs) {
    one = added(one, pair.one)
    other = added(other, pair.other)
  }
  return { one, other }
}

const differenceOf = (name: MeasureName, { one, other }: Totals, seeds: number): number | undefined => {
  const [low, high] = [MEASURES[name](one, seeds), MEASURES[name](other, seeds)]
  return low === undefined || high === undefined ? undefined : high - low
}

/** The middle 95 % of some values. */
const middle = (values: ReadonlyArray<number>): readonly [number, number] | null => {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.floor(sorted.length * LOW)], sorted[Math.ceil(sorted.length * (1 - LOW)) - 1]]
  return low === undefined || high === undefined ? null : [low, high]
}

/**
 * Compares two rules by the same seeds. What a seed brings is the same under both, so that the pairs are drawn again and not
 * the runs. The same pairs give the same intervals.
 */
export const compareRules = (rules: RuleComparison["rules"], pairs: ReadonlyArray<SeedPair>): RuleComparison => {
  const seeds = pairs.length
  const random = new SeededRandom(pairs[0]?.seed ?? 0, "bootstrap")
  const drawn = Array.from({ length: seeds === 0 ? 0 : RESAMPLES }, () =>
    total(pairs.map((pair) => pairs[random.below(seeds)] ?? pair))
  )
  const whole = total(pairs)
  const measureOf = (name: MeasureName): ComparedMeasure => ({
    one: seeds === 0 ? null : (MEASURES[name](whole.one, seeds) ?? null),
    other: seeds === 0 ? null : (MEASURES[name](whole.other, seeds) ?? null),
    difference: seeds === 0 ? null : (differenceOf(name, whole, seeds) ?? null),
    interval: middle(drawn.flatMap((totals) => differenceOf(name, totals, seeds) ?? []))
  })
  return {
    rules,
    seeds,
    measures: {
      wins: measureOf("wins"),
      profit: measureOf("profit"),
      voids: measureOf("voids"),
      machine_share: measureOf("machine_share")
    }
  }
}

const LABELS: Readonly<Record<MeasureName, string>> = {
  wins: "wins a seed",
  profit: "winners' profit a seed, USD",
  voids: "voids a seed",
  machine_share: "machines' share of wins, %"
}

const shown = (name: MeasureName, value: number | null): string =>
  value === null ? "–" : (name === "machine_share" ? value * 100 : value).toFixed(2)

const signed = (text: string): string => (/^[-–]/.test(text) ? text : `+${text}`)

/** The comparison as lines of text. */
export const comparisonText = ({ measures, rules, seeds }: RuleComparison): string => {
  const head = ["", ...rules, "difference", "95 % interval"]
  const rows = MEASURE_NAMES.map((name) => {
    const { difference, interval, one, other } = measures[name]
    const range = interval === null ? "–" : interval.map((end) => signed(shown(name, end))).join(" to ")
    return [LABELS[name], shown(name, one), shown(name, other), signed(shown(name, difference)), range]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>): string =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd()
  return [
    `${seeds} seeds under both rules; a difference is ${rules[1]} less ${rules[0]}, its interval a paired bootstrap`,
    ...[head, ...rows].map(line)
  ].join("\n")
}
