import type { Median } from "../arena/Median.ts"
import type { OrderState } from "../arena/Order.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { FaultRow, SimulationResult } from "./SimulationResult.ts"

/** A simulation under way. What it shows changes with each call, and must not be changed by who looks. */
export interface RunningSimulation {
  /** Goes on by the least there is: a fiber's turn, or time's way to the next timer. False once it has ended. */
  readonly advance: () => boolean
  /** What it came to, to be asked for once it has ended. */
  readonly end: () => SimulationResult
  /** How many groups of events were recorded: its steps. */
  readonly steps: number
  /** Milliseconds since the start, and what the platform's clock shows. */
  readonly elapsed: number
  readonly now: number
  /** The faults that had an effect, in the order in which they struck. */
  readonly struck: ReadonlyArray<FaultRow>
  /** By id, those that have not ended, or did not long ago. */
  readonly orders: ReadonlyMap<string, OrderState>
  /** By asset, ascending in time. */
  readonly prices: ReadonlyMap<string, ReadonlyArray<Median>>
  readonly account: (id: AccountId) => Account
}
