import { Schema } from "effect"
import type { AssetType } from "./AssetType.ts"

/**
 * The readings of "machine traders need at least 75 % participation to win" (specification 4.3, rule 3).
 *
 * - `weighted`: among the eligible owners, each weighted by its largest eligible collateral, machines hold three
 *   quarters. A head count could be bought with dust.
 * - `quorum`: three quarters of the capable registered machines committed to this order.
 * - `turnout`: the machine itself committed to three quarters of the recent orders it was capable of.
 */
export const FAIRNESS_RULES = ["weighted", "quorum", "turnout"] as const

export type FairnessRule = (typeof FAIRNESS_RULES)[number]

/** Orders of an asset type that count as recent for a machine's turnout. */
export const RECENT_ORDERS = 20

/** One eligible owner's standing in the vote of an order. */
export interface Participant {
  readonly owner: string
  readonly machine: boolean
  /** The largest eligible collateral of the owner, in 10⁻⁶ USD. */
  readonly weight: bigint
}

/** How one machine trader took part in the recent orders of an asset type. */
export interface Turnout {
  readonly orders: number
  readonly committed: number
}

/** What the rules beyond the weighted one need to know of the registered machines. */
export interface MachineRegister {
  readonly assetType: AssetType
  /** Active machine traders capable of the asset type. */
  readonly capable: number
  /** How many of them committed to this order. */
  readonly committed: number
  /** By owner: its machines' turnout taken together. */
  readonly turnout: ReadonlyMap<string, Turnout>
}

/** The outcome of the rule for one order: numbers anybody can check. */
export const FairnessCount = Schema.Struct({
  rule: Schema.Literals(FAIRNESS_RULES),
  /** The part that machines hold, of `total`: collateral for `weighted`, a count otherwise. */
  machines: Schema.BigIntFromString,
  total: Schema.BigIntFromString,
  /** The eligible owners that count as machines, in the order of their ids. */
  machineOwners: Schema.Array(Schema.String)
})
export type FairnessCount = typeof FairnessCount.Type

/** The count, and whom it keeps from winning. */
export interface FairnessOutcome extends FairnessCount {
  /** Machine owners that may not win. */
  readonly excluded: ReadonlySet<string>
}

const reachesThreeQuarters = (part: bigint, total: bigint): boolean => 4n * part >= 3n * total

/**
 * Decides which machine owners the 3/4 rule keeps from winning. Human owners are never excluded, and where none takes
 * part nobody is.
 */
export const applyFairness = (
  rule: FairnessRule,
  participants: ReadonlyArray<Participant>,
  register: MachineRegister
): FairnessOutcome => {
  const machines = participants
    .filter((participant) => participant.machine)
    .map((participant) => participant.owner)
    .toSorted()
  const isContested = machines.length < participants.length
  switch (rule) {
    case "weighted": {
      const total = participants.reduce((sum, participant) => sum + participant.weight, 0n)
      const part = participants.reduce((sum, each) => sum + (each.machine ? each.weight : 0n), 0n)
      const excluded = new Set(reachesThreeQuarters(part, total) ? [] : machines)
      return { rule, machines: part, total, machineOwners: machines, excluded }
    }
    case "quorum": {
      const part = BigInt(register.committed)
      const total = BigInt(register.capable)
      const holds = !isContested || reachesThreeQuarters(part, total)
      return { rule, machines: part, total, machineOwners: machines, excluded: new Set(holds ? [] : machines) }
    }
    case "turnout": {
      const excluded = machines.filter((owner) => {
        if (!isContested) return false
        const { orders, committed } = register.turnout.get(owner) ?? { orders: 0, committed: 0 }
        return !reachesThreeQuarters(BigInt(committed), BigInt(orders))
      })
      return {
        rule,
        machines: BigInt(machines.length - excluded.length),
        total: BigInt(machines.length),
        machineOwners: machines,
        excluded: new Set(excluded)
      }
    }
  }
}
