import { Cause, Effect, Exit, Result } from "effect"
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs"
import { type ExportedWorld, readWorld, worldText } from "../engine/simulation/ExportedWorld.ts"
import type { ScenarioSpec } from "../engine/simulation/Scenario.ts"
import type { SimulationSpec } from "../engine/simulation/Shrink.ts"
import { hashing } from "./SimulationPlatform.ts"

/** A file that no simulation can begin from. Its message tells what to do. */
export class WorldNotLoaded extends Error {
  override readonly name = "WorldNotLoaded"
}

/** A world with what stands for it. */
export interface LoadedWorld {
  readonly world: ExportedWorld
  /** SHA-256, in hex, of its text: the same for an export and for the world's file that was made of it. */
  readonly hash: string
}

/** The largest file of a world, in bytes. An export may have any size. */
export const MAX_WORLD_BYTES = 256 * 1024 * 1024

/** How a world's file begins. */
const BEGINS = `{"emporion_world":`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const beginningOf = (path: string): string => {
  const file = openSync(path, "r")
  try {
    const bytes = new Uint8Array(BEGINS.length)
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes)))
  } finally {
    closeSync(file)
  }
}

const parsed = (path: string): unknown => {
  const { size } = statSync(path)
  if (size > MAX_WORLD_BYTES)
    throw new WorldNotLoaded(`${path} has more than ${MAX_WORLD_BYTES} bytes: it is no world.`)
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    throw new WorldNotLoaded(`${path} is damaged, or was cut: make it anew from the export with npm run sim -- world.`)
  }
}

/** What an export or a world's file makes. Throws a {@link WorldNotLoaded}. */
export const readWorldFile = async (path: string): Promise<ExportedWorld> => {
  let beginning: string
  try {
    beginning = beginningOf(path)
  } catch (error) {
    throw new WorldNotLoaded(`${path} cannot be read: ${messageOf(error)}.`)
  }
  if (beginning === "") throw new WorldNotLoaded(`${path} is empty: write it with emporion export.`)
  if (beginning !== BEGINS) return surveyed(path)
  return Result.match(readWorld(parsed(path)), {
    onSuccess: (world) => world,
    onFailure: (problem) => {
      throw new WorldNotLoaded(`${path} ${problem}.`)
    }
  })
}

/** Decides every event of an export again, and surveys it. */
const surveyed = async (path: string): Promise<ExportedWorld> => {
  // A simulation without a world needs none of it.
  const { surveyExport } = await import("../src/cli/Surveying.ts")
  if (process.stderr.isTTY) process.stderr.write(`reading ${path}: each event is decided again\n`)
  const exit = await Effect.runPromiseExit(surveyExport(path))
  if (Exit.isSuccess(exit)) return exit.value
  throw new WorldNotLoaded(messageOf(Cause.squash(exit.cause)))
}

const hashOf = (world: ExportedWorld): string => {
  const digest = hashing.digest()
  digest.update(worldText(world))
  return digest.hex()
}

/** A world with its hash. */
export const withHash = (world: ExportedWorld): LoadedWorld => ({ world, hash: hashOf(world) })

const loaded = new Map<string, Promise<LoadedWorld>>()

/** Loads the world that a specification names, once a process; undefined where it names none. */
export const worldNamed = async (
  spec: SimulationSpec | Pick<ScenarioSpec, "world">
): Promise<LoadedWorld | undefined> => {
  if ("nodes" in spec || spec.world === undefined) return undefined
  const world = loaded.get(spec.world) ?? readWorldFile(spec.world).then(withHash)
  loaded.set(spec.world, world)
  return world
}

/** The line that tells which world a simulation began as; none where it was drawn. */
export const worldLine = (loaded: LoadedWorld | undefined): ReadonlyArray<string> =>
  loaded === undefined ? [] : [`world         ${loaded.hash}`]
