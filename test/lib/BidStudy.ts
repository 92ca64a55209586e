import { Result } from "effect"
import type { Choice, OrderSettled } from "../../engine/arena/ArenaEvent.ts"
import { bidPricing } from "../../engine/arena/BidPricing.ts"
import { type Commitment, limitPrice } from "../../engine/arena/Commitment.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { evolve, opened, type OrderState } from "../../engine/arena/Order.ts"
import { nextStep } from "../../engine/arena/OrderLifecycle.ts"
import { averagePrice } from "../../engine/arena/SettlementPrice.ts"
import { decideSubmission, NOTHING_EARLIER } from "../../engine/arena/Submission.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { human, submission, terms, usd } from "./ArenaArbitraries.ts"
import { facts } from "./OrderStages.ts"

/** Who bids on every order of a study, and by which rule it is chosen. */
export interface StudyCase {
  /** The market maker's discount; undefined for bids that do not float. */
  readonly discount: Amount | undefined
  /** How far above what they propose their bids may float, in 10⁻⁶. */
  readonly tolerance: Amount
  /** Bidders that know nothing, and how far above the price each bids, in 10⁻⁶ of it. */
  readonly uninformed: ReadonlyArray<number>
  /** The part of the move from the reference to the settlement that one more bidder foresees, as 1 ÷ this. */
  readonly foresees?: number
}

/** Means over the orders of a study. Gains are in basis points of what was bought, at the reference price. */
interface StudyResult {
  readonly orders: number
  readonly filled: number
  /** What those who know nothing gain on what they win, and how much of it. */
  readonly uninformedGain: number
  readonly uninformedWins: number
  readonly informedGain: number
  readonly informedWins: number
  /** What the market maker loses on each order that is filled. */
  readonly makerCost: number
  /** How far below its reference an order cleared, on average and at most: what the market maker gives away. */
  readonly meanBelow: number
  readonly mostBelow: number
  /** Whether reserve ≤ clearing ≤ what the winner offers ≤ its limit held in each. */
  readonly isBounded: boolean
}

const MILLION = 1_000_000

/** Prices of one order: at its opening, at its expiry, and each minute until it settles. */
interface Path {
  readonly reference: Amount
  readonly medians: ReadonlyArray<Median>
}

/** Steps from the expiry to the settlement date, and as many from the opening to the expiry. */
const STEPS = 15

/** Each step is uniform between ± this, in 10⁻⁶: 15 of them have a standard deviation of 30 basis points. */
const STEP = 1_342

const step = (random: SeededRandom, price: Amount): Amount =>
  fromUnits((price * BigInt(MILLION + random.between(-STEP, STEP + 1))) / ONE)

const offered = (discount: Amount | undefined) =>
  terms({ quantity: usd("100"), ...(discount !== undefined && { makerDiscount: discount }) })

const pathOf = (random: SeededRandom): Path => {
  const { asset, entryPrice, expiryAt, settlementAt } = offered(undefined)
  let price = entryPrice
  for (let index = 0; index < STEPS; index++) price = step(random, price)
  const reference = price
  const medians = Array.from({ length: STEPS + 1 }, (_, index): Median => {
    if (index > 0) price = step(random, price)
    return { asset, at: expiryAt + (index * (settlementAt - expiryAt)) / STEPS, price, safe: true }
  })
  return { reference, medians }
}

interface Bid {
  readonly owner: string
  /** Above the entry price, in 10⁻⁶ of it. */
  readonly premium: number
  readonly quantity: Amount
}

const commit = (state: OrderState, { owner, premium, quantity }: Bid, slippage: Amount): void => {
  const { entryPrice, openedAt } = state.terms
  const proposedPrice = fromUnits((entryPrice * BigInt(MILLION + premium)) / ONE)
  const asked = submission({ proposedPrice, exitPrice: usd("200"), quantity, slippage, trader: human(owner) })
  const decided = decideSubmission(state, asked, openedAt, null, state.lastOrdinal + 1, NOTHING_EARLIER)
  evolve(state, Result.getOrThrow(decided).event)
}

/** Takes an order through its life by the engine alone, with the bids of a case. */
const played = ({ discount, tolerance }: StudyCase, bids: ReadonlyArray<Bid>, { medians }: Path) => {
  const state = opened(offered(discount))
  for (const bid of bids) commit(state, bid, tolerance)
  const known = facts({ now: state.terms.settlementAt, medians })
  let ending: OrderSettled | undefined
  for (let entry = nextStep(state, known); entry !== undefined; entry = nextStep(state, known)) {
    evolve(state, entry.event)
    if (entry.event._tag === "OrderSettled") ending = entry.event
  }
  const { choice } = state
  if (ending === undefined || choice === null) throw new Error("the order did not settle")
  const winner = choice.winner === null ? undefined : state.commitments.get(choice.winner)
  return { choice, winner, profit: ending.profit }
}

const bidsOf = ({ foresees, uninformed }: StudyCase, random: SeededRandom, path: Path): ReadonlyArray<Bid> => {
  const bids = uninformed.map((premium, index): Bid => ({
    owner: `nobody-${index}`,
    premium,
    quantity: fromUnits(BigInt(random.between(20, 101)) * ONE)
  }))
  if (foresees === undefined) return bids
  const { expiryAt, settlementAt } = offered(undefined)
  const settled = Number(averagePrice(path.medians, expiryAt, settlementAt))
  const move = settled / Number(path.reference) - 1
  return [...bids, { owner: "seer", premium: Math.round((move * MILLION) / foresees), quantity: usd("100") }]
}

const isOrdered = (one: OrderState["terms"], { clearingPrice, reference }: Choice, winner: Commitment): boolean => {
  const { offered: offeredBy, reserve } = bidPricing(one, reference)
  const bid = offeredBy(winner)
  const limit = limitPrice(winner.proposedPrice, winner.slippage)
  return clearingPrice !== null && reserve <= clearingPrice && clearingPrice <= bid && bid <= limit
}

const BASIS_POINTS = 10_000

/** Plays seeded orders with the real engine: what bidders gain on average, and what the market maker pays for it. */
export const study = (given: StudyCase, orders: number, seed: number): StudyResult => {
  const sums = { uninformed: 0, informed: 0, uninformedWins: 0, informedWins: 0, below: 0, mostBelow: 0 }
  let isBounded = true
  for (let index = 0; index < orders; index++) {
    const path = pathOf(new SeededRandom(seed, `path/${index}`))
    const bids = bidsOf(given, new SeededRandom(seed, `bids/${index}`), path)
    const { choice, profit, winner } = played(given, bids, path)
    if (winner === undefined || choice.clearingPrice === null) continue
    const reference = Number(choice.reference)
    const gain = (BASIS_POINTS * Number(profit) * MILLION) / (reference * Number(winner.quantity))
    const kind = winner.trader.owner === "seer" ? "informed" : "uninformed"
    sums[kind] += gain
    sums[`${kind}Wins`] += 1
    const below = (BASIS_POINTS * (reference - Number(choice.clearingPrice))) / reference
    sums.below += below
    sums.mostBelow = Math.max(sums.mostBelow, below)
    isBounded &&= isOrdered(offered(given.discount), choice, winner)
  }
  const filled = sums.uninformedWins + sums.informedWins
  return {
    orders,
    filled,
    uninformedGain: sums.uninformed / sums.uninformedWins,
    uninformedWins: sums.uninformedWins,
    informedGain: sums.informed / sums.informedWins,
    informedWins: sums.informedWins,
    makerCost: (sums.uninformed + sums.informed) / filled,
    meanBelow: sums.below / filled,
    mostBelow: sums.mostBelow,
    isBounded
  }
}

const DISCOUNT = fromUnits(500n)

/** As far as a bid may float: more than the price ever moves in a study. */
const TOLERANCE = fromUnits(50_000n)

const knowing = (premiums: ReadonlyArray<number>) => ({
  discount: DISCOUNT,
  tolerance: TOLERANCE,
  uninformed: premiums
})

/** Some bidders that know nothing bid at the price. */
export const atThePrice = (count: number): StudyCase => knowing(Array<number>(count).fill(0))

/** One that foresees a third of the move, against some that bid at the price. */
export const withForesight = (others: number): StudyCase => ({ ...atThePrice(others), foresees: 3 })

/** Some that bid above the price, for nothing that they know. */
export const overbidding = (count: number, premium: number): StudyCase => knowing(Array<number>(count).fill(premium))

/** Some that bid at the price where bids do not float. */
export const fixedBids = (count: number): StudyCase => ({
  discount: undefined,
  tolerance: ZERO,
  uninformed: Array<number>(count).fill(0)
})
