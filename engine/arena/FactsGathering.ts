import { Effect } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { AssetType } from "./AssetType.ts"
import type { FairnessRule, Turnout } from "./Fairness.ts"
import type { Median } from "./Median.ts"
import type { OrderState } from "./Order.ts"
import type { OrderTerms } from "./OrderTerms.ts"
import type { OrderFacts } from "./OrderLifecycle.ts"

/** Who can tell what an order must know; `Failure` is a world that does not answer now. */
export interface FactsWorld<Failure> {
  readonly rule: FairnessRule
  /** The recorded medians of an asset from a time on, ascending. */
  readonly medians: (asset: string, from: number) => Effect.Effect<ReadonlyArray<Median>, Failure>
  /** A median of an order's asset with the order's own price. */
  readonly priced: (terms: OrderTerms, median: Median) => Median
  readonly breakers: {
    readonly wasHalted: (assetType: AssetType, at: number) => boolean
    readonly isLatched: () => boolean
  }
  readonly machines: {
    /** Owners with an active machine trader of the asset type at any moment of [from, to). */
    readonly activeOwners: (
      assetType: AssetType,
      from: number,
      to: number
    ) => Effect.Effect<ReadonlySet<string>, Failure>
    /** Machine traders of the asset type that are active now. */
    readonly capableCount: (assetType: AssetType) => Effect.Effect<number, Failure>
    /** By owner: of the recent orders expired `until` then that its machines could commit to, to how many they did. */
    readonly turnout: (assetType: AssetType, until: number) => Effect.Effect<ReadonlyMap<string, Turnout>, Failure>
  }
  readonly keys: {
    readonly tieKey: (orderId: string) => string
    readonly tieHash: (tieKey: string, owner: string) => string
  }
  /** What collateral earned between two times; one for each settlement. */
  readonly accrual: () => (collateral: Amount, from: number, to: number) => Amount
}

/** Whether a step of an order can be due at all: false saves gathering the facts. */
export const mayBeDue = ({ status, choice, terms }: OrderState, now: number): boolean =>
  status !== "settled" &&
  now >= terms.expiryAt &&
  (status !== "settling" || choice === null || choice.winner === null || now >= terms.settlementAt)

/** Gathers what an order must know of the world to take its next step. */
export const gatherFacts = Effect.fnUntraced(function* <Failure>(
  { accrual, breakers, keys, machines, medians, priced, rule }: FactsWorld<Failure>,
  { commitments, terms }: OrderState,
  now: number
): Effect.fn.Return<OrderFacts, Failure> {
  const { asset, assetType, expiryAt, openedAt, orderId } = terms
  const recorded = yield* medians(asset, expiryAt)
  const committed = new Set<string>()
  for (const { trader } of commitments.values()) if (trader.botId !== null) committed.add(trader.botId)
  const tieKey = keys.tieKey(orderId)
  return {
    now,
    medians: recorded.map((median) => priced(terms, median)),
    haltedAtExpiry: breakers.wasHalted(assetType, expiryAt),
    settlementsHalted: breakers.isLatched(),
    machineOwners: yield* machines.activeOwners(assetType, openedAt, expiryAt),
    rule,
    register: {
      assetType,
      capable: yield* machines.capableCount(assetType),
      committed: committed.size,
      turnout: rule === "turnout" ? yield* machines.turnout(assetType, expiryAt) : new Map()
    },
    tieKey,
    tieHash: (owner) => keys.tieHash(tieKey, owner),
    accrued: accrual()
  }
})
