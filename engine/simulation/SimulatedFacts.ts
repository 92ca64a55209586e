import type { AssetType } from "../arena/AssetType.ts"
import { type FairnessRule, RECENT_ORDERS, type Turnout } from "../arena/Fairness.ts"
import type { OrderState, OrderTerms } from "../arena/Order.ts"
import type { OrderFacts } from "../arena/OrderLifecycle.ts"
import { accrual, begin, changeYield, type Segments } from "../arena/YieldIndex.ts"
import { fromUnits } from "../money/Rate.ts"
import type { PriceFeed } from "./PriceFeed.ts"
import { ruleOf, type Scenario } from "./Scenario.ts"
import type { SimulatedBreakers } from "./SimulatedBreakers.ts"
import type { SimulatedQuotes } from "./SimulatedQuotes.ts"
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
  readonly quotes: SimulatedQuotes
  /** The machine traders that are bots; none unless given. */
  readonly bots?: SimulatedMachines | undefined
}

/** Machine traders that come and go. */
export interface SimulatedMachines {
  /** Owners of one that was active for a type at any moment from one time to another. */
  readonly activeOwners: (assetType: AssetType, from: number, to: number) => ReadonlyArray<string>
  /** How many may trade a type now. */
  readonly capableCount: (assetType: AssetType) => number
}

/** Gathers what an order must know of the simulated world to take its next step, as the server does. */
export const makeFacts = (parts: FactsParts): ((state: OrderState, now: number) => OrderFacts) => {
  const { scenario, feed, breakers, keys, orders, quotes, bots } = parts
  const rule = parts.rule ?? ruleOf(scenario.spec)
  const machines = scenario.traders.filter(({ type, barred }) => type === "machine" && barred === null)
  const always = machines.map(({ owner }) => owner)
  const ownersOf = ({ assetType, expiryAt, openedAt }: OrderTerms): ReadonlySet<string> =>
    new Set([...always, ...(bots?.activeOwners(assetType, openedAt, expiryAt) ?? [])])
  const accrued = accrual(yieldSegments(scenario, parts.startedAt))
  const tieHash = parts.tieHash ?? keys.tieHash

  return (state, now) => {
    const { terms } = state
    const medians = feed.since(terms.asset, terms.expiryAt)
    const committed = new Set(Array.from(state.commitments.values(), ({ trader }) => trader.botId))
    committed.delete(null)
    const tieKey = keys.tieKey(terms.orderId)
    return {
      now,
      medians: medians.map((median) => quotes.of(terms, median)),
      haltedAtExpiry: breakers.wasHalted(terms.assetType, terms.expiryAt),
      settlementsHalted: false,
      machineOwners: ownersOf(terms),
      rule,
      register: {
        assetType: terms.assetType,
        capable: machines.length + (bots?.capableCount(terms.assetType) ?? 0),
        committed: committed.size,
        turnout: rule === "turnout" ? turnoutOf(orders.values(), terms.assetType, ownersOf) : new Map()
      },
      tieKey,
      tieHash: (owner) => tieHash(tieKey, owner),
      accrued
    }
  }
}

/** In how many of the last orders of a type owners had a machine that could take part, and in how many it did. */
const turnoutOf = (
  orders: Iterable<OrderState>,
  assetType: AssetType,
  ownersOf: (terms: OrderTerms) => ReadonlySet<string>
): ReadonlyMap<string, Turnout> => {
  const recent = Array.from(orders)
    .filter(({ terms, status }) => terms.assetType === assetType && (status === "settling" || status === "settled"))
    .toSorted(
      ({ terms: one }, { terms: other }) => other.openedAt - one.openedAt || (one.orderId < other.orderId ? -1 : 1)
    )
    .slice(0, RECENT_ORDERS)
  const counts = new Map<string, Turnout>()
  for (const { commitments, terms } of recent) {
    const took = new Set<string>()
    for (const { trader } of commitments.values()) if (trader.botId !== null) took.add(trader.owner)
    for (const owner of ownersOf(terms)) {
      const { committed, orders: counted } = counts.get(owner) ?? { orders: 0, committed: 0 }
      counts.set(owner, { orders: counted + 1, committed: committed + (took.has(owner) ? 1 : 0) })
    }
  }
  return counts
}

const yieldSegments = ({ yields }: Scenario, startedAt: number): Segments => {
  const [first, ...later] = yields
  let segments = begin(startedAt, fromUnits(first?.apy ?? 0n))
  for (const { at, apy } of later) segments = changeYield(segments, startedAt + at, fromUnits(apy))
  return segments
}
