import { Clock, Effect, Result } from "effect"
import type { Precondition } from "../../engine/actor/Journal.ts"
import { isOnCredit, type PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import { creditLimitOf, purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { type OrderLine, type OrderParticulars } from "../../engine/commerce/PurchaseOrderTerms.ts"
import { place } from "../../engine/commerce/PurchaseOrderDecision.ts"
import { InvalidOrder } from "../../engine/commerce/PurchaseOrderError.ts"
import { begun, type PurchaseRecord } from "../../engine/commerce/PurchaseRecord.ts"
import { countOf, stockOf } from "../../engine/commerce/Stock.ts"
import { type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import type { InsufficientFunds } from "../../engine/ledger/Book.ts"
import { Credit } from "../credit/Credit.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import * as Identifier from "../Identifier.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { KycRecords } from "../identity/KycRecords.ts"
import { BuyerNotFound, CreditExceeded, ItemNotFound, KycRequired, OutOfStock } from "./CommerceError.ts"
import { idempotencyOf, type KeptReply } from "./KeptReply.ts"
import { Pricing, type Quote } from "./Pricing.ts"
import type { Trader } from "./Products.ts"
import { PurchaseOrderRepository } from "./PurchaseOrderRepository.ts"

/** What somebody orders. */
export interface NewOrder extends OrderParticulars {
  /** The company that buys. */
  readonly companyId: string
  readonly items: ReadonlyArray<{ readonly productId: string; readonly quantity: number }>
  readonly paymentTerms: PaymentTerms
}

/** Whether somebody may order so: for that company, and on such terms. */
const permitted = Effect.fnUntraced(function* (by: Trader, { companyId, paymentTerms }: NewOrder) {
  const companies = yield* Companies
  if (companyId !== by.companyId && !(yield* companies.mayBuyFor(by.companyId, companyId))) {
    return yield* new BuyerNotFound({ companyId })
  }
  if (!isOnCredit(paymentTerms)) return
  if (!(yield* (yield* KycRecords).isVerified(by.userId))) return yield* new KycRequired({ userId: by.userId })
  yield* (yield* Credit).prepare(by.userId)
})

/** The lines at the prices of now. Nobody buys of the company that it buys for or acts for. */
const linesOf = (
  by: Trader,
  items: NewOrder["items"],
  quotes: ReadonlyMap<string, Quote>
): Result.Result<ReadonlyArray<OrderLine>, ItemNotFound | InvalidOrder> => {
  const lines: Array<OrderLine> = []
  for (const [index, { productId, quantity }] of items.entries()) {
    const quote = quotes.get(productId)
    if (quote === undefined) return Result.fail(new ItemNotFound({ productId, index }))
    const { price, product } = quote
    if (product.companyId === by.companyId) {
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

const preconditionsOf = (quotes: ReadonlyMap<string, Quote>): ReadonlyArray<Precondition> =>
  Array.from(quotes.values(), ({ product }) => product)

/** The account of a product's pieces, which is known by name. */
const stockIn =
  (quotes: ReadonlyMap<string, Quote>) =>
  (sellerId: string, productId: string): AccountId =>
    quotes.get(productId)?.product.stock ?? stockOf(sellerId, productId)

/** What is missing: pieces of a product, or credit. */
const missing = Effect.fnUntraced(function* ({ account }: InsufficientFunds) {
  const { asset, kind } = accountParts(account)
  const free = yield* Effect.flatMap(PurchaseOrderRepository, (repository) => repository.available(account))
  if (kind === "credit_limit") return yield* new CreditExceeded({ free })
  return yield* new OutOfStock({ productId: asset.slice(asset.indexOf(":") + 1), left: countOf(free) })
})

/**
 * Decides an order on the prices of now and writes it on the condition that its products are as they were read: a price
 * that changes meanwhile is read again.
 */
export const placeOrder = Effect.fnUntraced(function* (
  by: Trader,
  order: NewOrder,
  kept: KeptReply<PurchaseRecord> | undefined
) {
  if (order.companyId !== by.companyId || isOnCredit(order.paymentTerms)) yield* permitted(by, order)
  const pricing = yield* Pricing
  const orderId = yield* Identifier.make("pur")
  const { companyId, items, paymentTerms, ...particulars } = order
  const ids = items.map(({ productId }) => productId)
  const attempt = Effect.gen(function* () {
    const quotes = pricing.known(companyId, ids) ?? (yield* pricing.quotes(companyId, ids))
    const lines = yield* Effect.fromResult(linesOf(by, items, quotes))
    const buyer = { companyId, creditLimit: creditLimitOf(by.userId) }
    const actor = { userId: by.userId, companyId, at: yield* Clock.currentTimeMillis }
    const entry = yield* Effect.fromResult(
      place({ orderId, buyer, lines, paymentTerms, ...particulars }, actor, stockIn(quotes))
    )
    const placed = begun(entry.event)
    const idempotency = idempotencyOf(kept, placed)
    yield* writeEntry({
      stream: purchaseOrderStream(orderId),
      version: 0,
      isNew: true,
      preconditions: preconditionsOf(quotes),
      entry: { ...entry, idempotency }
    })
    return placed
  })
  const forgotten = Effect.sync(() => {
    for (const id of ids) pricing.forgetProduct(id)
  })
  return yield* attempt.pipe(
    Effect.tapErrorTag("StaleVersion", () => forgotten),
    retryStale,
    Effect.catchTag("InsufficientFunds", missing),
    dieOnRefusal
  )
})
