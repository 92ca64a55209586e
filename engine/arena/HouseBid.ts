import { type Amount, fromUnits } from "../money/Amount.ts"
import type { AssetType } from "./AssetType.ts"
import type { TraderType } from "./Commitment.ts"
import { type KeyedHash, drawBelow } from "./KeyedHash.ts"
import type { OrderTerms } from "./Order.ts"

/** What a house trader bids on an order, and how long after its opening, in milliseconds. */
export interface HouseBid {
  readonly delayMillis: number
  readonly proposedPrice: Amount
  readonly exitPrice: Amount
  readonly quantity: Amount
  readonly slippage: Amount
}

const SCALE = 1_000_000n

/** A house trader leaves out one order in eight. */
const ABSTAINS = 8

/** How far above the entry price it bids at most, in 10⁻⁶ of it: as far as the asset type moves in a short while. */
const HIGHEST_PREMIUM: Readonly<Record<AssetType, number>> = {
  commodity: 4_000,
  fx: 1_500,
  options: 50_000,
  gpu: 4_000
}

/** It takes its profit 0.2 to 2 % above its bid. */
const TAKE_PROFIT = [2_000, 20_000] as const

/**
 * The part of the order's quantity that it bids for, in 10⁻⁶. Machines bid for half to all of it, humans for up to half:
 * with as many of each, machines hold three quarters of the collateral in about half the orders.
 */
const QUANTITY = { machine: [500_000, 1_000_000], human: [20_000, 480_000] } as const

/** It commits within this part of the commitment window, in 10⁻³. */
const WINDOW = [50, 800] as const

/** The bid of one of the house's own traders, drawn under a key: it keeps a sandbox alive and knows nothing. */
export const houseBid = (
  hash: KeyedHash,
  trader: string,
  type: TraderType,
  terms: OrderTerms
): HouseBid | undefined => {
  const draw = (what: string, [low, high]: readonly [number, number]): number =>
    low + drawBelow(hash, `house/${trader}/${terms.orderId}/${what}`, high - low)
  const scaled = (amount: bigint, parts: number): Amount => fromUnits((amount * (SCALE + BigInt(parts))) / SCALE)
  if (draw("abstains", [0, ABSTAINS]) === 0) return undefined
  const proposedPrice = scaled(terms.entryPrice, draw("premium", [0, HIGHEST_PREMIUM[terms.assetType]]))
  const part = (terms.quantity * BigInt(draw("quantity", QUANTITY[type]))) / SCALE
  return {
    delayMillis: Math.floor(((terms.expiryAt - terms.openedAt) * draw("delay", WINDOW)) / 1_000),
    proposedPrice,
    exitPrice: fromUnits(scaled(proposedPrice, draw("exit", TAKE_PROFIT)) + 1n),
    quantity: part > 0n ? fromUnits(part) : fromUnits(1n),
    slippage: fromUnits(0n)
  }
}
