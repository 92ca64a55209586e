import type { ArenaCommand, CommitCommand } from "./ArenaCommands.ts"

/** The steps of a play written by hand. */
export const commit = (order: number, change: Partial<CommitCommand> = {}): ArenaCommand => ({
  _tag: "Commit",
  trader: "ada",
  order,
  machine: null,
  price: 1_050,
  exit: 1_100,
  quantity: 1_000,
  slippage: 0,
  key: null,
  copies: 1,
  ...change
})

export const tick: ArenaCommand = { _tag: "Tick" }
export const wait = (millis: number): ArenaCommand => ({ _tag: "Pass", millis })
export const run = (rounds: number, millis: number): ArenaCommand => ({ _tag: "Run", rounds, millis })
