import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { availableParallelism } from "node:os"
import { FAIRNESS_RULES, type FairnessRule } from "../../engine/arena/Fairness.ts"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { commandOf } from "../../engine/simulation/Shrink.ts"
import { CommandFailed, CommandMisused } from "../../src/cli/CommandFailed.ts"
import { json, print } from "../../src/cli/CommandOutput.ts"
import { extensionNamed } from "../ExtensionLoading.ts"
import { explainViolation, type SeedOutcome } from "../ShrunkFailure.ts"
import { populated, type Population } from "../Population.ts"
import { count, jobs, populationOf, scenarioFlags } from "../ScenarioFlags.ts"
import { MAX_JOBS, MAX_SEEDS } from "../../engine/simulation/SimulationArguments.ts"
import { withFiles } from "../NamedFiles.ts"
import { makeBar } from "../SimulationBar.ts"
import { SeedWorkers } from "../sweep/SeedWorkers.ts"
import { worldLine, worldNamed } from "../WorldLoading.ts"
import { compareRules, comparisonText, type RuleComparison, type SeedPair } from "./RuleComparison.ts"

const RULES = 2

const flags = {
  rule: Flag.Literals("rule", FAIRNESS_RULES).pipe(
    Flag.withDescription("A reading of the 3/4 rule; given twice, the second is compared with the first"),
    Flag.between(RULES, RULES)
  ),
  seeds: count("seeds", "How many consecutive seeds. Default: 1000", MAX_SEEDS, 1_000),
  ...scenarioFlags,
  with: Flag.String("with").pipe(
    Flag.withDescription("A module with your own traders, faults and invariants"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  jobs,
  json
}

type Flags = Command.Command.Config.Infer<typeof flags>

/** What was asked, with who trades. */
interface Given extends Omit<Flags, keyof Population> {
  readonly population: Population
}

const specOf = (given: Given, rule: FairnessRule): ScenarioSpec =>
  withFiles({
    seed: given.seed,
    orders: given.orders,
    faults: given.faults,
    ...populated(given.population),
    ...(Option.isSome(given.with) && { with: given.with.value }),
    rule
  })

/** The outcomes of seeds under both rules, as they come. */
type Outcomes = ReadonlyMap<FairnessRule, Map<number, SeedOutcome>>

/** How often something is told where no bar is seen, in simulations. */
const TOLD_EVERY = 100

/** Plays seed after seed, each under both rules at once: what has come at any moment is of the first seeds. */
const playAll = async (given: Given, outcomes: Outcomes, workers: SeedWorkers): Promise<void> => {
  const bar = makeBar("{value}/{total} simulations | {failed} failed")
  const total = given.seeds * RULES
  const specs = function* (): Generator<ScenarioSpec> {
    for (let index = 0; index < given.seeds; index++) {
      for (const rule of outcomes.keys()) {
        yield { ...specOf(given, rule), seed: given.seed + index }
      }
    }
  }
  let [done, failed] = [0, 0]
  await workers.run(specs(), (outcome, spec) => {
    const rule = "nodes" in spec ? undefined : spec.rule
    if (rule !== undefined) outcomes.get(rule)?.set(outcome.seed, outcome)
    done += 1
    failed += outcome.violation === null ? 0 : 1
    bar.show(done, total, { failed: String(failed) })
    if (!process.stderr.isTTY && done % TOLD_EVERY === 0) {
      process.stderr.write(`${done} of ${total} simulations, ${failed} failed\n`)
    }
  })
  bar.stop()
}

/** The seeds that kept every rule under both, as pairs: of the first seeds, as far as each has come under both. */
const pairsOf = ({ seed: first, seeds }: Given, one: Map<number, SeedOutcome>, other: Map<number, SeedOutcome>) => {
  const pairs: Array<SeedPair> = []
  let played = 0
  for (let seed = first; seed < first + seeds; seed++, played++) {
    const [under, over] = [one.get(seed), other.get(seed)]
    if (under === undefined || over === undefined) break
    const isWhole = under.violation === null && over.violation === null
    if (isWhole && under.auctions !== null && over.auctions !== null) {
      pairs.push({ seed, one: under.auctions, other: over.auctions })
    }
  }
  return { pairs, played }
}

const failuresOf = (given: Given, rule: FairnessRule, outcomes: ReadonlyMap<number, SeedOutcome>) =>
  [...outcomes.values()].flatMap(({ seed, violation }) =>
    violation === null ? [] : [{ seed, violation, replay: commandOf({ ...specOf(given, rule), seed }) }]
  )

const run = Effect.fnUntraced(function* (flags: Flags) {
  const given: Given = { ...flags, population: yield* populationOf(flags) }
  const [first = "weighted", second = "quorum"] = given.rule
  const rules: RuleComparison["rules"] = [first, second]
  if (first === second)
    return yield* new CommandMisused({ message: `Give two rules: --rule ${first} stands there twice.` })
  const failing = (cause: unknown) =>
    new CommandFailed({ message: cause instanceof Error ? cause.message : String(cause) })
  const spec = specOf(given, first)
  yield* Effect.tryPromise({ try: () => extensionNamed(spec), catch: failing })
  const world = yield* Effect.tryPromise({ try: () => worldNamed(spec), catch: failing })
  const sideBySide = Math.min(Option.getOrElse(given.jobs, availableParallelism), MAX_JOBS, Math.max(1, given.seeds))
  const [one, other] = [new Map<number, SeedOutcome>(), new Map<number, SeedOutcome>()]
  const told = Effect.suspend(() => {
    const { pairs, played } = pairsOf(given, one, other)
    const comparison = compareRules(rules, pairs)
    const failures = [...failuresOf(given, first, one), ...failuresOf(given, second, other)]
    const cut =
      played < given.seeds ? `\nended after ${played} of ${given.seeds} seeds: the same as --seeds ${played}` : ""
    return print(
      given.json,
      { ...comparison, played, ...(world && { world: world.hash }), failures },
      [comparisonText(comparison), ...worldLine(world)].join("\n") + cut
    )
  })
  yield* Effect.acquireUseRelease(
    Effect.sync(() => new SeedWorkers(sideBySide, { world: world?.world })),
    (workers) =>
      Effect.tryPromise({
        try: () =>
          playAll(
            given,
            new Map([
              [first, one],
              [second, other]
            ]),
            workers
          ),
        catch: failing
      }),
    (workers) => Effect.sync(() => workers.stop())
  ).pipe(Effect.onInterrupt(() => told))
  yield* told
  const failures = [...failuresOf(given, first, one), ...failuresOf(given, second, other)]
  const [failure] = failures
  if (failure === undefined) return
  return yield* new CommandFailed({
    message:
      `${failures.length} simulations broke a rule and are left out of the comparison.\n` +
      explainViolation(failure.violation, failure.replay)
  })
})

/** Plays the same seeds under two readings of the 3/4 rule. */
export const compareCommand = Command.make("compare", flags, run).pipe(
  Command.withShortDescription("Compare two rules by the same seeds"),
  Command.withDescription(
    "Plays the same seeds under two readings of the 3/4 rule and says how many orders were won, what the winners earned, " +
      "how many orders were void and how often a machine won, with the difference and its 95 % interval: a paired " +
      "bootstrap of 2,000 drawings. The same command gives the same figures. Ended early, as by Ctrl-C, it tells what the " +
      "first seeds came to that were played under both."
  ),
  Command.withExamples([
    { command: "npm run sim -- compare --rule weighted --rule quorum", description: "1,000 seeds" },
    {
      command: "npm run sim -- compare --rule weighted --rule turnout --seeds 200 --bots 20 --json",
      description: "With bots, for a program"
    }
  ])
)
