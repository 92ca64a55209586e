import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { execFileSync } from "node:child_process"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { CommandFailed, CommandMisused } from "../../src/cli/CommandFailed.ts"
import { json, print } from "../../src/cli/CommandOutput.ts"
import type { Population } from "../Population.ts"
import { count, jobs, populationOf, scenarioFlags } from "../ScenarioFlags.ts"
import type { ShrunkFailure } from "../ShrunkFailure.ts"
import { commandOf } from "../../engine/simulation/Shrink.ts"
import { MAX_CAMPAIGN_SEEDS, MAX_JOBS } from "../../engine/simulation/SimulationArguments.ts"
import { makeBar } from "../SimulationBar.ts"
import { SeedWorkers } from "../sweep/SeedWorkers.ts"
import { type LoadedWorld, worldNamed } from "../WorldLoading.ts"
import { gapsOf, namesOf } from "../../engine/simulation/ReachedGaps.ts"
import { added, type BlockOutcome, NOTHING_REACHED } from "./BlockOutcome.ts"
import { blocksLeft, type Campaign, scenarioOf } from "./Campaign.ts"
import { CampaignFolder } from "./CampaignFolder.ts"
import { campaignPage } from "./CampaignPage.ts"
import { programHash } from "./ProgramHash.ts"

const MAX_BLOCK = 10_000

const ROOT = join(import.meta.dirname, "../..")

const flags = {
  folder: Argument.String("folder").pipe(
    Argument.withDescription("Where its progress and its page are kept; made if it is not there")
  ),
  seeds: count("seeds", "How many consecutive seeds. Default: 1000000", MAX_CAMPAIGN_SEEDS, 1_000_000),
  block: count("block", "Seeds that are played and noted at once. Default: 100", MAX_BLOCK, 100),
  ...scenarioFlags,
  complete: Flag.Boolean("complete").pipe(
    Flag.withDescription(
      "Fail where it did not reach every event and every refusal, and every fault before each event, and name what is missing"
    ),
    Flag.withDefault(false)
  ),
  vary: Flag.Boolean("vary").pipe(
    Flag.withDescription("Let each seed draw its reading of the 3/4 rule, and one in eight the scheduler with a bound"),
    Flag.withDefault(false)
  ),
  jobs,
  json
}

type Given = Command.Command.Config.Infer<typeof flags>

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()

/** The commit that runs, and whether something was changed since. Unknown where the program is no working copy. */
const commit = (): string => {
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no") !== ""
    return `${git("rev-parse", "HEAD")}${changed ? " with changes" : ""}`
  } catch {
    return "unknown"
  }
}

const campaignOf = (
  { block, faults, orders, seed, seeds, vary }: Given,
  { bots, companies, traders }: Population,
  world: LoadedWorld | undefined
): Campaign => ({
  commit: commit(),
  program: programHash(ROOT),
  firstSeed: seed,
  seeds,
  block: Math.max(1, block),
  orders,
  traders,
  bots,
  companies,
  faults,
  vary,
  ...(world && { worldHash: world.hash })
})

/** Plays what is left of a campaign. Each block is on the disk, and in the page, before the next one counts. */
const play = async (folder: CampaignFolder, workers: SeedWorkers): Promise<void> => {
  const { campaign } = folder
  const bar = makeBar("{value}/{total} seeds | {failed} failed")
  let failed = folder.blocks.reduce((sum, { failures }) => sum + failures.length, 0)
  const done = (block: BlockOutcome): void => {
    folder.add(block)
    folder.writePage(campaignPage(campaign, folder.blocks, []))
    failed += block.failures.length
    bar.show(folder.seedsDone, campaign.seeds, { failed: String(failed) })
  }
  await workers.runBlocks(blocksLeft(campaign, folder.isDone), done)
  bar.stop()
}

/** The first failure of each rule, made smaller. */
const shrunk = async (folder: CampaignFolder, workers: SeedWorkers): Promise<ReadonlyArray<ShrunkFailure>> => {
  const smaller: Array<ShrunkFailure> = []
  const seen = new Set<string>()
  for (const { seed, violation } of folder.blocks.flatMap(({ failures }) => failures)) {
    if (seen.has(violation.invariant)) continue
    seen.add(violation.invariant)
    const made = await workers.shrink(scenarioOf(folder.campaign, seed), violation)
    if (made !== undefined) smaller.push(made)
  }
  return smaller
}

const failing = (cause: unknown) =>
  new CommandFailed({ message: cause instanceof Error ? cause.message : String(cause) })

/** Fails with what was not reached. */
const complete = (folder: CampaignFolder) => {
  const reached = folder.blocks.reduce((sum, block) => added(sum, block.reached), NOTHING_REACHED)
  const missing = namesOf(gapsOf(reached))
  return missing.length === 0
    ? Effect.void
    : Effect.fail(new CommandFailed({ message: `${missing.length} were not reached: ${missing.join(", ")}` }))
}

/** What has to be there for everything to come. */
const NEEDED = ["faults", "bots", "companies"] as const

/** Refuses what could not succeed, before it is played. */
const completable = ({ complete, faults }: Given, { bots, companies }: Population) => {
  const there = { faults, bots: bots > 0, companies: companies > 0 }
  const missing = complete ? NEEDED.filter((name) => !there[name]) : []
  return missing.length === 0
    ? Effect.void
    : Effect.fail(
        new CommandMisused({
          message: `--complete asks for what only comes with ${missing.map((name) => `--${name}`).join(", ")}: give ${missing.length === 1 ? "it" : "them"} too.`
        })
      )
}

const run = Effect.fnUntraced(function* (given: Given) {
  const population = yield* populationOf(given)
  yield* completable(given, population)
  const world = yield* Effect.tryPromise({ try: () => worldNamed(population), catch: failing })
  const folder = yield* Effect.try({
    try: () => CampaignFolder.open(given.folder, campaignOf(given, population, world)),
    catch: failing
  })
  const before = folder.seedsDone
  const sideBySide = Math.min(Option.getOrElse(given.jobs, availableParallelism), MAX_JOBS)
  const page = yield* Effect.acquireUseRelease(
    Effect.sync(() => new SeedWorkers(sideBySide, { world: world?.world })),
    (workers) =>
      Effect.tryPromise({
        try: async () => {
          await play(folder, workers)
          return folder.writePage(campaignPage(folder.campaign, folder.blocks, await shrunk(folder, workers)))
        },
        catch: failing
      }),
    (workers) => Effect.sync(() => workers.stop())
  )
  // Here, unlike on the page, a command has the world's file as it was given.
  const failures = folder.blocks
    .flatMap((block) => block.failures)
    .map((failure) => ({
      ...failure,
      replay: commandOf(scenarioOf(folder.campaign, failure.seed, population.world))
    }))
  const { seedsDone: seeds } = folder
  yield* print(
    given.json,
    { seeds, before, failures, page },
    `seeds         ${seeds}, ${before} of them before, ${failures.length} failed\nevidence      ${page}`
  )
  const [first] = failures
  if (first === undefined) return yield* given.complete ? complete(folder) : Effect.void
  return yield* new CommandFailed({
    message: `${failures.length} seeds broke a rule, the first ${first.violation.invariant}: ${first.replay}`
  })
})

/** Plays a range of seeds, goes on where it was stopped, and writes down what they reached. */
export const campaignCommand = Command.make("campaign", flags, run).pipe(
  Command.withShortDescription("Play millions of seeds, whenever there is time, and write the evidence"),
  Command.withDescription(
    "Plays consecutive seeds on all cores and keeps in a folder how far it is. It may be stopped or killed at any moment: " +
      "the same command goes on, with the same code alone: of a changed working copy it is refused. The folder's evidence.md says which seeds of which commit were played, what failed with " +
      "the commands that replay it, and what was reached: events, answers, faults, and each fault before each event."
  ),
  Command.withExamples([
    {
      command: "npm run sim -- campaign evidence --faults --orders 4 --traders 6 --bots 3",
      description: "A million seeds"
    },
    {
      command:
        "npm run sim -- campaign evidence --seeds 20000 --faults --vary --orders 4 --traders 6 --bots 3 --companies 5 --complete",
      description: "The whole platform, and everything of it"
    },
    { command: "npm run sim -- campaign evidence --seeds 20000 --faults --vary --jobs 1", description: "On one core" }
  ])
)
