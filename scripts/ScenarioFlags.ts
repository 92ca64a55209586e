import { Effect, Option } from "effect"
import { type Command, Flag } from "effect/cli"
import {
  MAX_BOTS,
  MAX_COMPANIES,
  MAX_JOBS,
  MAX_ORDERS,
  MAX_SEEDS,
  MAX_TRADERS
} from "../engine/simulation/SimulationArguments.ts"
import { CommandMisused } from "../src/cli/CommandFailed.ts"
import { named } from "./NamedFiles.ts"
import type { Population } from "./Population.ts"

const integer = (name: string, description: string, most: number) =>
  Flag.Int(name).pipe(
    Flag.withDescription(description),
    Flag.withMetavar("N"),
    Flag.filter(
      (value) => value >= 0 && value <= most,
      () => `Expected an integer from 0 to ${most}`
    )
  )

/** An integer from 0 to `most`. */
export const count = (name: string, description: string, most: number, usual: number) =>
  integer(name, description, most).pipe(Flag.withDefault(usual))

const USUAL_TRADERS = 50

/** What the simulations of a command have in common. */
export const scenarioFlags = {
  seed: count("seed", "The first of them. Default: 42", Number.MAX_SAFE_INTEGER - MAX_SEEDS, 42),
  orders: count("orders", "Orders of each simulation. Default: 200", MAX_ORDERS, 200),
  traders: integer("traders", `Traders of each simulation. Default: ${USUAL_TRADERS}`, MAX_TRADERS).pipe(Flag.optional),
  bots: integer("bots", "Bots of each simulation. Default: 0", MAX_BOTS).pipe(Flag.optional),
  companies: count("companies", "Companies of each simulation. Default: 0", MAX_COMPANIES, 0),
  world: Flag.String("world").pipe(
    Flag.withDescription(
      "Begin as a production was, in the place of --traders and --bots: what emporion export wrote, or sim world"
    ),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  faults: Flag.Boolean("faults").pipe(Flag.withDescription("Let faults strike"), Flag.withDefault(false))
}

/** The traders, bots and companies that a command was given. Fails where it has some that its world has itself. */
export const populationOf = ({
  bots,
  companies,
  traders,
  world
}: Command.Command.Config.Infer<Pick<typeof scenarioFlags, "bots" | "companies" | "traders" | "world">>): Effect.Effect<
  Population,
  CommandMisused
> => {
  if (Option.isNone(world)) {
    const drawn = { traders: Option.getOrElse(traders, () => USUAL_TRADERS), bots: Option.getOrElse(bots, () => 0) }
    return Effect.succeed({ ...drawn, companies })
  }
  const own = Option.isSome(traders) ? "--traders" : Option.isSome(bots) ? "--bots" : undefined
  return own === undefined
    ? Effect.succeed({ traders: 0, bots: 0, companies, world: named(world.value) })
    : Effect.fail(new CommandMisused({ message: `${own} is what a world has itself: leave out ${own} or --world` }))
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
