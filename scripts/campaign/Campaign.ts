import { Schema } from "effect"
import { FAIRNESS_RULES } from "../../engine/arena/Fairness.ts"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { USUAL_DEPTH } from "../../engine/simulation/SimulationArguments.ts"
import { populated } from "../Population.ts"

/** What a campaign is to do: with the program's version it stands for every byte of its evidence. */
export const Campaign = Schema.Struct({
  /** Of the program that runs it, as Git calls it. */
  commit: Schema.String,
  /** What stands for its code, committed or not; see `programHash`. The first campaigns did not note it. */
  program: Schema.optionalKey(Schema.String),
  firstSeed: Schema.Number,
  seeds: Schema.Number,
  /** Seeds that are played and noted at once. */
  block: Schema.Number,
  orders: Schema.Number,
  traders: Schema.Number,
  bots: Schema.Number,
  companies: Schema.Number,
  faults: Schema.Boolean,
  /** Whether each seed draws its reading of the 3/4 rule and its scheduler. */
  vary: Schema.Boolean,
  /** The hash of the world that each seed begins as, in the place of drawn traders and bots, wherever its file is. */
  worldHash: Schema.optionalKey(Schema.String)
})
export type Campaign = typeof Campaign.Type

/** How many in a thousand seeds have the scheduler with a bound, which takes twice as long. */
const BOUNDED = 125

/** The world's file in the evidence, which tells nothing of where it is; `worldHash` says which it is. */
export const WORLD_FILE = "FILE"

/** The scenario of one of its seeds. A world's file is named {@link WORLD_FILE} unless it is given. */
export const scenarioOf = (campaign: Campaign, seed: number, file = WORLD_FILE): ScenarioSpec => {
  const { bots, companies, faults, orders, traders, vary, worldHash } = campaign
  const population = { bots, companies, traders, ...(worldHash !== undefined && { world: file }) }
  const spec: ScenarioSpec = { seed, orders, faults, ...populated(population) }
  if (!vary) return spec
  const random = new SeededRandom(seed, "campaign")
  const rule = random.pick(FAIRNESS_RULES)
  return random.chance(BOUNDED) ? { ...spec, rule, depth: USUAL_DEPTH } : { ...spec, rule }
}

type Scenarios = readonly [ScenarioSpec, ...ReadonlyArray<ScenarioSpec>]

/** The blocks of a campaign that are not done, each as the scenarios of its seeds. */
export const blocksLeft = function* (campaign: Campaign, isDone: (firstSeed: number) => boolean): Generator<Scenarios> {
  const { block, firstSeed, seeds } = campaign
  const end = firstSeed + seeds
  for (let first = firstSeed; first < end; first += block) {
    if (isDone(first)) continue
    const others = Array.from({ length: Math.min(block, end - first) - 1 }, (_, index) => first + 1 + index)
    yield [scenarioOf(campaign, first), ...others.map((seed) => scenarioOf(campaign, seed))]
  }
}

/** The command that runs a campaign, but for its folder and its world's file. */
export const commandText = ({
  block,
  bots,
  companies,
  faults,
  firstSeed,
  orders,
  seeds,
  traders,
  vary,
  worldHash
}: Campaign): string =>
  [
    `npm run sim -- campaign FOLDER --seed ${firstSeed} --seeds ${seeds} --block ${block}`,
    `--orders ${orders}`,
    worldHash === undefined ? `--traders ${traders} --bots ${bots}` : `--world ${WORLD_FILE}`,
    ...(companies > 0 ? [`--companies ${companies}`] : []),
    ...(faults ? ["--faults"] : []),
    ...(vary ? ["--vary"] : [])
  ].join(" ")
