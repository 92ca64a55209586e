/**
 * Simulates the arena: `bun run sim --seed 42 --orders 200 --traders 50 [--faults] [--json]`.
 *
 * Prints the seed, the number of events, and the hashes of the final state and of the events' bytes. Exits with 1 where
 * a rule did not hold, after shrinking the scenario to what still breaks it.
 */
import { format } from "../engine/money/Amount.ts"
import { makeScenario, type ScenarioSpec } from "../engine/simulation/Scenario.ts"
import { commandOf, shrink } from "../engine/simulation/Shrink.ts"
import { simulate } from "../engine/simulation/Simulation.ts"
import type { SimulationResult, Violation } from "../engine/simulation/SimulationResult.ts"
import { readArguments, USAGE } from "./SimulationArguments.ts"
import { hashing, readHistory } from "./SimulationPlatform.ts"

const asked = readArguments(process.argv.slice(2))
if (typeof asked === "string") {
  console.error(`${asked}\n${USAGE}`)
  process.exit(2)
}
const { spec, json } = asked
const environment = { hashing, history: readHistory(new URL("../data/daily-rates-per-usd.csv", import.meta.url)) }

const run = (one: ScenarioSpec): Violation | null => simulate(makeScenario(one), environment).violation

const shrunken = (violation: Violation) => {
  const { orders, traders, faults } = makeScenario(spec)
  const numbers = (some: ReadonlyArray<{ readonly index: number }>) => some.map(({ index }) => index)
  const parts = { orders: numbers(orders), traders: numbers(traders), faults: numbers(faults) }
  const smaller = shrink(spec, parts, violation, run)
  return { command: commandOf(smaller.spec), violation: smaller.violation, tried: smaller.tried }
}

const begun = performance.now()
const result = simulate(makeScenario(spec), environment)
const seconds = (performance.now() - begun) / 1_000
const { violation } = result
const failure = violation === null ? undefined : { replay: commandOf(spec), ...shrunken(violation) }

const told = ({ events, orders, commits, messages, restarts, faults, answers }: SimulationResult): string => {
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

if (json) {
  const plain = { ...result, ...(failure !== undefined && { failure }) }
  const text = JSON.stringify(plain, (_, value: unknown) =>
    typeof value === "bigint" ? format(value as Parameters<typeof format>[0]) : value
  )
  console.log(text)
} else {
  console.log(told(result))
  console.log(`seed          ${result.seed}`)
  console.log(`events        ${result.events}`)
  console.log(`state hash    ${result.stateHash}`)
  console.log(`events hash   ${result.eventsHash}`)
}
if (failure !== undefined) {
  console.error(`\n${violation?.invariant}: ${violation?.detail}`)
  console.error(`after event ${violation?.seq}\nreplay        ${failure.replay}`)
  console.error(`smaller       ${failure.command}\n              ${failure.violation.detail}`)
}
process.exitCode = failure === undefined ? 0 : 1
