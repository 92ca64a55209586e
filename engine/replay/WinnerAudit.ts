import type { ArenaEvent, Choice } from "../arena/ArenaEvent.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Commitment } from "../arena/Commitment.ts"
import type { MachineRegister } from "../arena/Fairness.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import { type Competition, compete } from "../arena/Winner.ts"
import { type Finding, findingAt, type StoredEvent } from "./StoredEvent.ts"

/** The hashes of an order's tie key. */
export interface TieHashing {
  /** SHA-256 of the key's bytes, in hex. */
  readonly tieKeyHash: (tieKey: string) => string
  /** SHA-256(tie key ‖ owner), in hex. */
  readonly tieHash: (tieKey: string, owner: string) => string
}

interface Audited {
  readonly terms: OrderTerms
  readonly commitments: Array<Commitment>
  choice: { readonly made: Choice; readonly event: StoredEvent } | undefined
}

/**
 * Recomputes every choice with the published key: the winner, its price and the whole ranking come from the commitments
 * as they were submitted, the recorded reference price and the owners that the choice names as machines.
 *
 * Under the rules `quorum` and `turnout`, whom the register of machines excluded is taken from the ranking.
 */
export class WinnerAudit {
  readonly #hashing: TieHashing
  readonly #live = new Map<string, Audited>()
  #recomputed = 0

  constructor(hashing: TieHashing) {
    this.#hashing = hashing
  }

  /** How many choices were recomputed and found as recorded. */
  get recomputed(): number {
    return this.#recomputed
  }

  /** How many choices still wait for their key. */
  get unpublished(): number {
    let waiting = 0
    for (const { choice } of this.#live.values()) if (choice !== undefined) waiting += 1
    return waiting
  }

  /** Takes an order's next event. A choice that its key does not bear out is named as the event that made it. */
  step(stored: StoredEvent, event: ArenaEvent): Finding | undefined {
    switch (event._tag) {
      case "OrderOpened":
        this.#live.set(event.terms.orderId, { terms: event.terms, commitments: [], choice: undefined })
        return undefined
      case "CommitmentSubmitted":
        this.#live.get(event.commitment.orderId)?.commitments.push(event.commitment)
        return undefined
      case "OrderClosed":
        return undefined
      case "WinnerChosen": {
        const order = this.#live.get(event.orderId)
        if (order !== undefined) order.choice = { made: event.choice, event: { ...stored, data: "" } }
        return undefined
      }
      case "OrderSettled":
      case "OrderVoided":
        return this.#publish(stored, event.orderId, event.tieKey)
    }
  }

  #publish(stored: StoredEvent, orderId: string, tieKey: string): Finding | undefined {
    const order = this.#live.get(orderId)
    this.#live.delete(orderId)
    if (order === undefined) return undefined
    if (this.#hashing.tieKeyHash(tieKey) !== order.terms.tieKeyHash) {
      return findingAt(stored, "publishes another tie key than the one promised at the opening")
    }
    if (order.choice === undefined) return undefined
    const { made, event } = order.choice
    const problem = whyNot(
      made,
      recompute(order, made, (owner) => this.#hashing.tieHash(tieKey, owner))
    )
    if (problem !== undefined) return findingAt(event, problem)
    this.#recomputed += 1
    return undefined
  }
}

const recompute = ({ terms, commitments }: Audited, choice: Choice, tieHash: (owner: string) => string): Competition =>
  compete({
    terms,
    reference: choice.reference,
    commitments,
    machineOwners: new Set(choice.fairness.machineOwners),
    rule: choice.fairness.rule,
    register: registerOf(terms.assetType, choice),
    tieHash
  })

/** What the register of machines must have been for the numbers and exclusions that a choice recorded. */
export const registerOf = (assetType: AssetType, { fairness, ranking }: Choice): MachineRegister => {
  const excluded = new Set(ranking.flatMap(({ owner, reason }) => (reason === "ARENA_007" ? [owner] : [])))
  return {
    assetType,
    capable: Number(fairness.total),
    committed: Number(fairness.machines),
    turnout: new Map(
      fairness.machineOwners.map((owner) => [owner, { orders: 1, committed: excluded.has(owner) ? 0 : 1 }])
    )
  }
}

const whyNot = (made: Choice, found: Competition): string | undefined => {
  const [chosen, computed] = [shown(made), shown(found)]
  if (chosen !== computed) return `chose ${chosen}; recomputed with the published key it is ${computed}`
  const place = found.ranking.findIndex((standing, index) => {
    const recorded = made.ranking[index]
    return (
      recorded?.commitmentId !== standing.commitmentId ||
      recorded.owner !== standing.owner ||
      recorded.score !== standing.score ||
      recorded.reason !== standing.reason
    )
  })
  if (place >= 0 || made.ranking.length !== found.ranking.length) {
    return `ranks ${place < 0 ? "a commitment too many" : `another commitment at place ${place + 1}`} than its key does`
  }
  const { machines, total } = found.fairness
  return machines === made.fairness.machines && total === made.fairness.total
    ? undefined
    : `weighs machines as ${made.fairness.machines} of ${made.fairness.total}; recomputed they are ${machines} of ${total}`
}

const shown = ({ winner, clearingPrice }: { winner: string | null; clearingPrice: bigint | null }): string =>
  winner === null ? "no winner" : `${winner} at ${clearingPrice} (10⁻⁶ USD)`
