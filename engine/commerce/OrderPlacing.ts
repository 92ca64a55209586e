/** An order from what a buyer asks for to its lines, and what it means that something is missing. */

import { Result } from "effect"
import type { Precondition } from "../actor/Journal.ts"
import { type AccountId, accountParts } from "../ledger/Account.ts"
import type { InsufficientFunds } from "../ledger/Book.ts"
import type { Amount } from "../money/Amount.ts"
import type { Product } from "./Product.ts"
import {
  CreditExceeded,
  InvalidOrder,
  ItemNotFound,
  OutOfStock,
  RefundShort,
  WalletShort
} from "./PurchaseOrderError.ts"
import type { OrderLine } from "./PurchaseOrderTerms.ts"
import { countOf, stockOf } from "./Stock.ts"

/** What a quote tells of a product. */
export interface QuotedProduct extends Pick<Product, "productId" | "companyId" | "userId" | "price" | "version"> {
  readonly stream: string
  /** Where it is paid. */
  readonly takings: AccountId
  /** Its pieces. */
  readonly stock: AccountId
}

/** What a customer pays for a product now. */
export interface Quote {
  readonly product: QuotedProduct
  readonly price: Amount
}

/** What somebody orders of one product. */
export interface OrderedItem {
  readonly productId: string
  readonly quantity: number
}

/**
 * The lines at the prices of now. Nobody buys of the company that it buys for or acts for.
 *
 * @param acting - the company of whoever orders
 */
export const linesOf = (
  acting: string,
  items: ReadonlyArray<OrderedItem>,
  quotes: ReadonlyMap<string, Quote>
): Result.Result<ReadonlyArray<OrderLine>, ItemNotFound | InvalidOrder> => {
  const lines: Array<OrderLine> = []
  for (const [index, { productId, quantity }] of items.entries()) {
    const quote = quotes.get(productId)
    if (quote === undefined) return Result.fail(new ItemNotFound({ productId, index }))
    const { price, product } = quote
    if (product.companyId === acting) {
      return Result.fail(
        new InvalidOrder({ field: `items.${index}.product_id`, expected: "a product of another company" })
      )
    }
    lines.push({
      productId,
      sellerId: product.companyId,
      wallet: product.takings,
      quantity,
      unitPrice: price
    })
  }
  return Result.succeed(lines)
}

/** That the products are as they were read. */
export const preconditionsOf = (quotes: ReadonlyMap<string, Quote>): ReadonlyArray<Precondition> =>
  Array.from(quotes.values(), ({ product }) => product)

/** The account of a product's pieces, which is known by name. */
export const stockIn =
  (quotes: ReadonlyMap<string, Quote>) =>
  (sellerId: string, productId: string): AccountId =>
    quotes.get(productId)?.product.stock ?? stockOf(sellerId, productId)

/**
 * What an order is refused for that the ledger refuses: pieces of a product, or credit.
 *
 * @param free - what is available of the account now
 */
export const placementShortage = (
  { account }: Pick<InsufficientFunds, "account">,
  free: Amount
): OutOfStock | CreditExceeded => {
  const { asset, kind } = accountParts(account)
  if (kind === "credit_limit") return new CreditExceeded({ free })
  return new OutOfStock({ productId: asset.slice(asset.indexOf(":") + 1), left: countOf(free) })
}

/** What a payment is refused for that the ledger refuses. */
export const paymentShortage = ({ available, needed }: InsufficientFunds): WalletShort =>
  new WalletShort({ available, needed })

/** What a cancellation is refused for that the ledger refuses. */
export const refundShortage = ({ account }: InsufficientFunds): RefundShort =>
  new RefundShort({ sellerWallet: account })
