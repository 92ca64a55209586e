import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { AssetType } from "./AssetType.ts"
import { limitPrice, type TraderType } from "./Commitment.ts"
import { type KeyedHash, drawBelow } from "./KeyedHash.ts"
import type { OrderTerms } from "./OrderTerms.ts"

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

/**
 * How far its bid floats above what it proposes, in 10⁻⁶ of it: more than the asset type moves between an opening and a
 * choice.
 */
const TOLERANCE: Readonly<Record<AssetType, bigint>> = {
  commodity: 20_000n,
  fx: 20_000n,
  options: 50_000n,
  gpu: 20_000n
}

/** The part of the maker's discount that it bids below the price, in 10⁻³. */
const BELOW = [0, 900] as const

/** It takes its profit 0.2 to 2 % above its limit. */
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
 * The bid of one of the house's own traders, drawn under a key. It keeps a sandbox alive and knows no more than everybody,
 * so it bids at the price, or below it by less than the market maker's discount: to win costs it nothing on average.
 */
export const houseBid = (hash: KeyedHash, trader: string, type: TraderType, terms: OrderTerms): HouseBid => {
  const { assetType, entryPrice, makerDiscount = ZERO, quantity } = terms
  const draw = drawing(hash, trader, terms)
  const below = (entryPrice * makerDiscount * BigInt(draw("below", BELOW))) / (SCALE * 1_000n)
  const proposedPrice = fromUnits(entryPrice - below)
  const slippage = fromUnits(TOLERANCE[assetType])
  const part = (quantity * BigInt(draw("quantity", QUANTITY[type]))) / SCALE
  return {
    proposedPrice,
    exitPrice: fromUnits(scaled(limitPrice(proposedPrice, slippage), draw("exit", TAKE_PROFIT)) + 1n),
    quantity: part > 0n ? fromUnits(part) : fromUnits(1n),
    slippage
  }
}
