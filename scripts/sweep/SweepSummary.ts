import { commandOf, type SimulationSpec } from "../../engine/simulation/Shrink.ts"
import type { Violation } from "../../engine/simulation/SimulationResult.ts"
import { added, type AuctionFigures, NO_FIGURES } from "../compare/AuctionFigures.ts"
import { explainFailure, explainViolation, type SeedOutcome, type ShrunkFailure } from "../ShrunkFailure.ts"
import { hashing } from "../SimulationPlatform.ts"

/** Failures that the text explains; the others are counted, and all are in the JSON. */
export const MAX_EXPLAINED = 100

/** A seed whose simulation broke a rule. */
export interface SweepFailure {
  readonly seed: number
  readonly violation: Violation
  /** The one command that runs it again. */
  readonly replay: string
}

/** What came of many seeds: the same for the same seeds, however many ran side by side. */
export interface SweepSummary {
  readonly firstSeed: number
  readonly seeds: number
  readonly events: number
  /** SHA-256, in hex, over a line for each seed in ascending order: the seed, its events' hash and its state's hash. */
  readonly sweepHash: string
  /** In ascending order of seeds. */
  readonly failures: ReadonlyArray<SweepFailure>
  /** What all their auctions came to; null for several nodes. */
  readonly auctions: AuctionFigures | null
  readonly runs: ReadonlyArray<SeedOutcome>
}

/** How long a sweep took. */
export interface SweepSpeed {
  /** Workers side by side. */
  readonly jobs: number
  /** Wall time, start of the workers included. */
  readonly seconds: number
  readonly eventsPerSecond: number
}

/** Puts the outcomes of seeds, in any order, together. `spec` is what all of them have in common. */
export const summaryOf = (spec: SimulationSpec, outcomes: ReadonlyArray<SeedOutcome>): SweepSummary => {
  const runs = outcomes.toSorted((one, other) => one.seed - other.seed)
  const digest = hashing.digest()
  for (const { seed, eventsHash, stateHash } of runs) digest.update(`${seed} ${eventsHash} ${stateHash}\n`)
  return {
    firstSeed: spec.seed,
    seeds: runs.length,
    events: runs.reduce((sum, { events }) => sum + events, 0),
    sweepHash: digest.hex(),
    failures: runs.flatMap(({ seed, violation }) =>
      violation === null ? [] : [{ seed, violation, replay: commandOf({ ...spec, seed }) }]
    ),
    auctions: runs.reduce<AuctionFigures | null>(
      (sum, { auctions }) => (auctions === null ? sum : added(sum ?? NO_FIGURES, auctions)),
      null
    ),
    runs
  }
}

const auctionLines = (figures: AuctionFigures | null): ReadonlyArray<string> => {
  if (figures === null) return []
  const { commitments, machineWins, orders, profit, voids, wins } = figures
  return [
    `orders        ${orders} opened, ${wins} won, ${machineWins} of them by machines, ${voids} void`,
    `commitments   ${commitments}, profit ${profit.toFixed(2)} USD`
  ]
}

/** How many seeds broke each rule, the most broken first. */
const brokenLines = (failures: ReadonlyArray<SweepFailure>): ReadonlyArray<string> => {
  const seeds = new Map<string, number>()
  for (const { violation } of failures) seeds.set(violation.invariant, (seeds.get(violation.invariant) ?? 0) + 1)
  const told = [...seeds].toSorted(([, one], [, other]) => other - one).map(([rule, count]) => `${rule} ${count}`)
  return told.length === 0 ? [] : [`broken        ${told.join(", ")}`]
}

/** The summary as lines of text, without its failures. */
export const sweepText = (
  { auctions, firstSeed, seeds, events, sweepHash, failures }: SweepSummary,
  { jobs, seconds, eventsPerSecond }: SweepSpeed
): string =>
  [
    `seeds         ${seeds} from ${firstSeed}, ${failures.length} failed`,
    ...brokenLines(failures),
    ...auctionLines(auctions),
    `events        ${events}`,
    `speed         ${Math.round(eventsPerSecond)} events/s of wall time, ${seconds.toFixed(1)} s, jobs ${jobs}`,
    `sweep hash    ${sweepHash}`
  ].join("\n")

/** The failures as text, each with the command that replays it, and the first with its smaller scenario. */
export const failuresText = ({ failures }: SweepSummary, smaller: ShrunkFailure | undefined): string => {
  const explained = failures.slice(0, MAX_EXPLAINED).map(({ violation, replay }, index) => {
    const isSmaller = index === 0 && smaller !== undefined
    return `\n${isSmaller ? explainFailure(violation, smaller) : explainViolation(violation, replay)}`
  })
  const more = failures.length - explained.length
  return [...explained, ...(more > 0 ? [`\nand ${more} more failures: --json tells all`] : [])].join("\n")
}
