import { strikesText } from "./GivenStrike.ts"
import type { NodesSpec } from "./NodesScenario.ts"
import type { ScenarioSpec } from "./Scenario.ts"
import type { Violation } from "./SimulationResult.ts"

/** What a simulation is made from: of the arena, or of several nodes. */
export type SimulationSpec = ScenarioSpec | NodesSpec

/** A smaller scenario in which the same rule does not hold. */
export interface Shrunk<S> {
  readonly spec: S
  readonly violation: Violation
  /** How many scenarios were tried. */
  readonly tried: number
}

/** What can be left out of a scenario, what matters least first. */
const DIMENSIONS = ["faults", "requests", "orders", "bots", "companies", "traders"] as const

/** What a scenario has of them, by their numbers. */
export type ScenarioParts = { readonly [D in (typeof DIMENSIONS)[number]]?: ReadonlyArray<number> }

/** Scenarios that are tried at most, each as long as the failing one at worst. */
export const MAX_TRIES = 400

/**
 * Leaves out parts, many at once first, then fewer, as long as the same rule is still broken. The result is not the smallest
 * possible: no single part of it can be left out, unless the tries ran out.
 */
export const shrink = <S extends SimulationSpec>(
  failing: S,
  parts: ScenarioParts,
  violation: Violation,
  run: (spec: S) => Violation | null
): Shrunk<S> => {
  let best = { spec: { ...failing, keep: parts }, violation }
  let tried = 0
  const attempt = (keep: ScenarioParts): boolean => {
    if (tried >= MAX_TRIES) return false
    tried += 1
    const spec = { ...failing, keep }
    const found = run(spec)
    if (found?.invariant !== violation.invariant) return false
    best = { spec, violation: found }
    return true
  }
  for (let isSmaller = true; isSmaller;) {
    const before = sizeOf(best.spec.keep)
    for (const dimension of DIMENSIONS) {
      const left = (): ReadonlyArray<number> => best.spec.keep[dimension] ?? []
      for (let size = left().length; size >= 1; size = Math.floor(size / 2)) {
        for (let from = 0; from < left().length;) {
          const some = left()
          const rest = [...some.slice(0, from), ...some.slice(from + size)]
          if (!attempt({ ...best.spec.keep, [dimension]: rest })) from += size
        }
      }
    }
    isSmaller = sizeOf(best.spec.keep) < before
  }
  return { ...best, tried }
}

const sizeOf = (parts: ScenarioParts): number => DIMENSIONS.reduce((sum, name) => sum + (parts[name]?.length ?? 0), 0)

/** The one command that runs a scenario. */
export const commandOf = (spec: SimulationSpec): string => ("nodes" in spec ? ofNodes(spec) : ofArena(spec))

const ofNodes = ({ keep, nodes, requests, seed }: NodesSpec): string =>
  [
    `npm run sim -- --nodes ${nodes} --seed ${seed} --requests ${requests}`,
    ...kept(keep, "requests", requests),
    ...kept(keep, "faults", undefined)
  ].join(" ")

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

const ofArena = (spec: ScenarioSpec): string => {
  const { seed, orders, traders, faults, bots, companies, rule, depth, strikes = [], with: module, world, keep } = spec
  return [
    `npm run sim -- --seed ${seed} --orders ${orders}`,
    world === undefined ? `--traders ${traders}` : `--world ${quoted(world)}`,
    ...(bots === undefined ? [] : [`--bots ${bots}`]),
    ...(companies === undefined ? [] : [`--companies ${companies}`]),
    ...(faults ? ["--faults"] : []),
    ...(rule === undefined ? [] : [`--rule ${rule}`]),
    ...(depth === undefined ? [] : [`--scheduler pct --depth ${depth}`]),
    ...(module === undefined ? [] : [`--with ${quoted(module)}`]),
    ...(strikes.length === 0 ? [] : [`--strikes ${strikesText(strikes)}`]),
    ...kept(keep, "orders", orders),
    ...kept(keep, "traders", world === undefined ? traders : undefined),
    ...(world !== undefined ? kept(keep, "bots", undefined) : bots === undefined ? [] : kept(keep, "bots", bots)),
    ...(companies === undefined ? [] : kept(keep, "companies", companies)),
    ...(faults || strikes.length > 0 || module !== undefined ? kept(keep, "faults", undefined) : [])
  ].join(" ")
}

const kept = (keep: ScenarioParts | undefined, name: keyof ScenarioParts, all: number | undefined) => {
  const some = keep?.[name]
  return some === undefined || some.length === all
    ? []
    : [`--keep-${name} ${some.length === 0 ? "none" : some.join(",")}`]
}
