import type { Commitment, CommitmentStatus, LossReason } from "../arena/Commitment.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"

/** What JSON makes of a value: integers beyond doubles are decimal strings. */
export type Wire<T> = T extends bigint
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : { readonly [K in keyof T]: Wire<T[K]> }

/** A commitment as the auditor reads it from its event's bytes. */
export interface NaiveCommitment {
  readonly id: string
  readonly ordinal: number
  readonly owner: string
  readonly isMachine: boolean
  /** The machine trader that it was committed as, if any. */
  readonly bot: string | null
  readonly account: string
  readonly allowance: string | null
  readonly proposed: bigint
  readonly limit: bigint
  readonly exit: bigint
  readonly quantity: bigint
  readonly collateral: bigint
  readonly acceptedAt: number
  status: CommitmentStatus
  reason: LossReason | null
  profit: bigint
  earned: bigint
}

/** An order as the auditor reads it from its events' bytes. */
export interface NaiveOrder {
  readonly id: string
  readonly terms: Wire<OrderTerms>
  readonly entryPrice: bigint
  readonly quantity: bigint
  /** By how much below the reference the maker sells, in 10⁻⁶ of it; null where bids do not float. */
  readonly discount: bigint | null
  version: number
  status: "open" | "competing" | "settling" | "settled"
  readonly commitments: Map<string, NaiveCommitment>
  /** How many commitments each owner has. */
  readonly owners: Map<string, number>
  lastOrdinal: number
  choice: NaiveChoice | null
}

export interface NaiveChoice {
  readonly winner: string | null
  readonly clearing: bigint | null
  readonly referenceAt: number
}

const MILLION = 1_000_000n

/** price × (1 + slippage), rounded down. */
export const naiveLimit = (price: bigint, slippage: bigint): bigint => (price * MILLION + price * slippage) / MILLION

/** 3.81 % of price × quantity in 10⁻⁶, rounded up. */
export const naiveCollateral = (price: bigint, quantity: bigint): bigint => {
  const exact = price * quantity * 381n
  const whole = exact / 10_000_000_000n
  return whole * 10_000_000_000n === exact ? whole : whole + 1n
}

/** The least that the maker sells for: what is missing to the reference is at most its discount. */
export const naiveReserve = ({ discount }: NaiveOrder, reference: bigint): bigint =>
  discount === null ? reference : reference - (reference * discount) / MILLION

/** What a commitment offers at a reference: as far from it as its bid is from the entry price, and its limit at most. */
export const naiveOffer = ({ discount, entryPrice }: NaiveOrder, one: NaiveCommitment, reference: bigint): bigint => {
  if (discount === null) return one.limit
  const above = one.limit * entryPrice <= reference * one.proposed
  return above ? one.limit : (reference * one.proposed - ((reference * one.proposed) % entryPrice)) / entryPrice
}

export const readOrder = (terms: Wire<OrderTerms>): NaiveOrder => ({
  id: terms.orderId,
  terms,
  entryPrice: BigInt(terms.entryPrice),
  quantity: BigInt(terms.quantity),
  discount: terms.makerDiscount === undefined ? null : BigInt(terms.makerDiscount),
  version: 1,
  status: "open",
  commitments: new Map(),
  owners: new Map(),
  lastOrdinal: 0,
  choice: null
})

export const readCommitment = (one: Wire<Commitment>): NaiveCommitment => ({
  id: one.commitmentId,
  ordinal: one.ordinal,
  owner: one.trader.owner,
  isMachine: one.trader.type === "machine",
  bot: one.trader.botId,
  account: one.trader.account,
  allowance: one.trader.allowance,
  proposed: BigInt(one.proposedPrice),
  limit: naiveLimit(BigInt(one.proposedPrice), BigInt(one.slippage)),
  exit: BigInt(one.exitPrice),
  quantity: BigInt(one.quantity),
  collateral: BigInt(one.collateral),
  acceptedAt: one.acceptedAt,
  status: one.status,
  reason: one.reason,
  profit: BigInt(one.profit),
  earned: BigInt(one.yieldEarned)
})
