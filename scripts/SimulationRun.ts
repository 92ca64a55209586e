import { writeFileSync } from "node:fs"
import { format } from "../engine/money/Amount.ts"
import { makeNodesScenario, type NodesSpec } from "../engine/simulation/NodesScenario.ts"
import { type NodesResult, simulateNodes } from "../engine/simulation/NodesSimulation.ts"
import type { ScenarioSpec } from "../engine/simulation/Scenario.ts"
import { commandOf } from "../engine/simulation/Shrink.ts"
import { simulate } from "../engine/simulation/Simulation.ts"
import type { SimulationResult } from "../engine/simulation/SimulationResult.ts"
import { plannedScenario } from "../engine/simulation/WorldScenario.ts"
import { ExtensionNotLoaded, extensionNamed } from "./ExtensionLoading.ts"
import { figuresOf } from "./compare/AuctionFigures.ts"
import { readArguments, type SimulationArguments, USAGE } from "../engine/simulation/SimulationArguments.ts"
import { explainFailure, shrunken, type ShrunkFailure } from "./ShrunkFailure.ts"
import { makeBar } from "./SimulationBar.ts"
import { withFiles } from "./NamedFiles.ts"
import { compression, hashing, readHistory } from "./SimulationPlatform.ts"
import { runSweep } from "./sweep/SimulationSweep.ts"
import { type LoadedWorld, worldLine, worldNamed, WorldNotLoaded } from "./WorldLoading.ts"

const base = {
  compression,
  hashing,
  history: readHistory(new URL("../data/daily-rates-per-usd.csv", import.meta.url))
}

const told = (
  {
    events,
    orders,
    commits,
    messages,
    restarts,
    faults,
    answers,
    bots,
    botResponses,
    companyResponses
  }: SimulationResult,
  seconds: number
): string => {
  const { commitments, voids, wins } = figuresOf(orders)
  const listed = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([answer, count]) => `${answer} ${count}`)
      .join(", ")
  const decisions = bots.reduce((sum, bot) => sum + bot.decisions + bot.evaluations, 0)
  const botCommitments = bots.reduce((sum, bot) => sum + bot.commitments, 0)
  return [
    `orders        ${orders.length} opened, ${wins} won, ${voids} void`,
    `commitments   ${commitments}`,
    `messages      ${messages} to actors, ${restarts} restarts, ${faults.length} faults`,
    `answers       ${listed(answers)}`,
    ...(bots.length === 0
      ? []
      : [
          `bots          ${bots.length}, ${decisions} decisions, ${botCommitments} commitments`,
          `their owners  ${listed(botResponses)}`
        ]),
    ...(companyResponses === undefined ? [] : [`companies     ${listed(companyResponses)}`]),
    `transactions  ${commits}`,
    `speed         ${Math.round(events / seconds)} events/s`
  ].join("\n")
}

const toldOfNodes = ({ answers, commits, faults, processes, terms }: NodesResult): string =>
  [
    `requests      ${answers.acknowledged} acknowledged, ${answers.refused} refused, ${answers.unknown} unknown`,
    `processes     ${processes}, ${terms} terms, ${faults.length} faults`,
    `transactions  ${commits}`
  ].join("\n")

const printed = (
  result: SimulationResult | NodesResult,
  text: string,
  json: boolean,
  failure: ShrunkFailure | undefined,
  world?: LoadedWorld
): string => {
  if (json) {
    const plain = { ...result, ...(world && { world: world.hash }), ...(failure !== undefined && { failure }) }
    return JSON.stringify(plain, (_, value: unknown) =>
      typeof value === "bigint" ? format(value as Parameters<typeof format>[0]) : value
    )
  }
  return [
    text,
    `seed          ${result.seed}`,
    ...worldLine(world),
    `events        ${result.events}`,
    `state hash    ${result.stateHash}`,
    `events hash   ${result.eventsHash}`
  ].join("\n")
}

/** What was asked of one seed. */
interface Asked<S> extends Omit<SimulationArguments, "sweep" | "spec"> {
  readonly spec: S
}

/** Says what a rule that did not hold is; answers the exit code. */
const ended = ({ violation }: Pick<SimulationResult, "violation">, failure: ShrunkFailure | undefined): number => {
  if (violation === null || failure === undefined) return 0
  console.error(`\n${explainFailure(violation, failure)}`)
  return 1
}

const simulateNodesAsked = ({ json, spec }: Asked<NodesSpec>): number => {
  const result = simulateNodes(makeNodesScenario(spec), hashing)
  const failure = result.violation === null ? undefined : shrunken(spec, result.violation, base)
  console.log(printed(result, toldOfNodes(result), json, failure))
  return ended(result, failure)
}

const simulateAsked = async ({ spec, json, report }: Asked<ScenarioSpec>): Promise<number> => {
  const world = await worldNamed(spec)
  const environment = { ...base, extension: await extensionNamed(spec), world: world?.world }
  const bar = makeBar("{percentage} % | {events} events")
  const begun = performance.now()
  const result = simulate(plannedScenario(spec, world?.world), {
    ...environment,
    prices: report !== undefined,
    onProgress: ({ events, elapsed, total }) =>
      bar.show(Math.min(elapsed, total), total, { events: events.toLocaleString("en") })
  })
  const seconds = (performance.now() - begun) / 1_000
  bar.stop()
  const { violation } = result
  const failure = violation === null ? undefined : shrunken(spec, violation, environment)
  console.log(printed(result, told(result, seconds), json, failure, world))
  if (report !== undefined) {
    // Pages are bundled by Bun; all else runs without it.
    const { simulationReport } = await import("./report/SimulationReport.ts")
    writeFileSync(report, await simulationReport(result, commandOf(spec)))
    if (!json) console.log(`report        ${report}`)
  }
  return ended(result, failure)
}

/**
 * Simulates the arena: `npm run sim -- --seed 42 --orders 200 --traders 50 [--faults] [--json] [--report out.html]`, or
 * many seeds side by side: `npm run sim -- --seeds 1000 [--jobs 4]`.
 *
 * Prints the seed, the number of events, and the hashes of the final state and of the events' bytes. Answers the exit
 * code: 1 where a rule did not hold, after shrinking the scenario to what still breaks it; 2 for wrong arguments.
 */
export const runSimulation = async (args: ReadonlyArray<string>): Promise<number> => {
  if (args.includes("--help")) {
    console.log(USAGE)
    return 0
  }
  const asked = readArguments(args)
  if (typeof asked === "string") {
    console.error(`${asked}\nnpm run sim -- --help tells all that there is`)
    return 2
  }
  try {
    return await run(asked)
  } catch (error) {
    if (!(error instanceof ExtensionNotLoaded || error instanceof WorldNotLoaded)) throw error
    console.error(error.message)
    return 1
  }
}

const run = async ({ spec: asked, sweep, ...alone }: SimulationArguments): Promise<number> => {
  const spec = "nodes" in asked ? asked : withFiles(asked)
  // A module or a world that cannot be loaded is told of before any worker begins.
  await extensionNamed(spec)
  const world = await worldNamed(spec)
  if (sweep !== undefined) return runSweep({ ...alone, ...sweep, spec, world })
  return "nodes" in spec ? simulateNodesAsked({ ...alone, spec }) : simulateAsked({ ...alone, spec })
}
