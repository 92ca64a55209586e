import { Command } from "effect/cli"
import { replayCommand } from "../src/cli/EventCommands.ts"
import { backtestCommand } from "./backtest/BacktestCommand.ts"
import { campaignCommand } from "./campaign/CampaignCommand.ts"
import { compareCommand } from "./compare/CompareCommand.ts"
import { worldCommand } from "./world/WorldCommand.ts"

/** The commands of `npm run sim` beside the simulation itself. */
export const simulator = Command.make("sim").pipe(
  Command.withDescription(
    "Simulates the arena, by millions of seeds too, compares its rules, tests bots on the past, and replays what really happened."
  ),
  Command.withSubcommands([backtestCommand, campaignCommand, compareCommand, replayCommand, worldCommand])
)
