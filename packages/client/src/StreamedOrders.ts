import type { CompleteEvent } from "./StreamProgress.ts"
import type { Order, SequencedFrame } from "./WireFrame.ts"

/** Settled orders that are kept beside the live ones; the one settled first makes room. */
export const MAX_SETTLED_ORDERS = 1_000

type Commitment = Order["commitments"][number]

interface Entry {
  order: Omit<Order, "commitments">
  /** As they came. */
  readonly commitments: Map<string, Commitment>
}

const detail = ({ commitments, order }: Entry): Order => ({
  ...order,
  commitments: [...commitments.values()].toSorted((one, other) =>
    one.rank === other.rank ? 0 : (one.rank ?? Infinity) - (other.rank ?? Infinity)
  )
})

const entryOf = ({ commitments, ...order }: Order): Entry => ({
  order,
  commitments: new Map(commitments.map((commitment) => [commitment.commitment_id, commitment]))
})

/** The arena's orders, from a snapshot and the events after it. */
export class StreamedOrders {
  readonly #entries = new Map<string, Entry>()
  readonly #settled = new Set<string>()

  /** Begins anew. */
  replace(orders: ReadonlyArray<Order>): void {
    this.#entries.clear()
    this.#settled.clear()
    for (const order of orders) {
      this.#entries.set(order.order_id, entryOf(order))
      this.#retire(order)
    }
  }

  apply({ frames }: CompleteEvent): void {
    for (const frame of frames) this.#apply(frame)
  }

  /** One order, as its REST detail shows it. */
  get(orderId: string): Order | undefined {
    const entry = this.#entries.get(orderId)
    return entry === undefined ? undefined : detail(entry)
  }

  /** All of them, by id. */
  all(): ReadonlyMap<string, Order> {
    return new Map([...this.#entries].map(([id, entry]) => [id, detail(entry)]))
  }

  #apply(frame: SequencedFrame): void {
    if (frame.type === "order_updated") {
      const entry = this.#entries.get(frame.data.order_id)
      if (entry === undefined) this.#entries.set(frame.data.order_id, { order: frame.data, commitments: new Map() })
      else entry.order = frame.data
      this.#retire(frame.data)
    } else if (frame.type === "commitment_updated") {
      const { order_id: id, ...commitment } = frame.data
      this.#entries.get(id)?.commitments.set(commitment.commitment_id, commitment)
    }
  }

  #retire({ order_id: id, status }: Pick<Order, "order_id" | "status">): void {
    if (status !== "settled") return
    this.#settled.add(id)
    if (this.#settled.size <= MAX_SETTLED_ORDERS) return
    const [first] = this.#settled
    if (first === undefined) return
    this.#settled.delete(first)
    this.#entries.delete(first)
  }
}
