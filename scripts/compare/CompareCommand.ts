import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { availableParallelism } from "node:os"
import { FAIRNESS_RULES, type FairnessRule } from "../../engine/arena/Fairness.ts"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { commandOf } from "../../engine/simulation/Shrink.ts"
import { CommandFailed } from "../../src/cli/CommandFailed.ts"
import { json, print } from "../../src/cli/CommandOutput.ts"
import { extensionNamed } from "../ExtensionLoading.ts"
import { explainViolation, type SeedOutcome } from "../ShrunkFailure.ts"
import { count, jobs, scenarioFlags } from "../ScenarioFlags.ts"
import { MAX_JOBS, MAX_SEEDS } from "../../engine/simulation/SimulationArguments.ts"
import { makeBar } from "../SimulationBar.ts"
import { SeedWorkers } from "../sweep/SeedWorkers.ts"
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

type Given = Command.Command.Config.Infer<typeof flags>

const specOf = (given: Given, rule: FairnessRule): ScenarioSpec => ({
  seed: given.seed,
  orders: given.orders,
  traders: given.traders,
  faults: given.faults,
  ...(given.bots > 0 && { bots: given.bots }),
  ...(Option.isSome(given.with) && { with: given.with.value }),
  rule
})

/** The outcomes of all seeds under each rule, by rule and seed. */
const outcomesOf = async (
  given: Given,
  rules: ReadonlyArray<FairnessRule>,
  workers: SeedWorkers
): Promise<ReadonlyArray<ReadonlyMap<number, SeedOutcome>>> => {
  const bar = makeBar("{value}/{total} simulations | {failed} failed")
  const byRule: Array<ReadonlyMap<number, SeedOutcome>> = []
  let [done, failed] = [0, 0]
  for (const rule of rules) {
    const outcomes = new Map<number, SeedOutcome>()
    const specs = function* (): Generator<ScenarioSpec> {
      for (let index = 0; index < given.seeds; index++) yield { ...specOf(given, rule), seed: given.seed + index }
    }
    await workers.run(specs(), (outcome) => {
      outcomes.set(outcome.seed, outcome)
      done += 1
      failed += outcome.violation === null ? 0 : 1
      bar.show(done, given.seeds * rules.length, { failed: String(failed) })
    })
    byRule.push(outcomes)
  }
  bar.stop()
  return byRule
}

/** The seeds that kept every rule under both, as pairs. */
const pairsOf = (
  one: ReadonlyMap<number, SeedOutcome>,
  other: ReadonlyMap<number, SeedOutcome>
): ReadonlyArray<SeedPair> =>
  [...one.values()]
    .toSorted((first, second) => first.seed - second.seed)
    .flatMap(({ auctions, seed, violation }) => {
      const second = other.get(seed)
      const isWhole = violation === null && second?.violation === null
      return isWhole && auctions !== null && second.auctions !== null
        ? [{ seed, one: auctions, other: second.auctions }]
        : []
    })

const failuresOf = (given: Given, rule: FairnessRule, outcomes: ReadonlyMap<number, SeedOutcome>) =>
  [...outcomes.values()].flatMap(({ seed, violation }) =>
    violation === null ? [] : [{ seed, violation, replay: commandOf({ ...specOf(given, rule), seed }) }]
  )

const run = Effect.fnUntraced(function* (given: Given) {
  const [first = "weighted", second = "quorum"] = given.rule
  const rules: RuleComparison["rules"] = [first, second]
  const failing = (cause: unknown) =>
    new CommandFailed({ message: cause instanceof Error ? cause.message : String(cause) })
  yield* Effect.tryPromise({ try: () => extensionNamed(specOf(given, first)), catch: failing })
  const sideBySide = Math.min(Option.getOrElse(given.jobs, availableParallelism), MAX_JOBS, Math.max(1, given.seeds))
  const [one = new Map<number, SeedOutcome>(), other = new Map<number, SeedOutcome>()] =
    yield* Effect.acquireUseRelease(
      Effect.sync(() => new SeedWorkers(sideBySide)),
      (workers) => Effect.tryPromise({ try: () => outcomesOf(given, rules, workers), catch: failing }),
      (workers) => Effect.sync(() => workers.stop())
    )
  const comparison = compareRules(rules, pairsOf(one, other))
  const failures = [...failuresOf(given, first, one), ...failuresOf(given, second, other)]
  yield* print(given.json, { ...comparison, failures }, comparisonText(comparison))
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
      "bootstrap of 2,000 drawings. The same command gives the same figures."
  ),
  Command.withExamples([
    { command: "bun run sim compare --rule weighted --rule quorum", description: "1,000 seeds" },
    {
      command: "bun run sim compare --rule weighted --rule turnout --seeds 200 --bots 20 --json",
      description: "With bots, for a program"
    }
  ])
)
