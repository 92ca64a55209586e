import { NaiveMarket, type PaperOffer, totalOf } from "../NaiveMarket.ts"
import { PaperMoney } from "./PaperMoney.ts"
import { PARTIES, type Name, PRODUCTS, type Terms } from "./PlatformCommands.ts"

const CENT = 10_000n

/** Of one seller's part: what rounding leaves is on the first one. */
const instalmentsOf = (total: bigint, terms: Terms): Array<bigint> => {
  if (terms.type !== "installments") return [total]
  const each = (total / (BigInt(terms.installments) * CENT)) * CENT
  return Array.from({ length: terms.installments }, (_, index) =>
    index === 0 ? total - each * BigInt(terms.installments - 1) : each
  )
}

/** The platform on paper: what everybody has, owes, sells and has sent, by sums alone. */
export class PlatformPaper {
  readonly money = new PaperMoney()
  readonly limits = new Map<string, bigint>(PARTIES.map((name) => [name, 0n]))
  /** Pieces that are not sold to subscribers. */
  readonly stock = new Map<string, number>(PRODUCTS.map(({ name, pieces }) => [name, pieces]))
  readonly market = new NaiveMarket(this.stock, this.limits)
  /** Ids of what sellers gave back. */
  readonly refunds = new Set<string>()
  /** Bodies of transfers by sender and its id for them. */
  readonly sent = new Map<string, string>()
  readonly #parts = new Map<string, Map<string, bigint>>()
  readonly #spent = new Map<string, bigint>()

  /** What an order took out of the buyer's wallet, given back or not. */
  spentOn(id: string): bigint {
    return this.#spent.get(id) ?? 0n
  }

  spend(id: string, amount: bigint): void {
    this.#spent.set(id, amount)
  }

  /** What each seller got for an order, refunded or not. */
  partsOf(id: string): Map<string, bigint> {
    const parts = this.#parts.get(id) ?? new Map<string, bigint>()
    this.#parts.set(id, parts)
    return parts
  }

  /** What an order would be. */
  offer(buyer: Name, lines: ReadonlyArray<{ readonly product: number; readonly pieces: number }>, terms: Terms) {
    const bought = lines.flatMap(({ pieces, product }) => {
      const found = PRODUCTS[product]
      return found === undefined ? [] : [{ seller: found.seller, product: found.name, pieces, price: found.price }]
    })
    const sellers = [...Map.groupBy(bought, ({ seller }) => seller).values()]
    const parts = sellers.map((lines) => instalmentsOf(totalOf({ lines }), terms))
    const instalments = (parts[0] ?? []).map((_, index) => parts.reduce((sum, part) => sum + (part[index] ?? 0n), 0n))
    const onCredit = terms.type !== "prepaid"
    return { buyer, onCredit, lines: bought, instalments } satisfies PaperOffer
  }

  /** What a buyer owes on credit. */
  used(buyer: string): bigint {
    return [...this.market.orders.values()]
      .filter((order) => order.buyer === buyer && order.onCredit && !order.cancelled)
      .reduce((sum, order) => sum + totalOf(order) - order.paid, 0n)
  }

  /** Pieces of a product that orders have taken and that have not left. */
  reserved(product: string): number {
    return [...this.market.orders.values()]
      .filter(({ cancelled }) => !cancelled)
      .flatMap(({ delivered, lines }) =>
        lines.filter((line) => line.product === product && !delivered.has(line.seller))
      )
      .reduce((sum, { pieces }) => sum + pieces, 0)
  }
}
