/**
 * `npm run sim -- [--seed 42] [--orders 200] [--traders 50] [--faults] [--json] [--report out.html]` simulates the arena.
 * `npm run sim -- --seeds 1000 [--jobs 4]` simulates consecutive seeds side by side.
 * `npm run sim -- --with mine.ts` adds traders, faults and invariants of one's own to either.
 * `npm run sim -- campaign evidence/ --seeds 1000000 --faults` does so for days if need be, and goes on where it was stopped.
 * `npm run sim -- compare --rule weighted --rule quorum [--seeds 1000]` plays the same seeds under two rules.
 * `npm run sim -- backtest [--strategy bot.json] [--from DATE] [--to DATE]` runs bots over real daily closes.
 * `npm run sim -- world export.jsonl` says what `--world export.jsonl` begins as: a production's export.
 * `npm run sim -- replay [--database URL | --data-dir DIR | --file FILE] [--json]` derives the state of a real log again.
 */
import manifest from "../package.json" with { type: "json" }

const [command] = process.argv.slice(2)
const SUBCOMMANDS = ["replay", "backtest", "compare", "campaign", "world"]
if (command !== undefined && SUBCOMMANDS.includes(command)) {
  // Loaded only where they are asked for: what they need is far more than a simulation does.
  const [{ simulator }, { runCommand }] = await Promise.all([
    import("./SimulatorCommand.ts"),
    import("../src/cli/RunCommand.ts")
  ])
  runCommand(simulator, manifest.version)
} else {
  const { runSimulation } = await import("./SimulationRun.ts")
  process.exitCode = await runSimulation(process.argv.slice(2))
}
