/** Decides on purchase orders: placing, paying, fulfilling and cancelling. */

import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { AccountId } from "../ledger/Account.ts"
import { type Amount, fromUnits, MAX, ZERO } from "../money/Amount.ts"
import { apportion } from "./Apportionment.ts"
import { smallestTotal } from "./InstalmentSchedule.ts"
import { isOnCredit, type PaymentTerms } from "./PaymentTerms.ts"
import { fulfilmentState, type PurchaseOrderState, sellerIdsOf, statusOf, unpaidOf } from "./PurchaseOrder.ts"
import {
  type Buyer,
  type OrderLine,
  type OrderParticulars,
  type OrderPayment,
  type PurchaseOrderTerms,
  type SellerShare
} from "./PurchaseOrderTerms.ts"
import { particularsOf } from "./PurchaseOrder.ts"
import { commandsOf, placementCommands } from "./PurchaseOrderCommands.ts"
import { IllegalOrderAct, InvalidOrder, NotAParty, PaymentFirst } from "./PurchaseOrderError.ts"
import type {
  PurchaseOrderCancelled,
  PurchaseOrderEvent,
  PurchaseOrderFulfilled,
  PurchaseOrderPaid,
  PurchaseOrderPlaced
} from "./PurchaseOrderEvent.ts"
import { orderSchedule, sellerParts, subtotalsOf } from "./SellerSchedule.ts"
import { stockOf } from "./Stock.ts"

/** The most lines of one order. */
export const MAX_LINES = 1_000

/** The most pieces of one line. */
export const MAX_PIECES = 1_000_000

/** What a buyer asks for. */
export interface Purchase extends OrderParticulars {
  readonly orderId: string
  readonly buyer: Buyer
  readonly lines: ReadonlyArray<OrderLine>
  readonly paymentTerms: PaymentTerms
}

/** Who acts, for which company, and when. */
export interface ActingUser {
  readonly userId: string
  readonly companyId: string
  readonly at: number
}

/**
 * Reserves the stock of every line and, on credit terms, the buyer's limit for every instalment.
 *
 * @param stock - the account of a product's pieces, for who has its name at hand
 */
export const place = (
  purchase: Purchase,
  { at, companyId, userId }: ActingUser,
  stock = stockOf
): Result.Result<Entry<PurchaseOrderPlaced>, InvalidOrder> =>
  Result.map(termsOf(purchase, at), (terms) => ({
    commands: placementCommands(terms, stock),
    event: { _tag: "PurchaseOrderPlaced", at, userId, companyId, terms }
  }))

/** Pays the next instalment, or all that is left, and gives each seller its part. */
export const pay = (
  state: PurchaseOrderState,
  payment: { readonly paymentId: string; readonly from: AccountId; readonly extent: "next" | "all" },
  { at, companyId, userId }: ActingUser
): Result.Result<Entry<PurchaseOrderPaid>, NotAParty | IllegalOrderAct> => {
  const { terms } = state
  if (companyId !== terms.buyer.companyId) return Result.fail(new NotAParty({ role: "buyer" }))
  if (unpaidOf(state) === ZERO) return Result.fail(illegal(state, "pay"))
  const open = terms.schedule.filter(({ number }) => !state.paidInstalments.has(number))
  const covered = payment.extent === "next" ? open.slice(0, 1) : open
  const amount = fromUnits(covered.reduce((sum, instalment) => sum + instalment.amount, 0n))
  const made: OrderPayment = {
    paymentId: payment.paymentId,
    from: payment.from,
    amount,
    parts: partsOf(state, covered, amount),
    to: terms.sellers.map(({ wallet }) => wallet),
    instalments: covered.map(({ number }) => number)
  }
  const { orderId } = terms
  return Result.succeed(entryOf(state, { _tag: "PurchaseOrderPaid", at, userId, companyId, orderId, payment: made }))
}

/** One seller's goods leave its stock. A prepaid order is paid first. */
export const fulfil = (
  state: PurchaseOrderState,
  { at, companyId, userId }: ActingUser
): Result.Result<Entry<PurchaseOrderFulfilled>, NotAParty | IllegalOrderAct | PaymentFirst> => {
  const { terms } = state
  if (!sellerIdsOf(terms).has(companyId)) return Result.fail(new NotAParty({ role: "seller" }))
  if (state.isCancelled || state.fulfilledBy.has(companyId)) return Result.fail(illegal(state, "fulfil"))
  const unpaid = unpaidOf(state)
  if (!isOnCredit(terms.paymentTerms) && unpaid > ZERO) return Result.fail(new PaymentFirst({ unpaid }))
  const { orderId } = terms
  return Result.succeed(entryOf(state, { _tag: "PurchaseOrderFulfilled", at, userId, companyId, orderId }))
}

/** Frees stock and limit and refunds every payment to where it came from, before anything is fulfilled. */
export const cancel = (
  state: PurchaseOrderState,
  reason: string,
  { at, companyId, userId }: ActingUser
): Result.Result<Entry<PurchaseOrderCancelled>, NotAParty | IllegalOrderAct> => {
  const { terms } = state
  if (companyId !== terms.buyer.companyId && !sellerIdsOf(terms).has(companyId)) {
    return Result.fail(new NotAParty({ role: "buyer or seller" }))
  }
  if (state.isCancelled || state.fulfilledBy.size > 0) return Result.fail(illegal(state, "cancel"))
  const { orderId } = terms
  return Result.succeed(entryOf(state, { _tag: "PurchaseOrderCancelled", at, userId, companyId, orderId, reason }))
}

const entryOf = <E extends PurchaseOrderEvent>(state: PurchaseOrderState, event: E): Entry<E> => ({
  commands: commandsOf(state, event),
  event
})

const illegal = (state: PurchaseOrderState, act: IllegalOrderAct["act"]): IllegalOrderAct =>
  new IllegalOrderAct({ act, status: statusOf(state), fulfilment: fulfilmentState(state) })

const invalid = (field: string, expected: string) => Result.fail(new InvalidOrder({ field, expected }))

const termsOf = (purchase: Purchase, placedAt: number): Result.Result<PurchaseOrderTerms, InvalidOrder> => {
  const { buyer, lines, orderId, paymentTerms } = purchase
  if (lines.length === 0 || lines.length > MAX_LINES) return invalid("items", `1 to ${MAX_LINES} items`)
  for (const [index, line] of lines.entries()) {
    if (!Number.isInteger(line.quantity) || line.quantity < 1 || line.quantity > MAX_PIECES) {
      return invalid(`items.${index}.quantity`, `a whole number from 1 to ${MAX_PIECES}`)
    }
    if (line.sellerId === buyer.companyId) return invalid(`items.${index}.product_id`, "a product of another company")
  }
  const sellers = sharesOf(lines)
  const total = sellers.reduce((sum, { subtotal }) => sum + subtotal, 0n)
  const least = smallestTotal(paymentTerms)
  if (total > MAX) return invalid("items", "items that cost at most 8000000000 USD together")
  for (const subtotal of subtotalsOf(sellers).values()) {
    if (subtotal >= least) continue
    return invalid("payment_terms.installments", "at most one instalment for each 0.01 USD of a seller's items")
  }
  const schedule = orderSchedule(sellers, paymentTerms, placedAt)
  return Result.succeed({
    orderId,
    buyer,
    lines,
    sellers,
    total: fromUnits(total),
    paymentTerms,
    schedule,
    placedAt,
    ...particularsOf(purchase)
  })
}

const sharesOf = (lines: ReadonlyArray<OrderLine>): ReadonlyArray<SellerShare> => {
  interface Share {
    readonly sellerId: string
    readonly wallet: AccountId
    subtotal: bigint
  }
  const shares: Array<Share> = []
  const byWallet = new Map<AccountId, Array<Share>>()
  for (const { quantity, sellerId, unitPrice, wallet } of lines) {
    const total = unitPrice * BigInt(quantity)
    const known = byWallet.get(wallet)
    const share = known?.find((other) => other.sellerId === sellerId)
    if (share !== undefined) {
      share.subtotal += total
      continue
    }
    const first = { sellerId, wallet, subtotal: total }
    shares.push(first)
    if (known === undefined) byWallet.set(wallet, [first])
    else known.push(first)
  }
  return shares.map(({ sellerId, subtotal, wallet }) => ({ sellerId, wallet, subtotal: fromUnits(subtotal) }))
}

/**
 * Each share's part of a payment: what its company has to get of the instalments by its own sub-total, whatever the others
 * sell, and all that is left with the last. An order whose instalments were not made of the sellers' own is divided in
 * proportion to what each has still to get.
 */
const partsOf = (
  state: PurchaseOrderState,
  covered: PurchaseOrderTerms["schedule"],
  amount: Amount
): ReadonlyArray<Amount> => {
  const unpaid = unpaidShares(state)
  if (unpaid.reduce((sum, claim) => sum + claim, 0n) === amount) return unpaid
  return ownParts(state.terms, covered, amount, unpaid) ?? apportion(amount, unpaid)
}

const ownParts = (
  { paymentTerms, sellers }: PurchaseOrderTerms,
  covered: PurchaseOrderTerms["schedule"],
  amount: Amount,
  unpaid: ReadonlyArray<Amount>
): ReadonlyArray<Amount> | undefined => {
  const parts = unpaid.map(() => ZERO)
  let sum = 0n
  for (const [companyId, subtotal] of subtotalsOf(sellers)) {
    const own = sellerParts(subtotal, paymentTerms)
    const due = covered.reduce((total, { number }) => total + (own[number - 1] ?? 0n), 0n)
    const shares = sellers.flatMap(({ sellerId }, index) => (sellerId === companyId ? [index] : []))
    const claims = shares.map((index) => unpaid[index] ?? ZERO)
    if (due > claims.reduce((total, claim) => total + claim, 0n)) return undefined
    for (const [at, part] of apportion(fromUnits(due), claims).entries()) parts[shares[at] ?? 0] = part
    sum += due
  }
  return sum === amount ? parts : undefined
}

/** What of each share has not been paid yet. */
const unpaidShares = ({ payments, terms }: PurchaseOrderState): ReadonlyArray<Amount> =>
  terms.sellers.map(({ subtotal }, index) =>
    fromUnits(payments.reduce((left, { parts }) => left - (parts[index] ?? 0n), subtotal as bigint))
  )
