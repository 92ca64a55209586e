import type { ScenarioKeep, ScenarioSpec } from "./Scenario.ts"
import type { Violation } from "./SimulationResult.ts"

/** A smaller scenario in which the same rule does not hold. */
export interface Shrunk {
  readonly spec: ScenarioSpec
  readonly violation: Violation
  /** How many scenarios were tried. */
  readonly tried: number
}

/** What a scenario has that can be left out. */
export interface ScenarioParts {
  readonly orders: ReadonlyArray<number>
  readonly traders: ReadonlyArray<number>
  readonly faults: ReadonlyArray<number>
  readonly bots: ReadonlyArray<number>
}

const DIMENSIONS = ["faults", "orders", "bots", "traders"] as const

/** Scenarios that are tried at most, each as long as the failing one at worst. */
export const MAX_TRIES = 400

/**
 * Leaves out orders, traders, bots and faults, many at once first, then fewer, as long as the same rule is still broken. The
 * result is not the smallest possible: no single part of it can be left out, unless the tries ran out.
 */
export const shrink = (
  failing: ScenarioSpec,
  parts: ScenarioParts,
  violation: Violation,
  run: (spec: ScenarioSpec) => Violation | null
): Shrunk => {
  let best = { spec: { ...failing, keep: parts } as ScenarioSpec & { readonly keep: ScenarioParts }, violation }
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
      for (let size = best.spec.keep[dimension].length; size >= 1; size = Math.floor(size / 2)) {
        for (let from = 0; from < best.spec.keep[dimension].length;) {
          const some = best.spec.keep[dimension]
          const rest = [...some.slice(0, from), ...some.slice(from + size)]
          if (!attempt({ ...best.spec.keep, [dimension]: rest })) from += size
        }
      }
    }
    isSmaller = sizeOf(best.spec.keep) < before
  }
  return { ...best, tried }
}

const sizeOf = (parts: ScenarioParts): number => DIMENSIONS.reduce((sum, name) => sum + parts[name].length, 0)

/** The one command that runs a scenario. */
export const commandOf = ({ seed, orders, traders, faults, bots, rule, keep }: ScenarioSpec): string =>
  [
    `bun run sim --seed ${seed} --orders ${orders} --traders ${traders}`,
    ...(bots === undefined ? [] : [`--bots ${bots}`]),
    ...(faults ? ["--faults"] : []),
    ...(rule === undefined ? [] : [`--rule ${rule}`]),
    ...kept(keep, "orders", orders),
    ...kept(keep, "traders", traders),
    ...(bots === undefined ? [] : kept(keep, "bots", bots)),
    ...(faults ? kept(keep, "faults", undefined) : [])
  ].join(" ")

const kept = (keep: ScenarioKeep | undefined, name: keyof ScenarioKeep, all: number | undefined) => {
  const some = keep?.[name]
  return some === undefined || some.length === all
    ? []
    : [`--keep-${name} ${some.length === 0 ? "none" : some.join(",")}`]
}
