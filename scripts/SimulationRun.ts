import progress from "cli-progress"
import { writeFileSync } from "node:fs"
import { format } from "../engine/money/Amount.ts"
import { makeScenario, type ScenarioSpec } from "../engine/simulation/Scenario.ts"
import { commandOf, shrink } from "../engine/simulation/Shrink.ts"
import { simulate } from "../engine/simulation/Simulation.ts"
import type { ProgressListener, SimulationResult, Violation } from "../engine/simulation/SimulationResult.ts"
import { readArguments, type SimulationArguments, USAGE } from "./SimulationArguments.ts"
import { simulationReport } from "./report/SimulationReport.ts"
import { hashing, readHistory } from "./SimulationPlatform.ts"

const environment = { hashing, history: readHistory(new URL("../data/daily-rates-per-usd.csv", import.meta.url)) }

const run = (spec: ScenarioSpec): Violation | null => simulate(makeScenario(spec), environment).violation

/** What still breaks the rule when as much as possible is left out. */
const shrunken = (spec: ScenarioSpec, violation: Violation) => {
  const { orders, traders, faults } = makeScenario(spec)
  const numbers = (some: ReadonlyArray<{ readonly index: number }>) => some.map(({ index }) => index)
  const parts = { orders: numbers(orders), traders: numbers(traders), faults: numbers(faults) }
  const smaller = shrink(spec, parts, violation, run)
  return {
    replay: commandOf(spec),
    command: commandOf(smaller.spec),
    violation: smaller.violation,
    tried: smaller.tried
  }
}

type Failure = ReturnType<typeof shrunken>

/** Milliseconds after which a simulation counts as long. */
const LONG = 1_000

/** A bar on standard error, where a person watches and has waited for a while. */
const makeBar = (): { readonly listen: ProgressListener; readonly stop: () => void } => {
  const bar = new progress.SingleBar(
    { format: "simulating [{bar}] {percentage} % | {events} events | {eta_formatted} left", clearOnComplete: true },
    progress.Presets.shades_classic
  )
  const begun = performance.now()
  let isShown = false
  return {
    listen: ({ events, elapsed, total }) => {
      if (performance.now() - begun < LONG) return
      if (!isShown) bar.start(total, elapsed, { events })
      isShown = true
      bar.update(Math.min(elapsed, total), { events: events.toLocaleString("en") })
    },
    stop: () => {
      if (isShown) bar.stop()
    }
  }
}

const told = (
  { events, orders, commits, messages, restarts, faults, answers }: SimulationResult,
  seconds: number
): string => {
  const won = orders.filter(({ winner }) => winner !== null).length
  const voided = orders.filter(({ voided }) => voided !== null).length
  const commitments = orders.reduce((sum, order) => sum + order.commitments, 0)
  return [
    `orders        ${orders.length} opened, ${won} won, ${voided} void`,
    `commitments   ${commitments}`,
    `messages      ${messages} to actors, ${restarts} restarts, ${faults.length} faults`,
    `answers       ${Object.entries(answers)
      .map(([answer, count]) => `${answer} ${count}`)
      .join(", ")}`,
    `transactions  ${commits}`,
    `speed         ${Math.round(events / seconds)} events/s`
  ].join("\n")
}

const printed = (result: SimulationResult, seconds: number, json: boolean, failure: Failure | undefined): string => {
  if (json) {
    const plain = { ...result, ...(failure !== undefined && { failure }) }
    return JSON.stringify(plain, (_, value: unknown) =>
      typeof value === "bigint" ? format(value as Parameters<typeof format>[0]) : value
    )
  }
  return [
    told(result, seconds),
    `seed          ${result.seed}`,
    `events        ${result.events}`,
    `state hash    ${result.stateHash}`,
    `events hash   ${result.eventsHash}`
  ].join("\n")
}

const explain = ({ replay, command, violation: smaller }: Failure, { invariant, detail, seq }: Violation): string =>
  `\n${invariant}: ${detail}\nafter event ${seq}\nreplay        ${replay}\n` +
  `smaller       ${command}\n              ${smaller.detail}`

const simulateAsked = async ({ spec, json, report }: SimulationArguments): Promise<number> => {
  const bar = makeBar()
  const begun = performance.now()
  const result = simulate(makeScenario(spec), { ...environment, prices: report !== undefined, onProgress: bar.listen })
  const seconds = (performance.now() - begun) / 1_000
  bar.stop()
  const { violation } = result
  const failure = violation === null ? undefined : shrunken(spec, violation)
  console.log(printed(result, seconds, json, failure))
  if (report !== undefined) {
    writeFileSync(report, await simulationReport(result, commandOf(spec)))
    if (!json) console.log(`report        ${report}`)
  }
  if (violation !== null && failure !== undefined) console.error(explain(failure, violation))
  return failure === undefined ? 0 : 1
}

/**
 * Simulates the arena: `bun run sim --seed 42 --orders 200 --traders 50 [--faults] [--json] [--report out.html]`.
 *
 * Prints the seed, the number of events, and the hashes of the final state and of the events' bytes. Answers the exit
 * code: 1 where a rule did not hold, after shrinking the scenario to what still breaks it; 2 for wrong arguments.
 */
export const runSimulation = async (args: ReadonlyArray<string>): Promise<number> => {
  const asked = readArguments(args)
  if (typeof asked !== "string") return simulateAsked(asked)
  console.error(`${asked}\n${USAGE}`)
  return 2
}
