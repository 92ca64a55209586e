import { type Cause, Clock, Effect, Exit, Result } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { nextFound } from "../../engine/commerce/Arrears.ts"
import {
  linesOf,
  type OrderedItem,
  placementShortage,
  preconditionsOf,
  type Quote,
  stockIn
} from "../../engine/commerce/OrderPlacing.ts"
import { isOnCredit, type PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import { creditLimitOf, purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { type OrderParticulars } from "../../engine/commerce/PurchaseOrderTerms.ts"
import { place } from "../../engine/commerce/PurchaseOrderDecision.ts"
import {
  type CreditExceeded,
  CreditFrozen,
  type InvalidOrder,
  type ItemNotFound,
  type OutOfStock
} from "../../engine/commerce/PurchaseOrderError.ts"
import type { PurchaseOrderPlaced } from "../../engine/commerce/PurchaseOrderEvent.ts"
import { begun, type PurchaseRecord } from "../../engine/commerce/PurchaseRecord.ts"
import type { WrittenEntry } from "../../engine/journal/WrittenEntry.ts"
import type { InsufficientFunds } from "../../engine/ledger/Book.ts"
import { Credit } from "../credit/Credit.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, retryStale, tellEntry, type WriteRefusal, writeEntryTo } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
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

/** An order that is decided, and not written yet. */
interface Decided {
  readonly order: PurchaseRecord
  readonly written: WrittenEntry<PurchaseOrderPlaced>
}

/** Why an order is refused as it is decided and written. */
type PlacementRefused = ItemNotFound | InvalidOrder | OutOfStock | CreditExceeded | CreditFrozen | Unavailable

/** An order that was placed. */
export interface Placed {
  readonly order: PurchaseRecord
  /** The sequence of its event. */
  readonly seq: number
}

/**
 * What became of an order that began at once: an exit if it was placed, else what has to be waited for, as the reason of a
 * refusal or another attempt is.
 */
export type Begun = Effect.Effect<Placed, PlacementRefused>

const idsOf = ({ items }: NewOrder): ReadonlyArray<string> => items.map(({ productId }) => productId)

/**
 * Decides an order on quotes, on the condition that its products are as they were read, and that nobody has taken some names.
 */
const decide = (
  { by, kept, order, orderId }: Placing,
  quotes: ReadonlyMap<string, Quote>,
  unclaimed: ReadonlyArray<string>,
  at: number
): Result.Result<Decided, ItemNotFound | InvalidOrder> => {
  const { companyId, items, paymentTerms, ...particulars } = order
  const buyer = { companyId, creditLimit: creditLimitOf(by.userId) }
  const actor = { userId: by.userId, companyId, at }
  const lines = linesOf(by.companyId, items, quotes)
  if (Result.isFailure(lines)) return Result.fail(lines.failure)
  const purchase = { orderId, buyer, lines: lines.success, paymentTerms, ...particulars }
  return Result.map(place(purchase, actor, stockIn(quotes)), (entry) => {
    const placed = begun(entry.event)
    return {
      order: placed,
      written: {
        stream: purchaseOrderStream(orderId),
        version: 0,
        isNew: true,
        preconditions: preconditionsOf(quotes),
        unclaimed,
        entry: { ...entry, idempotency: idempotencyOf(kept, placed) }
      }
    }
  })
}

/** Who orders what, under which id, and what is kept for retries. */
interface Placing {
  readonly by: Trader
  readonly order: NewOrder
  readonly kept: KeptReply<PurchaseRecord> | undefined
  readonly orderId: string
}

/** Whether somebody orders for the own company, and pays before anything is delivered: nobody has to be asked whether that may be. */
const isOwnPrepaid = (by: Trader, { companyId, paymentTerms }: NewOrder): boolean =>
  companyId === by.companyId && !isOnCredit(paymentTerms)

/** Whether somebody may order so: for that company, and on such terms. */
const makePermitting = Effect.gen(function* () {
  const companies = yield* Companies
  const credit = yield* Credit
  const kyc = yield* KycRecords
  return Effect.fnUntraced(function* (by: Trader, { companyId, paymentTerms }: NewOrder) {
    if (companyId !== by.companyId && !(yield* companies.mayBuyFor(by.companyId, companyId))) {
      return yield* new BuyerNotFound({ companyId })
    }
    if (!isOnCredit(paymentTerms)) return
    if (!(yield* kyc.isVerified(by.userId))) return yield* new KycRequired({ userId: by.userId })
    yield* credit.prepare(by.userId)
  })
})

/**
 * Attempts an order, anew while a price changes meanwhile. `told`: what became of an attempt that was made already, and that
 * the journal did not take.
 */
const makeAttempting = Effect.gen(function* () {
  const pricing = yield* Pricing
  const repository = yield* PurchaseOrderRepository
  const credit = yield* Credit
  const journal = yield* UnitOfWork

  /** What is missing: pieces of a product, or credit. */
  const missing = Effect.fnUntraced(function* (short: InsufficientFunds) {
    const free = yield* repository.available(short.account)
    return yield* placementShortage(short, free)
  })

  const forget = (order: NewOrder): void => {
    for (const id of idsOf(order)) pricing.forgetProduct(id)
  }

  /**
   * What says that nothing more is found overdue of the company that buys, nor of the one whose user's limit is used: of
   * neither anything is now.
   */
  const clear = Effect.fnUntraced(function* ({ by, order }: Placing) {
    const names: Array<string> = []
    for (const companyId of new Set([order.companyId, by.companyId])) {
      const arrears = yield* credit.arrears(companyId)
      const { first, others, owed } = arrears
      if (first !== undefined) return yield* new CreditFrozen({ first, others, owed })
      names.push(nextFound(arrears))
    }
    return names
  })

  /** Reads, decides and writes. */
  const attempt = Effect.fnUntraced(function* (placing: Placing) {
    const { companyId } = placing.order
    const ids = idsOf(placing.order)
    const quotes = pricing.known(companyId, ids) ?? (yield* pricing.quotes(companyId, ids))
    const unclaimed = isOnCredit(placing.order.paymentTerms) ? yield* clear(placing) : []
    const decided = decide(placing, quotes, unclaimed, yield* Clock.currentTimeMillis)
    const { order, written } = yield* Effect.fromResult(decided)
    const { seq } = yield* writeEntryTo(journal, written)
    return { order, seq }
  })

  return (placing: Placing, told?: Cause.Cause<WriteRefusal>): Begun => {
    let before = told
    const next = Effect.suspend(() => {
      const cause = before
      before = undefined
      return cause === undefined ? attempt(placing) : Effect.failCause(cause)
    })
    return next.pipe(
      Effect.tapErrorTag("StaleVersion", () => Effect.sync(() => forget(placing.order))),
      retryStale,
      Effect.catchTag("InsufficientFunds", missing),
      dieOnRefusal
    )
  }
})

/** What places orders, in a fiber or without. */
export const makePlacing = Effect.gen(function* () {
  const { known } = yield* Pricing
  const permitted = yield* makePermitting
  const attempted = yield* makeAttempting
  const journal = yield* UnitOfWork
  const clock = yield* Clock.Clock
  const newId = yield* Identifier.making("pur")

  return {
    /**
     * Decides an order on the prices of now and writes it on the condition that its products are as they were read: a price
     * that changes meanwhile is read again. On credit also on the condition that nothing of the company is overdue.
     */
    place: Effect.fnUntraced(function* (by: Trader, order: NewOrder, kept: KeptReply<PurchaseRecord> | undefined) {
      if (!isOwnPrepaid(by, order)) yield* permitted(by, order)
      return (yield* attempted({ by, order, kept, orderId: newId() })).order
    }),
    /**
     * The same without a fiber: begins at once, and has what says its outcome given to a function, once, which must not throw.
     * False where something has to be read first, or refused: then nothing was done.
     */
    begin: (
      by: Trader,
      order: NewOrder,
      kept: KeptReply<PurchaseRecord> | undefined,
      give: (begun: () => Begun) => void
    ): boolean => {
      const quotes = isOwnPrepaid(by, order) ? known(order.companyId, idsOf(order)) : undefined
      if (quotes === undefined) return false
      const placing = { by, order, kept, orderId: newId() }
      const decided = decide(placing, quotes, [], clock.currentTimeMillisUnsafe())
      if (Result.isFailure(decided)) return false
      const { order: placed, written } = decided.success
      const outcomeOf = (recorded: Exit.Exit<Recorded<PurchaseOrderPlaced>, WriteRefusal>): Begun =>
        Exit.isSuccess(recorded)
          ? Exit.succeed({ order: placed, seq: recorded.value.seq })
          : attempted(placing, recorded.cause)
      tellEntry(journal, written, (recorded) => give(() => outcomeOf(recorded())))
      return true
    }
  }
})
