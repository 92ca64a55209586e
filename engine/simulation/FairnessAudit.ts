import type { AssetType } from "../arena/AssetType.ts"
import type { FairnessRule } from "../arena/Fairness.ts"
import type { NaiveCommitment, NaiveOrder } from "./NaiveOrder.ts"

/** How many of the last orders that an owner's machines could take part in, and in how many they did. */
export interface NaiveTurnout {
  readonly orders: number
  readonly committed: number
}

/** What the 3/4 rule is judged by. */
export interface FairnessEvidence {
  readonly rule: FairnessRule
  /** Machine traders that may trade. */
  readonly machines: number
  /** By owner. */
  readonly turnout: ReadonlyMap<string, NaiveTurnout>
}

export interface NaiveFairness {
  readonly machines: bigint
  readonly total: bigint
  /** Machines' owners among the eligible, ascending. */
  readonly machineOwners: ReadonlyArray<string>
  /** Owners that may not win. */
  readonly barred: ReadonlySet<string>
}

const RECENT = 20

/**
 * The 3/4 rule in its three readings, told again: machines are barred where fewer than three of four parts are theirs,
 * which is where theirs are less than three times the rest.
 */
export const naiveFairness = (
  order: NaiveOrder,
  eligible: ReadonlyArray<NaiveCommitment>,
  isMachine: ReadonlySet<string>,
  { rule, machines, turnout }: FairnessEvidence
): NaiveFairness => {
  const weights = new Map<string, bigint>()
  for (const { owner, collateral } of eligible) {
    if (collateral > (weights.get(owner) ?? 0n)) weights.set(owner, collateral)
  }
  const owners = [...weights.keys()].filter((owner) => isMachine.has(owner)).toSorted()
  const hasHumans = owners.length < weights.size
  const told = (ours: bigint, total: bigint, barred: ReadonlyArray<string>): NaiveFairness => ({
    machines: ours,
    total,
    machineOwners: owners,
    barred: new Set(hasHumans ? barred : [])
  })
  switch (rule) {
    case "weighted": {
      let ours = 0n
      let humans = 0n
      for (const [owner, weight] of weights) {
        if (isMachine.has(owner)) ours += weight
        else humans += weight
      }
      return told(ours, ours + humans, ours < 3n * humans ? owners : [])
    }
    case "quorum": {
      const bots = new Set<string>()
      for (const { bot } of order.commitments.values()) if (bot !== null) bots.add(bot)
      const absent = machines - bots.size
      return told(BigInt(bots.size), BigInt(machines), bots.size < 3 * absent ? owners : [])
    }
    case "turnout": {
      const idle = owners.filter((owner) => {
        const { orders, committed } = turnout.get(owner) ?? { orders: 0, committed: 0 }
        return committed < 3 * (orders - committed)
      })
      const some = hasHumans ? idle : []
      return told(BigInt(owners.length - some.length), BigInt(owners.length), some)
    }
  }
}

/**
 * The turnout of machines: of the last twenty orders of a type that had expired by then, in how many an owner had a machine that
 * could take part, and in how many of these it did.
 */
export const naiveTurnout = (
  orders: Iterable<NaiveOrder>,
  assetType: AssetType,
  until: number,
  ownersOf: (order: NaiveOrder) => Iterable<string>
): ReadonlyMap<string, NaiveTurnout> => {
  const expired: Array<NaiveOrder> = []
  for (const order of orders) {
    if (order.terms.expiryAt <= until && order.terms.assetType === assetType) expired.push(order)
  }
  expired.sort((one, other) => other.terms.openedAt - one.terms.openedAt || (one.id < other.id ? -1 : 1))
  const turnout = new Map<string, NaiveTurnout>()
  for (const order of expired.slice(0, RECENT)) {
    const there = new Set<string>()
    for (const { bot, owner } of order.commitments.values()) if (bot !== null) there.add(owner)
    for (const owner of new Set(ownersOf(order))) {
      const { committed, orders: counted } = turnout.get(owner) ?? { orders: 0, committed: 0 }
      turnout.set(owner, { orders: counted + 1, committed: committed + (there.has(owner) ? 1 : 0) })
    }
  }
  return turnout
}
