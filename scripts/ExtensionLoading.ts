import { Effect, Result } from "effect"
import type { CallGuard } from "../engine/simulation/ExtensionCall.ts"
import { type LoadedExtension, makeExtension } from "../engine/simulation/ExtensionHost.ts"
import { makeScenario } from "../engine/simulation/Scenario.ts"
import type { SimulationSpec } from "../engine/simulation/Shrink.ts"
import type { ExtensionContext } from "../engine/simulation/SimulationExtension.ts"
import type { BidReader } from "../engine/simulation/TradingPrograms.ts"
import { defaultExport } from "../src/cli/UserModule.ts"

/** Where an error of a module was thrown: so many calls are told. */
const TOLD_CALLS = 10

const refused = (what: string, instead: string) => (): never => {
  throw new Error(`${what} is not the seed's, and would come out otherwise each time: take ${instead}`)
}

const CHANCE = refused("Math.random", "the random(label) that the module's function is given")
const CLOCK = refused("The time of the machine", "market.now or world.now")

/** `Date` without the time of the machine. */
const SimulatedDate = new Proxy(Date, {
  apply: CLOCK,
  construct: (target, given: ReadonlyArray<unknown>) =>
    given.length === 0 ? CLOCK() : Reflect.construct(target, given),
  get: (target, name, receiver: unknown): unknown => (name === "now" ? CLOCK : Reflect.get(target, name, receiver))
})

/** While a module runs, neither chance nor time is there but the simulation's; and its errors tell where they were thrown. */
export const guard: CallGuard = (run) => {
  const { Date: date } = globalThis
  const { now } = performance
  const { random } = Math
  const { stackTraceLimit } = Error
  globalThis.Date = SimulatedDate
  performance.now = CLOCK
  Math.random = CHANCE
  Error.stackTraceLimit = TOLD_CALLS
  try {
    return run()
  } finally {
    globalThis.Date = date
    performance.now = now
    Math.random = random
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** What a module's default export gives as an extension: a function makes one for each simulation. */
export const extensionOf = (exported: unknown, readBid: BidReader): LoadedExtension => ({
  make: (context: ExtensionContext): unknown => (typeof exported === "function" ? exported(context) : exported),
  readBid,
  guard
})

/** A module that cannot be simulated with. Its message tells what to do. */
export class ExtensionNotLoaded extends Error {
  override readonly name = "ExtensionNotLoaded"
}

const load = async (path: string): Promise<LoadedExtension> => {
  const exported = await Effect.runPromise(Effect.result(defaultExport(path)))
  if (Result.isFailure(exported)) throw new ExtensionNotLoaded(exported.failure.message)
  // What reads commitments has the platform's whole contract, which nothing else here needs.
  const { bidOf } = await import("../src/arena/ProgramBids.ts")
  const extension = extensionOf(exported.success, bidOf)
  const { problem } = makeExtension(extension, makeScenario({ seed: 0, orders: 0, traders: 0, faults: false }))
  if (problem !== undefined) throw new ExtensionNotLoaded(`${path}: ${problem}.`)
  return extension
}

const loaded = new Map<string, Promise<LoadedExtension>>()

/** Loads the module that a specification names, once a process; undefined where it names none. */
export const extensionNamed = async (spec: SimulationSpec): Promise<LoadedExtension | undefined> => {
  if ("nodes" in spec || spec.with === undefined) return undefined
  const extension = loaded.get(spec.with) ?? load(spec.with)
  loaded.set(spec.with, extension)
  return extension
}
