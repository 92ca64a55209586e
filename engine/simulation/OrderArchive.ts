import type { OrderSettled, OrderVoided } from "../arena/ArenaEvent.ts"
import { allowanceHold, collateralHold, type Commitment } from "../arena/Commitment.ts"
import { escrowHold, orderStream, type OrderState } from "../arena/Order.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { HistoryTables } from "./HistoryTables.ts"
import type { OrderProjection } from "./OrderProjection.ts"
import type { OrderRow } from "./SimulationResult.ts"
import { holdLine, orderLines, type StatePart, stateText } from "./StateText.ts"

/** What somebody's commitments came to. Amounts are in 10⁻⁶ USD. */
export interface CommitmentTally {
  commitments: number
  /** Those that were won. */
  wins: number
  profit: bigint
  yieldEarned: bigint
  collateral: bigint
}

/** Commitments added up by what they are told by; those that are told by nothing are left out. */
export class CommitmentTallies {
  readonly #tallies = new Map<string, CommitmentTally>()
  readonly #by: (one: Commitment) => string | null

  constructor(by: (one: Commitment) => string | null) {
    this.#by = by
  }

  add(one: Commitment): void {
    const by = this.#by(one)
    if (by === null) return
    const tally = this.of(by)
    tally.commitments += 1
    if (one.status === "won" || one.status === "settled") tally.wins += 1
    tally.profit += one.profit
    tally.yieldEarned += one.yieldEarned
    tally.collateral += one.collateral
  }

  of(name: string): CommitmentTally {
    const known = this.#tallies.get(name)
    if (known !== undefined) return known
    const tally = { commitments: 0, wins: 0, profit: 0n, yieldEarned: 0n, collateral: 0n }
    this.#tallies.set(name, tally)
    return tally
  }
}

/** The ledger's ids of all that is held for an order, those with one beginning together. */
const holdsOf = ({ commitments, terms: { orderId } }: OrderState): ReadonlyArray<ReadonlyArray<string>> => {
  const ids = [...commitments.keys()]
  return [
    [escrowHold(orderId, "offered")],
    [escrowHold(orderId, "sold")],
    ids.map(collateralHold),
    ids.map(allowanceHold)
  ]
}

/** Gives a text a smaller form, which the runtime brings, and answers how to get it back. */
export type TextCompression = (text: string) => () => string

export const UNCOMPRESSED: TextCompression = (text) => () => text

/** Characters below which a text stays as it is. */
const WORTH_COMPRESSING = 1_024

export interface ArchiveParts {
  readonly projection: OrderProjection
  readonly tables: () => HistoryTables
  /** What the actors in memory know, by order. */
  readonly actors: Map<string, OrderState>
  readonly rowOf: (state: OrderState, end: OrderSettled | OrderVoided | undefined) => OrderRow
  readonly compression: TextCompression
  /** Told of an order that is put away, and of what its actor knows if it is in memory. */
  readonly onRetired: (orderId: string, actor: OrderState | undefined) => void
}

/**
 * Puts the orders away that are history, so that a world with many of them takes what those of an hour do. It keeps what a
 * simulation tells of them at its end: their rows, their part of the final state, and what each trader's and each bot's
 * commitments came to.
 */
export class OrderArchive {
  readonly byTrader = new CommitmentTallies(({ trader }) => trader.userId)
  readonly byBot = new CommitmentTallies(({ trader }) => trader.botId)
  readonly #parts: ArchiveParts
  /** The orders that ended, and when, in milliseconds after the start: those that are not put away yet. */
  readonly #ended = new Map<string, number>()
  readonly #rows = new Map<string, OrderRow>()
  readonly #orderParts: Array<StatePart> = []
  readonly #holdParts: Array<StatePart> = []

  constructor(parts: ArchiveParts) {
    this.#parts = parts
  }

  /** Something was recorded, so many milliseconds after the start. */
  apply(event: PlatformEvent, at: number): void {
    if (event._tag === "OrderSettled" || event._tag === "OrderVoided") this.#ended.set(event.orderId, at)
  }

  /** Puts the orders away that ended up to a time in milliseconds after the start. One that is not at rest stays. */
  retire(until: number): void {
    for (const [orderId, endedAt] of this.#ended) {
      if (endedAt > until) return
      this.#ended.delete(orderId)
      this.#retire(orderId)
    }
  }

  #retire(orderId: string): void {
    const { actors, onRetired, projection, tables } = this.#parts
    const state = projection.orders.get(orderId)
    const actor = actors.get(orderId)
    if (state === undefined || (actor !== undefined && actor.status !== "settled")) return
    const holds = tables().retire(orderStream(orderId), state.version, holdsOf(state))
    if (holds === undefined) return
    this.#rows.set(orderId, this.#parts.rowOf(state, projection.ends.get(orderId)))
    this.#orderParts.push({ id: orderId, text: this.#kept(orderLines(state)) })
    for (const some of holds) {
      const [first, ...others] = some.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      if (first === undefined) continue
      // No other order's ids come between: all of these begin with the order's own.
      this.#holdParts.push({ id: first.id, text: this.#kept([first, ...others].map(holdLine).join("")) })
    }
    this.#count(state)
    onRetired(orderId, actor)
    projection.retire(orderId)
    actors.delete(orderId)
  }

  #kept(text: string): () => string {
    return (text.length < WORTH_COMPRESSING ? UNCOMPRESSED : this.#parts.compression)(text)
  }

  #count({ commitments }: OrderState): void {
    for (const one of commitments.values()) {
      this.byTrader.add(one)
      this.byBot.add(one)
    }
  }

  /** At the end: a row an order, those that were put away included. Counts the others' commitments too. */
  rows(): ReadonlyArray<OrderRow> {
    const { projection, rowOf } = this.#parts
    return Array.from(projection.orders, ([orderId, state]) => {
      const told = this.#rows.get(orderId)
      if (told === undefined) this.#count(state)
      return told ?? rowOf(state, projection.ends.get(orderId))
    })
  }

  /** At the end: the text of the final state, in pieces. */
  stateText(): Iterable<string> {
    const { accounts, holds } = this.#parts.tables()
    return stateText({
      accounts: accounts.values(),
      holds: Array.from(holds.values(), ({ value }) => value),
      orders: [...this.#parts.projection.orders.values()].filter(({ terms }) => !this.#rows.has(terms.orderId)),
      told: { holds: this.#holdParts, orders: this.#orderParts }
    })
  }
}
