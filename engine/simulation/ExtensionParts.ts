import { Predicate, Result } from "effect"
import { MARKET_CHANNELS } from "../market/MarketFrame.ts"
import type { TradingProgram } from "../market/TradingProgram.ts"
import { type Amount, fromNumber } from "../money/Amount.ts"
import { SeededRandom } from "./SeededRandom.ts"
import type { TraderPlan } from "./Scenario.ts"
import type { ExtensionContext, Invariant, SimulatedFault, SimulatedTrader } from "./SimulationExtension.ts"

/** An extension whose parts are lists, and are what they have to be. */
export interface ExtensionParts {
  readonly traders: ReadonlyArray<SimulatedTrader>
  readonly faults: ReadonlyArray<SimulatedFault>
  readonly invariants: ReadonlyArray<Invariant>
}

export const NO_PARTS: ExtensionParts = { traders: [], faults: [], invariants: [] }

const EXPECTED =
  "its default export has to be {trader, fault, invariant}, each of which may be missing or a list, a program " +
  "{onEvent(event, market) {…}}, or a function that makes one of these"

const NAME = /^\w{1,60}$/

/** USD that a trader begins with, unless it says. */
const USUAL_BALANCE = 100_000

/** What a module takes a seed's chance from. */
export const contextOf = (seed: number): ExtensionContext => ({
  seed,
  random: (label) => new SeededRandom(seed, `extension/${label}`)
})

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

const has = (value: unknown, name: string): boolean =>
  Predicate.hasProperty(value, name) && typeof value[name] === "function"

export const isProgram = (value: unknown): value is TradingProgram => has(value, "onEvent")

const balanceOf = (value: unknown): Amount | undefined => {
  const amount = typeof value === "number" ? Result.getOrUndefined(fromNumber(value)) : undefined
  return amount !== undefined && amount > 0n ? amount : undefined
}

const isChannel = (name: unknown): boolean => MARKET_CHANNELS.some((channel) => channel === name)

const traderProblem = (value: unknown): string | undefined => {
  if (!isProgram(value)) return "a trader has to be {onEvent(event, market) {…}}"
  const { balance = USUAL_BALANCE, channels = [], type = "machine" } = value as SimulatedTrader
  if (!Array.isArray(channels) || !channels.every(isChannel)) {
    return `a trader's channels have to be a list of ${MARKET_CHANNELS.join(", ")}`
  }
  if (!["human", "machine"].includes(type)) return `a trader's type has to be "human" or "machine"`
  return balanceOf(balance) === undefined ? "a trader's balance has to be a number of USD above 0" : undefined
}

const namedProblem =
  (what: string, method: string) =>
  (value: unknown): string | undefined =>
    !has(value, method)
      ? `${what} has to be {name, ${method}(world) {…}}`
      : Predicate.hasProperty(value, "name") && typeof value.name === "string" && NAME.test(value.name)
        ? undefined
        : `${what}'s name has to be letters, digits and _`

const firstProblem = (values: ReadonlyArray<unknown>, problem: (value: unknown) => string | undefined) =>
  values.map(problem).find((found) => found !== undefined)

/** What a module made, as lists, or what is wrong with it. A program alone is a trader. */
export const extensionParts = (made: unknown): Result.Result<ExtensionParts, string> => {
  if (isProgram(made)) return extensionParts({ trader: made })
  if (!Predicate.isObject(made)) return Result.fail(EXPECTED)
  const { fault, invariant, trader, ...others } = made as Readonly<Record<string, unknown>>
  const unknown = Object.keys(others)
  if (unknown.length > 0) return Result.fail(`${EXPECTED}, and has ${unknown.join(", ")}`)
  const [traders, faults, invariants] = [listOf(trader), listOf(fault), listOf(invariant)]
  const problem =
    firstProblem(traders, traderProblem) ??
    firstProblem(faults, namedProblem("a fault", "strike")) ??
    firstProblem(invariants, namedProblem("an invariant", "check"))
  return problem === undefined
    ? Result.succeed({ traders, faults, invariants } as ExtensionParts)
    : Result.fail(problem)
}

/** The extension's traders among so many others, each a company of its own. */
export const traderPlans = (traders: ReadonlyArray<SimulatedTrader>, others: number): ReadonlyArray<TraderPlan> =>
  traders.map(({ balance: usd = USUAL_BALANCE, type = "machine" }, place): TraderPlan => {
    const index = others + place
    const balance = Result.getOrThrow(fromNumber(usd))
    return {
      index,
      id: `usr_${index}`,
      owner: `cmp_${index}`,
      type,
      barred: null,
      balance,
      allowance: type === "machine" ? balance : null
    }
  })
