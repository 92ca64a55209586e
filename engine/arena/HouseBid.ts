import { type Amount, fromUnits } from "../money/Amount.ts"
import { clamp } from "../money/Rounding.ts"
import type { AssetType } from "./AssetType.ts"
import type { TraderType } from "./Commitment.ts"
import { type KeyedHash, drawBelow } from "./KeyedHash.ts"
import type { OrderTerms } from "./Order.ts"

/** What a house trader bids on an order. */
export interface HouseBid {
  readonly proposedPrice: Amount
  readonly exitPrice: Amount
  readonly quantity: Amount
  readonly slippage: Amount
}

const SCALE = 1_000_000n

/** A house trader leaves out one order in eight. */
const ABSTAINS = 8

/** Where the thing is worth less than its entry price, which bids have to reach, it hopes and bids that in one of two. */
const HOPES = 2

/**
 * How far its opinion may be from what the thing is worth, in 10⁻⁶ of that: a part of what the asset type moves between a
 * commitment and its settlement, so that winners gain about as often as such a guess does, and not every one loses.
 */
const OPINION: Readonly<Record<AssetType, number>> = { commodity: 400, fx: 150, options: 5_000, gpu: 400 }

/** It takes its profit 0.2 to 2 % above its bid. */
const TAKE_PROFIT = [2_000, 20_000] as const

/**
 * The part of the order's quantity that it bids for, in 10⁻⁶. Machines bid for half to all of it, humans for up to half:
 * with as many of each, machines hold three quarters of the collateral in about half the orders.
 */
const QUANTITY = { machine: [500_000, 1_000_000], human: [20_000, 480_000] } as const

/** It commits within this part of the commitment window, in 10⁻³. */
const WINDOW = [50, 800] as const

const drawing =
  (hash: KeyedHash, trader: string, { orderId }: OrderTerms) =>
  (what: string, [low, high]: readonly [number, number]): number =>
    low + drawBelow(hash, `house/${trader}/${orderId}/${what}`, high - low)

const scaled = (amount: bigint, parts: number): Amount => fromUnits((amount * (SCALE + BigInt(parts))) / SCALE)

/** How long after an order's opening a house trader looks at it, in milliseconds; undefined where it leaves it out. */
export const houseDelay = (hash: KeyedHash, trader: string, terms: OrderTerms): number | undefined => {
  const draw = drawing(hash, trader, terms)
  if (draw("abstains", [0, ABSTAINS]) === 0) return undefined
  return Math.floor(((terms.expiryAt - terms.openedAt) * draw("delay", WINDOW)) / 1_000)
}

/**
 * The bid of one of the house's own traders, who holds the thing for worth about `worth`, USD a unit now: drawn under a key,
 * it keeps a sandbox alive and knows no more than everybody. Undefined where it does not bid.
 */
export const houseBid = (
  hash: KeyedHash,
  trader: string,
  type: TraderType,
  terms: OrderTerms,
  worth: Amount
): HouseBid | undefined => {
  const { assetType, entryPrice, quantity } = terms
  const draw = drawing(hash, trader, terms)
  const opinion = scaled(worth, draw("opinion", [-OPINION[assetType], OPINION[assetType] + 1]))
  if (opinion < entryPrice && draw("hopes", [0, HOPES]) !== 0) return undefined
  const proposedPrice = fromUnits(clamp(opinion, entryPrice, entryPrice + entryPrice / 10n))
  const part = (quantity * BigInt(draw("quantity", QUANTITY[type]))) / SCALE
  return {
    proposedPrice,
    exitPrice: fromUnits(scaled(proposedPrice, draw("exit", TAKE_PROFIT)) + 1n),
    quantity: part > 0n ? fromUnits(part) : fromUnits(1n),
    slippage: fromUnits(0n)
  }
}
