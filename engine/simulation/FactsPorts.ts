import { Effect } from "effect"
import type { AssetType } from "../arena/AssetType.ts"
import { type FairnessRule, RECENT_ORDERS, type Turnout } from "../arena/Fairness.ts"
import type { FactsWorld } from "../arena/FactsGathering.ts"
import type { OrderState } from "../arena/Order.ts"
import type { BreakerPanel } from "../arena/BreakerPanel.ts"
import { accrual, begin, changeYield, type Segments } from "../arena/YieldIndex.ts"
import { fromUnits } from "../money/Rate.ts"
import type { PriceFeed } from "./PriceFeed.ts"
import { isAlwaysActive, ruleOf, type Scenario } from "./Scenario.ts"
import type { QuoteCache } from "./QuoteCache.ts"
import type { SimulatedKeys } from "./SimulationHashing.ts"

export interface FactsParts {
  readonly scenario: Scenario
  readonly startedAt: number
  readonly feed: PriceFeed
  readonly breakers: BreakerPanel
  readonly keys: SimulatedKeys
  /** All orders as they are recorded. */
  readonly orders: ReadonlyMap<string, OrderState>
  /** In the place of the scenario's. */
  readonly rule?: FairnessRule | undefined
  readonly tieHash?: ((tieKey: string, owner: string) => string) | undefined
  readonly quotes: QuoteCache
  /** The machine traders that come and go; none unless given. */
  readonly changing?: ReadonlyArray<SimulatedMachines> | undefined
}

/** Machine traders that come and go. */
export interface SimulatedMachines {
  /** Owners of one that was active for a type at any moment from one time to another. */
  readonly activeOwners: (assetType: AssetType, from: number, to: number) => ReadonlyArray<string>
  /** How many may trade a type now. */
  readonly capableCount: (assetType: AssetType) => number
}

/** The simulated world as an order's facts are gathered from it. */
export const factsPorts = (parts: FactsParts): FactsWorld<never> => {
  const { breakers, changing = [], feed, keys, orders, quotes, scenario, startedAt } = parts
  const machines = scenario.traders.filter(isAlwaysActive)
  const always = machines.map(({ owner }) => owner)
  const owners = (assetType: AssetType, from: number, to: number): ReadonlySet<string> =>
    new Set([...always, ...changing.flatMap((some) => some.activeOwners(assetType, from, to))])
  const accrued = accrual(yieldSegments(scenario, startedAt))
  return {
    rule: parts.rule ?? ruleOf(scenario.spec),
    medians: (asset, from) => Effect.sync(() => feed.since(asset, from)),
    priced: (terms, median) => quotes.of(terms, median),
    breakers: { wasHalted: (assetType, at) => breakers.wasHalted(assetType, at), isLatched: () => breakers.isLatched },
    machines: {
      activeOwners: (assetType, from, to) => Effect.sync(() => owners(assetType, from, to)),
      capableCount: (assetType) =>
        Effect.sync(() => changing.reduce((sum, some) => sum + some.capableCount(assetType), machines.length)),
      turnout: (assetType, until) => Effect.sync(() => turnoutOf(orders.values(), assetType, until, owners))
    },
    keys: { tieKey: keys.tieKey, tieHash: parts.tieHash ?? keys.tieHash },
    accrual: () => accrued
  }
}

type FactsOwners = (assetType: AssetType, from: number, to: number) => ReadonlySet<string>

/** In how many of the last orders of a type that had expired by then owners had a machine that could take part, and in how many it did. */
const turnoutOf = (
  orders: Iterable<OrderState>,
  assetType: AssetType,
  until: number,
  ownersOf: FactsOwners
): ReadonlyMap<string, Turnout> => {
  const recent = Array.from(orders)
    .filter(({ terms }) => terms.assetType === assetType && terms.expiryAt <= until)
    .toSorted(
      ({ terms: one }, { terms: other }) => other.openedAt - one.openedAt || (one.orderId < other.orderId ? -1 : 1)
    )
    .slice(0, RECENT_ORDERS)
  const counts = new Map<string, Turnout>()
  for (const { commitments, terms } of recent) {
    const took = new Set<string>()
    for (const { trader } of commitments.values()) if (trader.botId !== null) took.add(trader.owner)
    for (const owner of ownersOf(assetType, terms.openedAt, terms.expiryAt)) {
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
