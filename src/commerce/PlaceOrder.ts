import { Clock, Effect } from "effect"
import {
  linesOf,
  type OrderedItem,
  placementShortage,
  preconditionsOf,
  stockIn
} from "../../engine/commerce/OrderPlacing.ts"
import { isOnCredit, type PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import { creditLimitOf, purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { type OrderParticulars } from "../../engine/commerce/PurchaseOrderTerms.ts"
import { place } from "../../engine/commerce/PurchaseOrderDecision.ts"
import { begun, type PurchaseRecord } from "../../engine/commerce/PurchaseRecord.ts"
import type { InsufficientFunds } from "../../engine/ledger/Book.ts"
import { Credit } from "../credit/Credit.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import * as Identifier from "../Identifier.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { KycRecords } from "../identity/KycRecords.ts"
import { BuyerNotFound, KycRequired } from "./CommerceError.ts"
import { idempotencyOf, type KeptReply } from "./KeptReply.ts"
import { Pricing } from "./Pricing.ts"
import type { Trader } from "./Products.ts"
import { PurchaseOrderRepository } from "./PurchaseOrderRepository.ts"

/** What somebody orders. */
export interface NewOrder extends OrderParticulars {
  /** The company that buys. */
  readonly companyId: string
  readonly items: ReadonlyArray<OrderedItem>
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

/** What is missing: pieces of a product, or credit. */
const missing = Effect.fnUntraced(function* (short: InsufficientFunds) {
  const free = yield* Effect.flatMap(PurchaseOrderRepository, (repository) => repository.available(short.account))
  return yield* placementShortage(short, free)
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
    const lines = yield* Effect.fromResult(linesOf(by.companyId, items, quotes))
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
