import type { AssetType } from "../arena/AssetType.ts"
import { type FairnessRule, RECENT_ORDERS, type Turnout } from "../arena/Fairness.ts"
import type { Median } from "../arena/Median.ts"
import type { OrderState } from "../arena/Order.ts"
import type { OrderFacts } from "../arena/OrderLifecycle.ts"
import { orderPrice } from "../arena/OrderTemplate.ts"
import { accrual, begin, changeYield, type Segments } from "../arena/YieldIndex.ts"
import { fromUnits } from "../money/Rate.ts"
import type { PriceFeed } from "./PriceFeed.ts"
import { ruleOf, type Scenario } from "./Scenario.ts"
import type { SimulatedBreakers } from "./SimulatedBreakers.ts"
import type { SimulatedKeys } from "./SimulationHashing.ts"

export interface FactsParts {
  readonly scenario: Scenario
  readonly startedAt: number
  readonly feed: PriceFeed
  readonly breakers: SimulatedBreakers
  readonly keys: SimulatedKeys
  /** All orders as they are recorded. */
  readonly orders: ReadonlyMap<string, OrderState>
  /** In the place of the scenario's. */
  readonly rule?: FairnessRule | undefined
  readonly tieHash?: ((tieKey: string, owner: string) => string) | undefined
  /** Told what an order was worth when its asset's median was recorded. */
  readonly onQuote: (orderId: string, median: Median) => void
}

/** Gathers what an order must know of the simulated world to take its next step, as the server does. */
export const makeFacts = (parts: FactsParts): ((state: OrderState, now: number) => OrderFacts) => {
  const { scenario, feed, breakers, keys, orders, onQuote } = parts
  const rule = parts.rule ?? ruleOf(scenario.spec)
  const quotes = new Map<string, Map<number, Median>>()
  const machines = scenario.traders.filter(({ type, barred }) => type === "machine" && barred === null)
  const machineOwners = new Set(machines.map(({ owner }) => owner))
  const accrued = accrual(yieldSegments(scenario, parts.startedAt))
  const tieHash = parts.tieHash ?? keys.tieHash

  const quote = (state: OrderState, median: Median): Median => {
    const { orderId } = state.terms
    const known = quotes.get(orderId) ?? new Map<number, Median>()
    quotes.set(orderId, known)
    const before = known.get(median.at)
    if (before !== undefined) return before
    const priced = { ...median, price: orderPrice(state.terms, median) }
    known.set(median.at, priced)
    onQuote(orderId, priced)
    return priced
  }

  return (state, now) => {
    const { terms } = state
    const medians = feed.since(terms.asset, terms.expiryAt)
    const committed = new Set(Array.from(state.commitments.values(), ({ trader }) => trader.botId))
    committed.delete(null)
    const tieKey = keys.tieKey(terms.orderId)
    return {
      now,
      medians: terms.assetType === "options" ? medians.map((median) => quote(state, median)) : medians,
      haltedAtExpiry: breakers.wasHalted(terms.assetType, terms.expiryAt),
      settlementsHalted: false,
      machineOwners,
      rule,
      register: {
        assetType: terms.assetType,
        capable: machines.length,
        committed: committed.size,
        turnout: rule === "turnout" ? turnoutOf(orders.values(), terms.assetType, machineOwners) : new Map()
      },
      tieKey,
      tieHash: (owner) => tieHash(tieKey, owner),
      accrued
    }
  }
}

/** Every machine may trade everything, from the beginning to the end. */
const turnoutOf = (
  orders: Iterable<OrderState>,
  assetType: AssetType,
  machineOwners: ReadonlySet<string>
): ReadonlyMap<string, Turnout> => {
  const recent = Array.from(orders)
    .filter(({ terms, status }) => terms.assetType === assetType && (status === "settling" || status === "settled"))
    .toSorted(
      ({ terms: one }, { terms: other }) => other.openedAt - one.openedAt || (one.orderId < other.orderId ? -1 : 1)
    )
    .slice(0, RECENT_ORDERS)
  const counts = new Map<string, number>()
  for (const { commitments } of recent) {
    const owners = new Set<string>()
    for (const { trader } of commitments.values()) if (trader.botId !== null) owners.add(trader.owner)
    for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return new Map(
    Array.from(machineOwners, (owner) => [owner, { orders: recent.length, committed: counts.get(owner) ?? 0 }])
  )
}

const yieldSegments = ({ yields }: Scenario, startedAt: number): Segments => {
  const [first, ...later] = yields
  let segments = begin(startedAt, fromUnits(first?.apy ?? 0n))
  for (const { at, apy } of later) segments = changeYield(segments, startedAt + at, fromUnits(apy))
  return segments
}
