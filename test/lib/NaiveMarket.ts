/** What of an order a buyer or a seller could write down on paper, in units of 10⁻⁶. */
interface PaperOrder {
  readonly buyer: string
  readonly onCredit: boolean
  readonly lines: ReadonlyArray<{
    readonly seller: string
    readonly product: string
    readonly pieces: number
    readonly price: bigint
  }>
  readonly instalments: Array<bigint>
  readonly delivered: Set<string>
  paid: bigint
  cancelled: boolean
}

/** An order that is to be placed. */
export type PaperOffer = Omit<PaperOrder, "delivered" | "paid" | "cancelled">

export type Answer = "done" | "short" | "refused"

/** The market's rules on paper: sums over everything that ever happened, without holds, streams or versions. */
export class NaiveMarket {
  readonly orders = new Map<string, PaperOrder>()
  readonly stock: ReadonlyMap<string, number>
  readonly limits: ReadonlyMap<string, bigint>

  constructor(stock: ReadonlyMap<string, number>, limits: ReadonlyMap<string, bigint>) {
    this.stock = stock
    this.limits = limits
  }

  /** Pieces of a product that can still be sold. */
  free(product: string): number {
    const taken = this.#live()
      .flatMap(({ lines }) => lines)
      .filter((line) => line.product === product)
    return (this.stock.get(product) ?? 0) - taken.reduce((sum, { pieces }) => sum + pieces, 0)
  }

  /** What a buyer may still owe. */
  credit(buyer: string): bigint {
    const owing = this.#live().filter((order) => order.buyer === buyer && order.onCredit)
    return (this.limits.get(buyer) ?? 0n) - owing.reduce((sum, order) => sum + totalOf(order) - order.paid, 0n)
  }

  /** Whether there is enough stock and credit for an order. */
  canPlace(order: PaperOffer): Answer {
    const wanted = new Map<string, number>()
    for (const { pieces, product } of order.lines) wanted.set(product, (wanted.get(product) ?? 0) + pieces)
    for (const [product, pieces] of wanted) if (pieces > this.free(product)) return "short"
    return order.onCredit && totalOf(order) > this.credit(order.buyer) ? "short" : "done"
  }

  place(id: string, order: PaperOffer): Answer {
    const answer = this.canPlace(order)
    if (answer === "done") this.orders.set(id, { ...order, delivered: new Set<string>(), paid: 0n, cancelled: false })
    return answer
  }

  /** What the next payment, or all of them, would cost; undefined where nothing is owed. */
  owed(id: string, extent: "next" | "all"): bigint | undefined {
    const order = this.orders.get(id)
    if (order === undefined || order.cancelled || order.instalments.length === 0) return undefined
    const covered = extent === "next" ? order.instalments.slice(0, 1) : order.instalments
    return covered.reduce((sum, amount) => sum + amount, 0n)
  }

  paid(id: string, amount: bigint, extent: "next" | "all"): void {
    const order = this.orders.get(id)
    if (order === undefined) return
    order.paid += amount
    order.instalments.splice(0, extent === "next" ? 1 : order.instalments.length)
  }

  fulfil(id: string, seller: string): Answer {
    const order = this.orders.get(id)
    if (order === undefined || order.cancelled || order.delivered.has(seller)) return "refused"
    if (!order.lines.some((line) => line.seller === seller)) return "refused"
    if (!order.onCredit && order.paid < totalOf(order)) return "refused"
    order.delivered.add(seller)
    return "done"
  }

  mayCancel(id: string, company: string): boolean {
    const order = this.orders.get(id)
    if (order === undefined || order.cancelled || order.delivered.size > 0) return false
    return order.buyer === company || order.lines.some(({ seller }) => seller === company)
  }

  cancelled(id: string): void {
    const order = this.orders.get(id)
    if (order !== undefined) order.cancelled = true
  }

  #live(): ReadonlyArray<PaperOrder> {
    return [...this.orders.values()].filter(({ cancelled }) => !cancelled)
  }
}

export const totalOf = ({ lines }: Pick<PaperOrder, "lines">): bigint =>
  lines.reduce((sum, { pieces, price }) => sum + price * BigInt(pieces), 0n)
