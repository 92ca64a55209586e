import { Flag } from "effect/cli"
import { MAX_BOTS, MAX_JOBS, MAX_ORDERS, MAX_SEEDS, MAX_TRADERS } from "../engine/simulation/SimulationArguments.ts"

/** An integer from 0 to `most`. */
export const count = (name: string, description: string, most: number, usual: number) =>
  Flag.Int(name).pipe(
    Flag.withDescription(description),
    Flag.withMetavar("N"),
    Flag.filter(
      (value) => value >= 0 && value <= most,
      () => `Expected an integer from 0 to ${most}`
    ),
    Flag.withDefault(usual)
  )

/** What the simulations of a command have in common. */
export const scenarioFlags = {
  seed: count("seed", "The first of them. Default: 42", Number.MAX_SAFE_INTEGER - MAX_SEEDS, 42),
  orders: count("orders", "Orders of each simulation. Default: 200", MAX_ORDERS, 200),
  traders: count("traders", "Traders of each simulation. Default: 50", MAX_TRADERS, 50),
  bots: count("bots", "Bots of each simulation. Default: 0", MAX_BOTS, 0),
  world: Flag.String("world").pipe(
    Flag.withDescription(
      "Begin as a production was, in the place of --traders and --bots: what emporion export wrote, or sim world"
    ),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  faults: Flag.Boolean("faults").pipe(Flag.withDescription("Let faults strike"), Flag.withDefault(false))
}

/** How many simulations run at a time. */
export const jobs = Flag.Int("jobs").pipe(
  Flag.withDescription("Simulations side by side. Default: one for each core"),
  Flag.withMetavar("N"),
  Flag.filter(
    (jobs) => jobs >= 1 && jobs <= MAX_JOBS,
    () => `Expected an integer from 1 to ${MAX_JOBS}`
  ),
  Flag.optional
)
