import { encodeEvent } from "../actor/EventChain.ts"
import type { Recorded } from "../actor/Journal.ts"
import { add, set, type TableRow } from "../journal/TableRow.ts"
import type {
  ArenaEvent,
  CommitmentSubmitted,
  CommitmentYield,
  OrderSettled,
  OrderVoided,
  WinnerChosen
} from "./ArenaEvent.ts"
import { opened } from "./Order.ts"
import { commitmentRow, orderRow } from "./OrderRows.ts"

/** A commitment whose collateral is locked. */
export interface LockedCommitment {
  readonly collateral: bigint
  readonly hasWon: boolean
}

/** Locked commitments by their order, then by their id. */
export type LockedCommitments = ReadonlyMap<string, ReadonlyMap<string, LockedCommitment>>

/** The vault's running totals, in 10⁻⁶ USD. */
export interface VaultTotals {
  /** All that was ever earned. */
  readonly generated: bigint
  /** The collateral of all locked commitments, and how many they are. */
  readonly locked: bigint
  readonly commitments: bigint
}

/** An event that frees collateral. */
type Freeing = WinnerChosen | OrderSettled | OrderVoided

const FREEING: Readonly<Record<Freeing["_tag"], true>> = { WinnerChosen: true, OrderSettled: true, OrderVoided: true }

/** The orders of which events free collateral: what they had locked must be known. */
export const freeingOrders = (events: Iterable<{ readonly _tag: string }>): ReadonlySet<string> => {
  const orders = new Set<string>()
  for (const event of events) if (Object.hasOwn(FREEING, event._tag)) orders.add((event as Freeing).orderId)
  return orders
}

/** Everything that the vault paid for commitments. */
const paidFor = (yields: ReadonlyArray<CommitmentYield>): bigint =>
  yields.reduce((sum, each) => sum + each.trader + each.insurance + each.platform + each.tokenHolders, 0n)

/** The row of the vault's totals. */
export const totalsRow = ({ commitments, generated, locked }: VaultTotals): TableRow =>
  set("arena_vault_totals", "true", {
    yield_generated: `${generated}`,
    collateral_locked: `${locked}`,
    active_commitments: `${commitments}`
  })

/** The rows of orders, commitments and the vault's totals, event by event. */
export class ArenaRows {
  readonly #locked: Map<string, Map<string, LockedCommitment>>
  #totals: VaultTotals

  /** @param locked - of each order that {@link freeingOrders} names, what it has locked before the first event */
  constructor(totals: VaultTotals, locked: LockedCommitments) {
    this.#totals = totals
    this.#locked = new Map([...locked].map(([orderId, commitments]) => [orderId, new Map(commitments)]))
  }

  /** The vault's totals after the events that were taken. */
  get totals(): VaultTotals {
    return this.#totals
  }

  /** What the next event makes of the rows of orders and commitments. */
  take(recorded: Recorded<ArenaEvent>): ReadonlyArray<TableRow> {
    const { event } = recorded
    switch (event._tag) {
      case "OrderOpened":
        return [add(orderRow({ state: opened(event.terms), submitted: new Map(), ending: undefined }))]
      case "CommitmentSubmitted":
        return this.#submit(event, recorded)
      case "OrderClosed":
        return [set("arena_orders", event.orderId, { status: "settling" })]
      case "WinnerChosen":
        return this.#choose(event)
      case "OrderSettled":
        return this.#settle(event)
      case "OrderVoided":
        return this.#void(event)
    }
  }

  #submit({ commitment }: CommitmentSubmitted, { seq, version }: { readonly seq: number; readonly version: number }) {
    const { collateral, commitmentId, orderId } = commitment
    this.#locked.get(orderId)?.set(commitmentId, { collateral, hasWon: false })
    const { commitments, generated, locked } = this.#totals
    this.#totals = { generated, locked: locked + collateral, commitments: commitments + 1n }
    const row = add(commitmentRow(commitment, seq))
    // An order's first commitment is the event after its opening.
    return version === 2 ? [set("arena_orders", orderId, { status: "competing" }), row] : [row]
  }

  #choose({ choice, orderId, yields }: WinnerChosen): ReadonlyArray<TableRow> {
    const { clearingPrice, fairness, ranking, reference, referenceAt, winner } = choice
    const order = {
      reference_price: `${reference}`,
      reference_at: `${referenceAt}`,
      winner_commitment_id: winner,
      clearing_price: clearingPrice === null ? null : `${clearingPrice}`,
      fairness: encodeEvent(fairness)
    }
    const rows = ranking.map(({ commitmentId, reason, score }, place) =>
      set("arena_commitments", commitmentId, {
        status: commitmentId === winner ? "won" : "lost",
        reason,
        ranked: `${place + 1}`,
        score: `${score}`
      })
    )
    const freed = ranking.flatMap(({ commitmentId }) => (commitmentId === winner ? [] : [commitmentId]))
    const won = winner === null ? undefined : this.#locked.get(orderId)?.get(winner)
    if (winner !== null && won !== undefined) this.#locked.get(orderId)?.set(winner, { ...won, hasWon: true })
    return [set("arena_orders", orderId, order), ...rows, ...this.#free(orderId, freed, yields)]
  }

  #settle({ orderId, price, profit, tieKey, winner, yieldDistributed, yields }: OrderSettled): ReadonlyArray<TableRow> {
    const order = set("arena_orders", orderId, {
      status: "settled",
      tie_key: tieKey,
      profit: `${profit}`,
      settlement_price: price === null ? null : `${price}`,
      yield_distributed: `${yieldDistributed}`
    })
    if (winner === null) return [order]
    const { commitmentId } = winner
    return [
      order,
      set("arena_commitments", commitmentId, { status: "settled", profit: `${profit}` }),
      ...this.#free(orderId, [commitmentId], yields)
    ]
  }

  #void({ orderId, reason, tieKey, yieldDistributed, yields }: OrderVoided): ReadonlyArray<TableRow> {
    const order = set("arena_orders", orderId, {
      status: "settled",
      tie_key: tieKey,
      void_reason: reason,
      profit: "0",
      yield_distributed: `${yieldDistributed}`,
      winner_commitment_id: null,
      clearing_price: null
    })
    const locked = [...(this.#locked.get(orderId) ?? [])]
    const rows = locked.map(([commitmentId, { hasWon }]) =>
      set("arena_commitments", commitmentId, hasWon ? { status: "settled" } : { status: "lost", reason: "void" })
    )
    const freed = locked.map(([commitmentId]) => commitmentId)
    return [order, ...rows, ...this.#free(orderId, freed, yields)]
  }

  /** Takes commitments out of the totals, and adds what they earned. */
  #free(
    orderId: string,
    commitments: ReadonlyArray<string>,
    yields: ReadonlyArray<CommitmentYield>
  ): ReadonlyArray<TableRow> {
    const locked = this.#locked.get(orderId)
    let collateral = 0n
    for (const commitmentId of commitments) {
      const commitment = locked?.get(commitmentId)
      if (commitment === undefined) throw new TypeError(`${commitmentId} of ${orderId} is not locked`)
      collateral += commitment.collateral
      locked?.delete(commitmentId)
    }
    const before = this.#totals
    this.#totals = {
      generated: before.generated + paidFor(yields),
      locked: before.locked - collateral,
      commitments: before.commitments - BigInt(commitments.length)
    }
    return yields.map(({ commitmentId, trader }) =>
      set("arena_commitments", commitmentId, { yield_earned: `${trader}` })
    )
  }
}
