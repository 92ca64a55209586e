/** `emporion/simulation`: the simulated arena for modules of one's own, and for programs such as tests. */
import type { ScenarioSpec as Spec } from "../engine/simulation/Scenario.ts"
import { simulate as simulateScenario } from "../engine/simulation/Simulation.ts"
import type * as Extension from "../engine/simulation/SimulationExtension.ts"
import type { SimulationResult as Result, Violation as Broken } from "../engine/simulation/SimulationResult.ts"
import type { ExportedWorld as World } from "../engine/simulation/ExportedWorld.ts"
import { plannedScenario } from "../engine/simulation/WorldScenario.ts"
import type * as Market from "../engine/market/TradingProgram.ts"
import { bidOf } from "../src/arena/ProgramBids.ts"
import { extensionOf } from "./ExtensionLoading.ts"
import { withFiles } from "./NamedFiles.ts"
import { shrunken, type ShrunkFailure as Shrunk } from "./ShrunkFailure.ts"
import { compression, hashing, readHistory } from "./SimulationPlatform.ts"
import { readWorldFile } from "./WorldLoading.ts"

/** The default export of a module for `sim --with`. */
export type SimulationExtension = Extension.SimulationExtension
export type ExtensionMaker = Extension.ExtensionMaker
export type ExtensionContext = Extension.ExtensionContext
export type SeededChance = Extension.SeededChance
export type SimulatedTrader = Extension.SimulatedTrader
export type SimulatedFault = Extension.SimulatedFault
export type PlannedStrike = Extension.PlannedStrike
export type Invariant = Extension.Invariant
export type WorldView = Extension.WorldView
export type RecordedOrder = Extension.RecordedOrder
export type RecordedEvent = Extension.RecordedEvent
export type CommitmentRequest = Market.CommitmentRequest
export type TradingMarket = Market.Market
/** What a simulation is made from. */
export type ScenarioSpec = Spec
export type SimulationResult = Result
export type Violation = Broken
export type ShrunkFailure = Shrunk
/** A production as a simulation begins from it. */
export type ExportedWorld = World

// The command drops the traces of errors for its speed; who tests wants to know where it failed.
Error.stackTraceLimit = 10

const platform = {
  compression,
  hashing,
  history: readHistory(new URL("../data/daily-rates-per-usd.csv", import.meta.url))
}

const environmentOf = (
  extension: SimulationExtension | ExtensionMaker | undefined,
  world: ExportedWorld | undefined
) => ({
  ...platform,
  world,
  extension: extension && extensionOf(extension, bidOf)
})

/** A trader, with its types. */
export const trader = (given: SimulatedTrader): SimulatedTrader => given

/** A fault, with its types. */
export const fault = (given: SimulatedFault): SimulatedFault => given

/** An invariant, with its types. */
export const invariant = (given: Invariant): Invariant => given

/** Reads an export of a server, or what `sim world` made of one, for `simulate` and `shrink`. Throws what says what to do. */
export const readWorld = (path: string): Promise<ExportedWorld> => readWorldFile(path)

/** Throws where only one of a world and its file's name is there: one alone would play another scenario than its command. */
const checkWorld = ({ world: file }: ScenarioSpec, world: ExportedWorld | undefined): void => {
  if (file !== undefined && world === undefined)
    throw new TypeError(`The world of ${file} is not there: give what readWorld made of it as the last argument`)
  if (file === undefined && world !== undefined)
    throw new TypeError(
      "The world's file has no name: give it as world of the specification, for the command to name it"
    )
}

/**
 * Runs one simulation to its end or to the first rule that does not hold. A function makes the extension anew each time. A
 * world has to come with its file's name in `spec`: throws a `TypeError` where one of them is there alone.
 */
export const simulate = (
  spec: ScenarioSpec,
  extension?: SimulationExtension | ExtensionMaker,
  world?: ExportedWorld
): SimulationResult => {
  checkWorld(spec, world)
  return simulateScenario(plannedScenario(spec, world), environmentOf(extension, world))
}

/**
 * Leaves out of a failing scenario what its violation does not need. `simulate` runs the `spec` of the answer, whose files are
 * named as its command finds them. Throws as `simulate` does.
 */
export const shrink = (
  spec: ScenarioSpec,
  violation: Violation,
  extension?: SimulationExtension | ExtensionMaker,
  world?: ExportedWorld
): ShrunkFailure => {
  checkWorld(spec, world)
  return shrunken(withFiles(spec), violation, environmentOf(extension, world))
}
