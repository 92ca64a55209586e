import { FAIRNESS_RULES } from "../engine/arena/Fairness.ts"
import type { ScenarioKeep, ScenarioSpec } from "../engine/simulation/Scenario.ts"

/** What `bun run sim` was asked for. */
export interface SimulationArguments {
  readonly spec: ScenarioSpec
  readonly json: boolean
  /** The file of the drawn report, if one is wanted. */
  readonly report: string | undefined
}

export const USAGE = `bun run sim [--seed 42] [--orders 200] [--traders 50] [--faults] [--json] [--report out.html]
            [--rule weighted|quorum|turnout]
            [--keep-orders 0,3] [--keep-traders 1] [--keep-faults none]
bun run sim replay --help`

/** The most orders and traders of one simulation. */
export const MAX_ORDERS = 100_000
export const MAX_TRADERS = 10_000

const SWITCHES = new Set(["--faults", "--json"])
const OPTIONS = new Set([
  "--seed",
  "--orders",
  "--traders",
  "--report",
  "--rule",
  "--keep-orders",
  "--keep-traders",
  "--keep-faults"
])

/** Reads the arguments; a string says what is wrong with them. */
export const readArguments = (given: ReadonlyArray<string>): SimulationArguments | string => {
  const values = new Map<string, string>()
  for (let index = 0; index < given.length; index++) {
    const [name = "", inline] = (given[index] ?? "").split("=", 2)
    if (SWITCHES.has(name) && inline === undefined) values.set(name, "")
    else if (!OPTIONS.has(name)) return `unknown argument ${given[index]}`
    else {
      const value = inline ?? given[++index]
      if (value === undefined) return `${name} needs a value`
      values.set(name, value)
    }
  }
  const seed = integer(values, "--seed", 42, Number.MAX_SAFE_INTEGER)
  const orders = integer(values, "--orders", 200, MAX_ORDERS)
  const traders = integer(values, "--traders", 50, MAX_TRADERS)
  const rule = readRule(values.get("--rule"))
  const keep = readKeep(values)
  if (typeof seed === "string") return seed
  if (typeof orders === "string") return orders
  if (typeof traders === "string") return traders
  if (typeof rule === "string") return rule
  if (typeof keep === "string") return keep
  return {
    spec: { seed, orders, traders, faults: values.has("--faults"), ...rule, keep },
    json: values.has("--json"),
    report: values.get("--report")
  }
}

const integer = (values: ReadonlyMap<string, string>, name: string, usual: number, most: number): number | string => {
  const text = values.get(name) ?? String(usual)
  return /^\d{1,16}$/.test(text) && Number(text) <= most ? Number(text) : `${name} is an integer from 0 to ${most}`
}

const readRule = (text: string | undefined): Pick<ScenarioSpec, "rule"> | string => {
  if (text === undefined) return {}
  const rule = FAIRNESS_RULES.find((name) => name === text)
  return rule === undefined ? `--rule is one of ${FAIRNESS_RULES.join(", ")}` : { rule }
}

const readKeep = (values: ReadonlyMap<string, string>): ScenarioKeep | string => {
  const keep: { -readonly [K in keyof ScenarioKeep]: ScenarioKeep[K] } = {}
  for (const part of ["orders", "traders", "faults"] as const) {
    const text = values.get(`--keep-${part}`)
    if (text === undefined) continue
    if (!/^(none|\d{1,9}(,\d{1,9})*)$/.test(text)) return `--keep-${part} takes numbers with commas, or none`
    keep[part] = text === "none" ? [] : text.split(",").map(Number)
  }
  return keep
}
