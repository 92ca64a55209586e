import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { AccountId } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import { custodyOf } from "../ledger/Funding.ts"
import { type Amount, fromUnits, MAX, ONE, ZERO } from "../money/Amount.ts"
import { apportion } from "./Apportionment.ts"
import { instalmentSchedule, smallestTotal } from "./InstalmentSchedule.ts"
import { isOnCredit, type PaymentTerms } from "./PaymentTerms.ts"
import {
  type Buyer,
  CREDIT_ASSET,
  creditHold,
  fulfilmentState,
  type OrderLine,
  type OrderPayment,
  productAsset,
  type PurchaseOrderState,
  type PurchaseOrderTerms,
  type SellerShare,
  statusOf,
  stockHold,
  stockOf,
  unpaidOf
} from "./PurchaseOrder.ts"
import { IllegalOrderAct, InvalidOrder, NotAParty, PaymentFirst } from "./PurchaseOrderError.ts"
import type {
  PurchaseOrderCancelled,
  PurchaseOrderFulfilled,
  PurchaseOrderPaid,
  PurchaseOrderPlaced
} from "./PurchaseOrderEvent.ts"

/** The most lines of one order. */
export const MAX_LINES = 1_000

/** The most pieces of one line. */
export const MAX_PIECES = 1_000_000

/** What a buyer asks for. */
export interface Purchase {
  readonly orderId: string
  readonly buyer: Buyer
  readonly lines: ReadonlyArray<OrderLine>
  readonly paymentTerms: PaymentTerms
  /** Where a seller is paid. */
  readonly walletOf: (sellerId: string) => AccountId
}

/** Who acts, for which company, and when. */
export interface Actor {
  readonly userId: string
  readonly companyId: string
  readonly at: number
}

/** Reserves the stock of every line and, on credit terms, the buyer's limit for every instalment. */
export const place = (purchase: Purchase, actor: Actor): Result.Result<Entry<PurchaseOrderPlaced>, InvalidOrder> =>
  Result.map(termsOf(purchase, actor.at), (terms) => ({
    commands: [...terms.lines.map((line, index) => stockReserved(terms, line, index)), ...creditReserved(terms)],
    event: { _tag: "PurchaseOrderPlaced", ...actor, terms }
  }))

/** Pays the next instalment, or all that is left, and gives each seller its part. */
export const pay = (
  state: PurchaseOrderState,
  payment: { readonly paymentId: string; readonly from: AccountId; readonly extent: "next" | "all" },
  actor: Actor
): Result.Result<Entry<PurchaseOrderPaid>, NotAParty | IllegalOrderAct> => {
  const { terms } = state
  if (actor.companyId !== terms.buyer.companyId) return Result.fail(new NotAParty({ role: "buyer" }))
  if (unpaidOf(state) === ZERO) return Result.fail(illegal(state, "pay"))
  const open = terms.schedule.filter(({ number }) => !state.paidInstalments.has(number))
  const covered = payment.extent === "next" ? open.slice(0, 1) : open
  const amount = fromUnits(covered.reduce((sum, instalment) => sum + instalment.amount, 0n))
  const parts = apportion(amount, unpaidShares(state))
  const made: OrderPayment = {
    paymentId: payment.paymentId,
    from: payment.from,
    amount,
    parts,
    instalments: covered.map(({ number }) => number)
  }
  return Result.succeed({
    commands: [
      ...moved(terms, parts, (seller, part) => ({
        _tag: "Transfer",
        id: `purchase/${terms.orderId}/${payment.paymentId}/${seller.sellerId}`,
        from: payment.from,
        to: seller.wallet,
        amount: part,
        purpose: "purchase"
      })),
      ...creditFreed(terms, made.instalments)
    ],
    event: { _tag: "PurchaseOrderPaid", ...actor, orderId: terms.orderId, payment: made }
  })
}

/** One seller's goods leave its stock. A prepaid order is paid first. */
export const fulfil = (
  state: PurchaseOrderState,
  actor: Actor
): Result.Result<Entry<PurchaseOrderFulfilled>, NotAParty | IllegalOrderAct | PaymentFirst> => {
  const { terms } = state
  const { companyId } = actor
  if (!terms.sellers.some(({ sellerId }) => sellerId === companyId))
    return Result.fail(new NotAParty({ role: "seller" }))
  if (state.isCancelled || state.fulfilledBy.has(companyId)) return Result.fail(illegal(state, "fulfil"))
  const unpaid = unpaidOf(state)
  if (!isOnCredit(terms.paymentTerms) && unpaid > ZERO) return Result.fail(new PaymentFirst({ unpaid }))
  const commands = terms.lines.flatMap((line, index): ReadonlyArray<Command> =>
    line.sellerId !== companyId
      ? []
      : [
          {
            _tag: "Capture",
            hold: stockHold(terms.orderId, index),
            to: custodyOf(productAsset(line.productId)),
            amount: pieces(line),
            purpose: "goods"
          }
        ]
  )
  return Result.succeed({
    commands,
    event: { _tag: "PurchaseOrderFulfilled", ...actor, orderId: terms.orderId }
  })
}

/** Frees stock and limit and refunds every payment to where it came from, before anything is fulfilled. */
export const cancel = (
  state: PurchaseOrderState,
  reason: string,
  actor: Actor
): Result.Result<Entry<PurchaseOrderCancelled>, NotAParty | IllegalOrderAct> => {
  const { terms } = state
  const parties = [terms.buyer.companyId, ...terms.sellers.map(({ sellerId }) => sellerId)]
  if (!parties.includes(actor.companyId)) return Result.fail(new NotAParty({ role: "buyer or seller" }))
  if (state.isCancelled || state.fulfilledBy.size > 0) return Result.fail(illegal(state, "cancel"))
  const unpaid = terms.schedule.filter(({ number }) => !state.paidInstalments.has(number))
  const refunds = state.payments.flatMap(({ from, parts, paymentId }) =>
    moved(terms, parts, (seller, part) => ({
      _tag: "Transfer",
      id: `refund/${terms.orderId}/${paymentId}/${seller.sellerId}`,
      from: seller.wallet,
      to: from,
      amount: part,
      purpose: "refund"
    }))
  )
  return Result.succeed({
    commands: [
      ...terms.lines.map((_, index): Command => ({ _tag: "Release", hold: stockHold(terms.orderId, index) })),
      ...creditFreed(
        terms,
        unpaid.map(({ number }) => number)
      ),
      ...refunds
    ],
    event: { _tag: "PurchaseOrderCancelled", ...actor, orderId: terms.orderId, reason }
  })
}

const illegal = (state: PurchaseOrderState, act: IllegalOrderAct["act"]): IllegalOrderAct =>
  new IllegalOrderAct({ act, status: statusOf(state), fulfilment: fulfilmentState(state) })

const invalid = (field: string, expected: string) => Result.fail(new InvalidOrder({ field, expected }))

const termsOf = (
  { buyer, lines, orderId, paymentTerms, walletOf }: Purchase,
  placedAt: number
): Result.Result<PurchaseOrderTerms, InvalidOrder> => {
  if (lines.length === 0 || lines.length > MAX_LINES) return invalid("items", `1 to ${MAX_LINES} items`)
  for (const [index, line] of lines.entries()) {
    if (!Number.isInteger(line.quantity) || line.quantity < 1 || line.quantity > MAX_PIECES) {
      return invalid(`items.${index}.quantity`, `a whole number from 1 to ${MAX_PIECES}`)
    }
    if (line.sellerId === buyer.companyId) return invalid(`items.${index}.product_id`, "a product of another company")
  }
  const sellers = sharesOf(lines, walletOf)
  const total = sellers.reduce((sum, { subtotal }) => sum + subtotal, 0n)
  const least = smallestTotal(paymentTerms)
  if (total > MAX) return invalid("items", "items that cost at most 8000000000 USD together")
  if (total < least) return invalid("payment_terms.installments", "at most one instalment for each 0.01 USD")
  const schedule = instalmentSchedule(fromUnits(total), paymentTerms, placedAt)
  return Result.succeed({ orderId, buyer, lines, sellers, total: fromUnits(total), paymentTerms, schedule, placedAt })
}

const sharesOf = (lines: ReadonlyArray<OrderLine>, walletOf: Purchase["walletOf"]): ReadonlyArray<SellerShare> => {
  const subtotals = new Map<string, bigint>()
  for (const { quantity, sellerId, unitPrice } of lines) {
    subtotals.set(sellerId, (subtotals.get(sellerId) ?? 0n) + unitPrice * BigInt(quantity))
  }
  return Array.from(subtotals, ([sellerId, subtotal]) => ({
    sellerId,
    wallet: walletOf(sellerId),
    subtotal: fromUnits(subtotal)
  }))
}

const pieces = ({ quantity }: OrderLine): Amount => fromUnits(BigInt(quantity) * ONE)

const stockReserved = ({ orderId }: PurchaseOrderTerms, line: OrderLine, index: number): Command => ({
  _tag: "Hold",
  id: stockHold(orderId, index),
  account: stockOf(line.sellerId, line.productId),
  into: custodyOf(productAsset(line.productId)),
  amount: pieces(line)
})

const creditReserved = ({ buyer, orderId, paymentTerms, schedule }: PurchaseOrderTerms): ReadonlyArray<Command> =>
  isOnCredit(paymentTerms)
    ? schedule.map(({ amount, number }) => ({
        _tag: "Hold",
        id: creditHold(orderId, number),
        account: buyer.creditLimit,
        into: custodyOf(CREDIT_ASSET),
        amount
      }))
    : []

const creditFreed = (
  { orderId, paymentTerms }: PurchaseOrderTerms,
  instalments: ReadonlyArray<number>
): ReadonlyArray<Command> =>
  isOnCredit(paymentTerms) ? instalments.map((number) => ({ _tag: "Release", hold: creditHold(orderId, number) })) : []

/** What each seller has not been paid yet. */
const unpaidShares = ({ payments, terms }: PurchaseOrderState): ReadonlyArray<Amount> =>
  terms.sellers.map(({ subtotal }, index) =>
    fromUnits(payments.reduce((left, { parts }) => left - (parts[index] ?? 0n), subtotal as bigint))
  )

/** One command for each seller whose part is not nothing. */
const moved = (
  { sellers }: PurchaseOrderTerms,
  parts: ReadonlyArray<Amount>,
  command: (seller: SellerShare, part: Amount) => Command
): ReadonlyArray<Command> =>
  sellers.flatMap((seller, index) => {
    const part = parts[index] ?? ZERO
    return part > ZERO ? [command(seller, part)] : []
  })
