import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { writeFileSync } from "node:fs"
import { checkedWorld, type ExportedWorld, worldText } from "../../engine/simulation/ExportedWorld.ts"
import { withPath } from "../../engine/simulation/WorldPath.ts"
import { CommandFailed } from "../../src/cli/CommandFailed.ts"
import { json, print } from "../../src/cli/CommandOutput.ts"
import { type LoadedWorld, readWorldFile, withHash } from "../WorldLoading.ts"
import { recordedPrices } from "./RecordedPrices.ts"
import { worldSummary } from "./WorldText.ts"

const flags = {
  history: Flag.String("history").pipe(
    Flag.withDescription("A folder that `emporion archive` wrote: its recorded prices come first, as they were"),
    Flag.withMetavar("DIR"),
    Flag.optional
  ),
  out: Flag.String("out").pipe(
    Flag.withDescription("Write the world to a file, which has nobody's name and is what --world takes as well"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  json,
  export: Argument.String("export").pipe(
    Argument.withDescription("What `emporion export` wrote, or what this command did")
  )
}

type Given = Command.Command.Config.Infer<typeof flags>

const failing = (cause: unknown) =>
  new CommandFailed({ message: cause instanceof Error ? cause.message : String(cause) })

const write = (path: string, { world }: LoadedWorld) =>
  Effect.try({
    try: () => writeFileSync(path, `${worldText(world)}\n`, { flag: "wx" }),
    catch: (cause) =>
      new CommandFailed({
        message: `${path} cannot be written, or is there already: ${cause instanceof Error ? cause.message : cause}.`
      })
  })

/** A world with the recorded prices of a folder first. */
const priced = Effect.fnUntraced(function* (world: ExportedWorld, history: string) {
  const made = checkedWorld(withPath(world, yield* recordedPrices(history, world)))
  return yield* Effect.fromResult(
    Result.mapError(made, (problem) => new CommandFailed({ message: `${history} ${problem}.` }))
  )
})

const run = Effect.fnUntraced(function* (given: Given) {
  const world = yield* Effect.tryPromise({ try: () => readWorldFile(given.export), catch: failing })
  const history = Option.getOrUndefined(given.history)
  const loaded = withHash(history === undefined ? world : yield* priced(world, history))
  const out = Option.getOrUndefined(given.out)
  if (out !== undefined) yield* write(out, loaded)
  const { auctions, bots, leftOut, rule, timing, traders, types } = loaded.world
  const plain = {
    world: loaded.hash,
    timing,
    rule,
    types,
    traders: traders.length,
    machines: traders.filter(({ type }) => type === "machine").length,
    auctions: auctions.length,
    bids: auctions.reduce((sum, { bids }) => sum + bids.length, 0),
    bots: bots.length,
    leftOut
  }
  yield* print(
    given.json,
    plain,
    [worldSummary(loaded), ...(out === undefined ? [] : [`written    ${out}`])].join("\n")
  )
})

/** Says what world an export makes, and writes it without anybody's name. */
export const worldCommand = Command.make("world", flags, run).pipe(
  Command.withShortDescription("Make a world of a production's export, and say what it is"),
  Command.withDescription(
    "Reads what `emporion export` wrote on a server, decides each of its events again, and says what a simulation with " +
      "--world begins as: the times and types of orders, who bids and how, bots, funds and prices. With --out the world is " +
      "written to a file, in which ids are numbers. Balances and bids are exact: who knows some of a trader finds the rest."
  ),
  Command.withExamples([
    { command: "npm run sim -- world export.jsonl", description: "What is in it" },
    {
      command: "npm run sim -- world export.jsonl --history history --out world.json",
      description: "With the recorded prices of emporion archive, as a file without names"
    }
  ])
)
