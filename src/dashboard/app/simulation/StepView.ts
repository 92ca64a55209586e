import type { AssetType } from "../../../../engine/arena/AssetType.ts"
import type { TraderType } from "../../../../engine/arena/Commitment.ts"
import type { OrderStatus } from "../../../../engine/arena/Order.ts"

/** What the world shows after a step. All of it is plain data, so that a worker can send it. Amounts are in USD. */
export interface StepView {
  readonly step: number
  /** Milliseconds since the start, and what the platform's clock shows. */
  readonly elapsed: number
  readonly now: number
  /** How many events were recorded until then. */
  readonly recorded: number
  /** The last ones, the newest first. */
  readonly events: ReadonlyArray<EventShown>
  /** The newest first. */
  readonly orders: ReadonlyArray<OrderShown>
  readonly traders: ReadonlyArray<TraderShown>
  /** What struck until then, the newest first. */
  readonly struck: ReadonlyArray<StrikeShown>
  /** Prices of the order that was asked for, or of the newest one. */
  readonly market: MarketShown | undefined
}

export interface EventShown {
  readonly seq: number
  readonly step: number
  readonly at: number
  readonly tag: string
  readonly stream: string
  /** The event itself, as JSON. */
  readonly data: string
}

export interface OrderShown {
  readonly id: string
  readonly asset: string
  readonly assetType: AssetType
  readonly status: OrderStatus | "void"
  readonly openedAt: number
  readonly expiryAt: number
  readonly settlementAt: number
  readonly entryPrice: number
  readonly quantity: number
  readonly commitments: number
  readonly reference: number | undefined
  readonly winner: string | undefined
  readonly clearingPrice: number | undefined
  readonly settlementPrice: number | undefined
  readonly profit: number | undefined
}

export interface TraderShown {
  readonly id: string
  readonly type: TraderType
  readonly balance: number
  readonly held: number
  /** What it has more than at the beginning. */
  readonly change: number
}

export interface StrikeShown {
  readonly fault: number
  readonly at: number
  readonly text: string
}

export interface MarketShown {
  readonly order: OrderShown
  /** Times are milliseconds since 1970, ascending. */
  readonly points: ReadonlyArray<{ readonly time: number; readonly value: number }>
}
