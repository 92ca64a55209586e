import { FAIRNESS_RULES } from "../arena/Fairness.ts"
import { Result } from "effect"
import { readStrikes } from "./GivenStrike.ts"
import type { NodesSpec } from "./NodesScenario.ts"
import type { ScenarioSpec } from "./Scenario.ts"
import type { ScenarioParts, SimulationSpec } from "./Shrink.ts"

/** What `npm run sim` was asked for. */
export interface SimulationArguments {
  readonly spec: SimulationSpec
  readonly json: boolean
  /** The file of the drawn report, if one is wanted. */
  readonly report: string | undefined
  /** Set for many consecutive seeds: how many, and on how many workers if that is said. */
  readonly sweep: { readonly seeds: number; readonly jobs: number | undefined } | undefined
}

export const USAGE = `npm run sim -- [--seed 42] [--orders 200] [--traders 50] [--faults] [--with mine.ts]
npm run sim -- --seeds 1000 [--jobs 4]
npm run sim -- --nodes 3 [--requests 60]
npm run sim -- world | campaign | compare | backtest | replay --help

What is simulated
  --seed N         what all chance comes from; of many seeds the first. Default: 42
  --orders N       orders of the arena. Default: 200
  --traders N      traders. Default: 50
  --bots N         traders that are bots of their own. Default: 0
  --companies N    companies that buy, sell, pay, subscribe and send money beside the arena. Default: 0
  --faults         let faults strike
  --rule RULE      the reading of the 3/4 rule: weighted, quorum or turnout. Default: weighted
  --scheduler S    which fiber goes next: uniform draws it, pct has a bound. Default: uniform
  --depth N        with pct, the depth of the bugs that the bound is for. Default: 3
  --strikes LIST   faults after steps, which are the groups recorded, with commas: 120:restart,130:delay:for=5000:by=2000
  --world FILE     begin as a production was, in the place of --traders and --bots: what emporion export wrote, or sim world
  --with FILE      a module with your own traders, faults and invariants
  --nodes N        have several nodes serve one database instead, while an adversary elects, stops, cuts and restarts them
  --requests N     with --nodes, how many requests. Default: 60

How
  --seeds N        consecutive seeds, side by side
  --jobs N         with --seeds, how many at a time. Default: one for each core
  --json           print one JSON object instead of text
  --report FILE    write a page of HTML with charts, of one seed
  --help           say this

What stays of a scenario, as a failure's own command says it
  --keep-orders LIST    numbers with commas, or none; as those below
  --keep-traders LIST
  --keep-bots LIST
  --keep-companies LIST
  --keep-faults LIST
  --keep-requests LIST  with --nodes

Exit code 1: a rule did not hold, or the module or the world cannot be taken; 2: wrong arguments.`

/** The most orders, traders, bots and companies of one simulation. */
export const MAX_ORDERS = 100_000
export const MAX_TRADERS = 10_000
export const MAX_BOTS = 1_000
export const MAX_COMPANIES = 100

/** The bound of a scheduler that has one. Bugs of greater depth are rare, and a greater bound is met less often. */
export const USUAL_DEPTH = 3
export const MAX_DEPTH = 100

/** The most nodes, and requests to them. */
export const MAX_NODES = 16
export const MAX_REQUESTS = 10_000

/** The most seeds of one sweep, of a campaign, and workers side by side. */
export const MAX_SEEDS = 100_000
export const MAX_CAMPAIGN_SEEDS = 1_000_000_000
export const MAX_JOBS = 64

const SWITCHES = new Set(["--faults", "--json"])

/** Every option that takes a value. */
export const OPTIONS: ReadonlySet<string> = new Set([
  "--seed",
  "--seeds",
  "--jobs",
  "--orders",
  "--traders",
  "--bots",
  "--companies",
  "--report",
  "--rule",
  "--scheduler",
  "--depth",
  "--strikes",
  "--with",
  "--world",
  "--nodes",
  "--requests",
  "--keep-requests",
  "--keep-orders",
  "--keep-traders",
  "--keep-bots",
  "--keep-companies",
  "--keep-faults"
])

/** What only one seed has. */
const OF_ONE_SEED = [
  "--report",
  "--strikes",
  "--keep-orders",
  "--keep-traders",
  "--keep-bots",
  "--keep-companies",
  "--keep-requests",
  "--keep-faults"
]

/** What only the arena has, and only several nodes have. */
const OF_ARENA = [
  "--orders",
  "--traders",
  "--bots",
  "--companies",
  "--rule",
  "--scheduler",
  "--depth",
  "--strikes",
  "--with",
  "--world",
  "--faults",
  "--report",
  "--keep-orders",
  "--keep-traders",
  "--keep-bots",
  "--keep-companies"
]
const OF_NODES = ["--requests", "--keep-requests"]

/** What a world has itself. */
const OF_WORLDS = ["--traders", "--bots"]

type Values = ReadonlyMap<string, string>

/** Reads the arguments; a string says what is wrong with them. */
export const readArguments = (given: ReadonlyArray<string>): SimulationArguments | string => {
  const values = new Map<string, string>()
  for (let index = 0; index < given.length; index++) {
    const [name = "", ...rest] = (given[index] ?? "").split("=")
    const inline = rest.length === 0 ? undefined : rest.join("=")
    if (SWITCHES.has(name) && inline === undefined) values.set(name, "")
    else if (!OPTIONS.has(name)) return `unknown argument ${given[index]}`
    else {
      const value = inline ?? given[++index]
      if (value === undefined) return `${name} needs a value`
      values.set(name, value)
    }
  }
  const seed = integer(values, "--seed", 42, Number.MAX_SAFE_INTEGER)
  if (typeof seed === "string") return seed
  const spec = values.has("--nodes") ? readNodes(values, seed) : readArena(values, seed)
  if (typeof spec === "string") return spec
  const sweep = readSweep(values, seed)
  if (typeof sweep === "string") return sweep
  return { spec, json: values.has("--json"), report: values.get("--report"), sweep }
}

const readNodes = (values: Values, seed: number): NodesSpec | string => {
  const other = OF_ARENA.find((name) => values.has(name))
  if (other !== undefined) return `${other} is for the arena: leave out ${other} or --nodes`
  const nodes = integer(values, "--nodes", 3, MAX_NODES, 1)
  const requests = integer(values, "--requests", 60, MAX_REQUESTS)
  const keep = readKeep(values)
  if (typeof nodes === "string") return nodes
  if (typeof requests === "string") return requests
  return typeof keep === "string" ? keep : { seed, nodes, requests, keep }
}

const readArena = (values: Values, seed: number): ScenarioSpec | string => {
  const other = OF_NODES.find((name) => values.has(name))
  if (other !== undefined) return `${other} is for several nodes: add --nodes`
  const world = values.get("--world")
  const own = OF_WORLDS.find((name) => values.has(name))
  if (world !== undefined && own !== undefined) return `${own} is what a world has itself: leave out ${own} or --world`
  const orders = integer(values, "--orders", 200, MAX_ORDERS)
  const traders = integer(values, "--traders", world === undefined ? 50 : 0, MAX_TRADERS)
  const bots = values.has("--bots") ? integer(values, "--bots", 0, MAX_BOTS) : undefined
  const companies = values.has("--companies") ? integer(values, "--companies", 0, MAX_COMPANIES) : undefined
  const rule = readRule(values.get("--rule"))
  const scheduler = readScheduler(values)
  const strikes = readGiven(values.get("--strikes"))
  const module = values.get("--with")
  const keep = readKeep(values)
  if (typeof orders === "string") return orders
  if (typeof traders === "string") return traders
  if (typeof bots === "string") return bots
  if (typeof companies === "string") return companies
  if (typeof rule === "string") return rule
  if (typeof scheduler === "string") return scheduler
  if (typeof strikes === "string") return strikes
  if (typeof keep === "string") return keep
  return {
    seed,
    orders,
    traders,
    faults: values.has("--faults"),
    ...(bots !== undefined && { bots }),
    ...(companies !== undefined && { companies }),
    ...rule,
    ...scheduler,
    ...strikes,
    ...(module !== undefined && { with: module }),
    ...(world !== undefined && { world }),
    keep
  }
}

const integer = (values: Values, name: string, usual: number, most: number, least = 0): number | string => {
  const text = values.get(name) ?? String(usual)
  return /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? Number(text)
    : `${name} is an integer from ${least} to ${most}`
}

const readSweep = (values: Values, seed: number): SimulationArguments["sweep"] | string => {
  if (!values.has("--seeds")) return values.has("--jobs") ? "--jobs is for many seeds: add --seeds" : undefined
  const alone = OF_ONE_SEED.find((name) => values.has(name))
  if (alone !== undefined) return `${alone} is for one seed: leave out ${alone} or --seeds`
  const seeds = integer(values, "--seeds", 1, MAX_SEEDS, 1)
  if (typeof seeds === "string") return seeds
  const last = Number.MAX_SAFE_INTEGER
  if (seed > last - seeds + 1) return `the last of ${seeds} seeds would be above ${last}: take a smaller --seed`
  if (!values.has("--jobs")) return { seeds, jobs: undefined }
  const jobs = integer(values, "--jobs", 1, MAX_JOBS, 1)
  return typeof jobs === "string" ? jobs : { seeds, jobs }
}

const readRule = (text: string | undefined): Pick<ScenarioSpec, "rule"> | string => {
  if (text === undefined) return {}
  const rule = FAIRNESS_RULES.find((name) => name === text)
  return rule === undefined ? `--rule is one of ${FAIRNESS_RULES.join(", ")}` : { rule }
}

const readScheduler = (values: Values): Pick<ScenarioSpec, "depth"> | string => {
  const name = values.get("--scheduler") ?? "uniform"
  if (name === "uniform") return values.has("--depth") ? "--depth is for --scheduler pct" : {}
  if (name !== "pct") return "--scheduler is one of uniform, pct"
  const depth = integer(values, "--depth", USUAL_DEPTH, MAX_DEPTH, 1)
  return typeof depth === "string" ? depth : { depth }
}

const readGiven = (text: string | undefined): Pick<ScenarioSpec, "strikes"> | string =>
  text === undefined
    ? {}
    : Result.match(readStrikes(text), {
        onSuccess: (strikes) => ({ strikes }),
        onFailure: (problem) => `--strikes: ${problem}`
      })

const readKeep = (values: Values): ScenarioParts | string => {
  const keep: { -readonly [K in keyof ScenarioParts]: ScenarioParts[K] } = {}
  for (const part of ["orders", "traders", "bots", "companies", "requests", "faults"] as const) {
    const text = values.get(`--keep-${part}`)
    if (text === undefined) continue
    if (!/^(none|\d{1,9}(,\d{1,9})*)$/.test(text)) return `--keep-${part} takes numbers with commas, or none`
    keep[part] = text === "none" ? [] : text.split(",").map(Number)
  }
  return keep
}
