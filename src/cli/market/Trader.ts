import type { Effect } from "effect"
import type { MarketChannel } from "../../../engine/market/MarketFrame.ts"
import type { Moment } from "../../../engine/market/MarketReplay.ts"
import type { ProgramTurn } from "../../bots/programs/ProgramTurn.ts"
import type { CommandFailed } from "../CommandFailed.ts"

/** Who trades, as the program is told at the start. Money is in USD. */
export interface TraderTerms {
  readonly owner: string
  readonly trader_type: "human" | "machine"
  readonly balance: number
  readonly latency_ms: number
}

/** A program that trades, whatever it is written in. */
export interface Trader {
  /** What it wants to hear of. */
  readonly channels: ReadonlySet<MarketChannel>
  /** Tells it what happened, and waits for what it does. */
  readonly take: (moment: Moment, free: number) => Effect.Effect<ProgramTurn, CommandFailed>
}
