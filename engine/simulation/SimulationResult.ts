import type { AssetType } from "../arena/AssetType.ts"
import type { BotStatus } from "../bots/BotLifecycle.ts"
import type { VoidReason } from "../arena/ArenaEvent.ts"
import type { OrderStatus } from "../arena/Order.ts"
import type { TraderType } from "../arena/Commitment.ts"
import type { Amount } from "../money/Amount.ts"
import type { Reached } from "./ReachedRecord.ts"

/** What an order was worth at one moment. Options are priced by the recorded medians of their underlying. */
export interface PricePoint {
  /** Milliseconds since 1970, in simulated time. */
  readonly at: number
  /** USD for one unit. */
  readonly price: Amount
  /** Whether the median was fresh and inside the breaker's band. */
  readonly safe: boolean
}

/** One order that was opened, and what came of it. Times are milliseconds since 1970, in simulated time. */
export interface OrderRow {
  readonly orderId: string
  /** Its number in the scenario. */
  readonly order: number
  readonly assetType: AssetType
  readonly asset: string
  readonly quantity: Amount
  readonly entryPrice: Amount
  readonly openedAt: number
  readonly expiryAt: number
  readonly settlementAt: number
  readonly status: OrderStatus
  readonly commitments: number
  /** How many owners competed. */
  readonly owners: number
  readonly reference: Amount | null
  /** The trader that won the choice, by id; still told where the order was void later. */
  readonly winner: string | null
  readonly winnerType: TraderType | null
  readonly clearingPrice: Amount | null
  readonly settlementPrice: Amount | null
  readonly takeProfit: boolean
  readonly voided: VoidReason | null
  /** The winner's; 0 without one. */
  readonly profit: Amount
  /** The traders' yield over all its commitments. */
  readonly yieldDistributed: Amount
  /** From opening to settlement, ascending; empty unless they were asked for. */
  readonly prices: ReadonlyArray<PricePoint>
}

/** One trader. Amounts are in 10⁻⁶ USD. */
export interface TraderRow {
  readonly traderId: string
  readonly owner: string
  readonly type: TraderType
  readonly submissions: number
  readonly commitments: number
  readonly refusals: number
  readonly wins: number
  /** The sum over what it won and settled. */
  readonly profit: Amount
  readonly yieldEarned: Amount
  /** All collateral that it ever held, and the most at one time. */
  readonly collateralTotal: Amount
  readonly collateralPeak: Amount
  readonly openingBalance: Amount
  readonly closingBalance: Amount
}

/** One bot. Amounts are in 10⁻⁶. */
export interface BotRow {
  readonly botId: string
  readonly owner: string
  readonly status: BotStatus
  /** What it decided by itself, and what its owner asked it. */
  readonly decisions: number
  readonly evaluations: number
  readonly commitments: number
  readonly wins: number
  /** USD: the sum over what it won and settled. */
  readonly profit: Amount
}

/** A fault that struck. */
export interface FaultRow {
  /** Its number in the scenario. */
  readonly fault: number
  readonly kind: string
  /** Simulated time of its effect, in milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

/** A rule that did not hold. */
export interface Violation {
  /** A stable name, such as `zero_sum` or `winner`. */
  readonly invariant: string
  readonly detail: string
  /** The sequence of the last event before it was noticed. */
  readonly seq: number
  readonly at: number
}

/** Everything one simulation has to tell: plain data, the same for the same scenario on every runtime. */
export interface SimulationResult {
  readonly seed: number
  /** Recorded events, and how many transactions wrote them. */
  readonly events: number
  readonly commits: number
  /** Messages that were sent to actors. */
  readonly messages: number
  /** SHA-256, in hex, of the canonical text of the final state. */
  readonly stateHash: string
  /** SHA-256, in hex, of all events' bytes in sequence, each with a line feed after it. */
  readonly eventsHash: string
  /** Simulated time, in milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly orders: ReadonlyArray<OrderRow>
  readonly traders: ReadonlyArray<TraderRow>
  readonly bots: ReadonlyArray<BotRow>
  readonly faults: ReadonlyArray<FaultRow>
  /** How often each answer was given to a submission: `Submitted`, or the refusal's name. */
  readonly answers: Readonly<Record<string, number>>
  /** How often each answer was given to what bots' owners asked: the event, or the refusal's name. */
  readonly botResponses: Readonly<Record<string, number>>
  /** The same of what companies asked, where there are any: what was done, or the refusal as `context/Name`. */
  readonly companyResponses?: Readonly<Record<string, number>>
  /** Times that actors failed and were started again. */
  readonly restarts: number
  /** Which events were recorded, and after which faults. */
  readonly reached: Reached
  /** The first rule that did not hold; the simulation ends there. */
  readonly violation: Violation | null
}

/** How far a simulation has come; told every few hundred events. */
export interface SimulationProgress {
  readonly events: number
  /** Simulated milliseconds passed, and in all. */
  readonly elapsed: number
  readonly total: number
}

/** Called between two steps; must not change anything the simulation sees. */
export type ProgressListener = (progress: SimulationProgress) => void
