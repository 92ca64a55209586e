/** What somebody's own module adds to a simulation: traders, faults and invariants beside those that ship. */

import type { Commitment, TraderType } from "../arena/Commitment.ts"
import type { Median } from "../arena/Median.ts"
import type { OrderState } from "../arena/Order.ts"
import type { Account } from "../ledger/Account.ts"
import type { TradingProgram } from "../market/TradingProgram.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { Strike } from "./Strike.ts"

/** Chance that is the seed's. */
export type SeededChance = Pick<SeededRandom, "below" | "between" | "chance" | "next" | "pick">

/** What a simulation gives the module that it makes an extension with. */
export interface ExtensionContext {
  readonly seed: number
  /** A stream of chance of its own for each label. */
  readonly random: (label: string) => SeededChance
}

/** A trading program, as `emporion replay-market` plays it, that trades in the simulated world. Its `onEvent` returns nothing. */
export interface SimulatedTrader extends TradingProgram {
  /** What the 3/4 rule takes it for; `machine` unless said. */
  readonly type?: TraderType
  /** USD at the beginning; 100,000 unless said. */
  readonly balance?: number
}

/** A trader of an extension in the world. */
export interface ExtensionTrader {
  /** Of its user, such as `usr_50`. */
  readonly id: string
  /** Its company. */
  readonly owner: string
  readonly type: TraderType
  /** The ledger's account with its money. */
  readonly wallet: string
}

/** An order as it is recorded, with its commitments by id until an hour after its end. Each look makes a commitment anew. */
export type RecordedOrder = Readonly<Pick<OrderState, "terms" | "status" | "version" | "choice">> & {
  readonly commitments: ReadonlyMap<string, Commitment>
}

/** An event as it is recorded. */
export interface RecordedEvent {
  /** Its place in all events, gapless from 1. */
  readonly seq: number
  readonly stream: string
  readonly event: PlatformEvent
}

/** The world between two steps. Amounts are bigints of 10⁻⁶, times milliseconds since 1970. It must not be changed. */
export interface WorldView {
  readonly seed: number
  /** What the platform's clock shows. */
  readonly now: number
  /** Milliseconds since the start, whatever was done to the clock. */
  readonly elapsed: number
  /** Whether everything has come to rest. */
  readonly isOver: boolean
  /** What the step recorded; nothing at the start and at the end. */
  readonly events: ReadonlyArray<RecordedEvent>
  readonly orders: ReadonlyMap<string, RecordedOrder>
  /** The last recorded price of an asset, such as `EUR/USD`. */
  readonly price: (asset: string) => Median | undefined
  /** An account of the ledger, such as `usr_0/USD/wallet`. */
  readonly account: (id: string) => Pick<Account, "balance" | "held">
  /** The extension's own traders, in their sequence. */
  readonly traders: ReadonlyArray<ExtensionTrader>
}

/** A strike, so many milliseconds from now; at once unless said. */
export type PlannedStrike = Strike & { readonly in?: number }

/** A fault of one's own: asked at the start and after each step, it says what strikes. */
export interface SimulatedFault {
  /** Letters, digits and `_`. */
  readonly name: string
  readonly strike: (world: WorldView) => PlannedStrike | ReadonlyArray<PlannedStrike> | undefined
}

/** A rule of one's own: asked after each step and at the end, it says in a sentence that it does not hold. */
export interface Invariant {
  /** Letters, digits and `_`. */
  readonly name: string
  readonly check: (world: WorldView) => string | undefined
}

type OneOrMore<A> = A | ReadonlyArray<A>

/** The default export of a module for `sim --with`, or what a function makes that is called for each simulation. */
export interface SimulationExtension {
  readonly trader?: OneOrMore<SimulatedTrader>
  readonly fault?: OneOrMore<SimulatedFault>
  readonly invariant?: OneOrMore<Invariant>
}

export type ExtensionMaker = (context: ExtensionContext) => SimulationExtension
