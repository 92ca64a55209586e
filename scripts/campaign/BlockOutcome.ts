import { Schema } from "effect"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { commandOf } from "../../engine/simulation/Shrink.ts"
import { simulate } from "../../engine/simulation/Simulation.ts"
import type { SimulationEnvironment } from "../../engine/simulation/SimulationEnvironment.ts"
import type { SimulationResult } from "../../engine/simulation/SimulationResult.ts"
import { plannedScenario } from "../../engine/simulation/WorldScenario.ts"
import { figuresOf } from "../compare/AuctionFigures.ts"

const Counts = Schema.Record(Schema.String, Schema.Number)
type Counts = typeof Counts.Type

/** A rule that did not hold. */
const Violation = Schema.Struct({
  invariant: Schema.String,
  detail: Schema.String,
  seq: Schema.Number,
  at: Schema.Number
})

/** What some simulations came to on their way, each by name: how often. */
const Reached = Schema.Struct({
  /** What became of their auctions. */
  auctions: Counts,
  events: Counts,
  causes: Counts,
  faults: Counts,
  /** By fault, the events that were recorded next after it began, of the faults that had an effect. */
  struckBefore: Schema.Record(Schema.String, Counts),
  /** What traders were answered, what bots' owners were, and what companies were. */
  answers: Counts,
  botResponses: Counts,
  companyResponses: Counts
})
export type Reached = typeof Reached.Type

/** What consecutive seeds came to. */
export const BlockOutcome = Schema.Struct({
  firstSeed: Schema.Number,
  seeds: Schema.Number,
  /** Simulated milliseconds. */
  elapsed: Schema.Number,
  /** SHA-256, in hex, over a line for each seed: the seed, its events' hash and its state's hash. */
  hash: Schema.String,
  failures: Schema.Array(
    Schema.Struct({
      seed: Schema.Number,
      violation: Violation,
      /** The one command that runs it again. */
      replay: Schema.String
    })
  ),
  reached: Reached
})
export type BlockOutcome = typeof BlockOutcome.Type

export const NOTHING_REACHED: Reached = {
  auctions: {},
  events: {},
  causes: {},
  faults: {},
  struckBefore: {},
  answers: {},
  botResponses: {},
  companyResponses: {}
}

const sum = (one: Counts, other: Counts): Counts => {
  const counts = { ...one }
  for (const [name, times] of Object.entries(other)) counts[name] = (counts[name] ?? 0) + times
  return counts
}

const sumByKind = (one: Reached["struckBefore"], other: Reached["struckBefore"]): Reached["struckBefore"] => {
  const counts = { ...one }
  for (const [kind, before] of Object.entries(other)) counts[kind] = sum(counts[kind] ?? {}, before)
  return counts
}

/** What two of them came to together. */
export const added = (one: Reached, other: Reached): Reached => ({
  auctions: sum(one.auctions, other.auctions),
  events: sum(one.events, other.events),
  causes: sum(one.causes, other.causes),
  faults: sum(one.faults, other.faults),
  struckBefore: sumByKind(one.struckBefore, other.struckBefore),
  answers: sum(one.answers, other.answers),
  botResponses: sum(one.botResponses, other.botResponses),
  companyResponses: sum(one.companyResponses, other.companyResponses)
})

const reachedBy = ({ answers, botResponses, companyResponses = {}, orders, reached }: SimulationResult): Reached => {
  const { commitments, machineWins, voids, wins, orders: opened } = figuresOf(orders)
  const auctions = { opened, commitments, won: wins, "won by a machine": machineWins, void: voids }
  return { auctions, ...reached, answers, botResponses, companyResponses }
}

/** Plays scenarios of consecutive seeds one after the other. */
export const blockOutcome = (specs: ReadonlyArray<ScenarioSpec>, environment: SimulationEnvironment): BlockOutcome => {
  const digest = environment.hashing.digest()
  const failures: Array<BlockOutcome["failures"][number]> = []
  let reached = NOTHING_REACHED
  let elapsed = 0
  for (const spec of specs) {
    const result = simulate(plannedScenario(spec, environment.world), environment)
    const { endedAt, eventsHash, seed, startedAt, stateHash, violation } = result
    digest.update(`${seed} ${eventsHash} ${stateHash}\n`)
    reached = added(reached, reachedBy(result))
    elapsed += endedAt - startedAt
    if (violation !== null) failures.push({ seed, violation, replay: commandOf(spec) })
  }
  return { firstSeed: specs[0]?.seed ?? 0, seeds: specs.length, elapsed, hash: digest.hex(), failures, reached }
}
