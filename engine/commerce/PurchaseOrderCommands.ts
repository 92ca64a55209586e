/** What an event of a purchase order asks of the ledger. */

import type { MultiHoldPart, Command } from "../ledger/Command.ts"
import { custodyOf } from "../ledger/Funding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { isOnCredit } from "./PaymentTerms.ts"
import { CREDIT_ASSET, creditHold, type PurchaseOrderState, sellerIdsOf, stockMultiHold } from "./PurchaseOrder.ts"
import { type OrderPayment, type PurchaseOrderTerms, type SellerShare } from "./PurchaseOrderTerms.ts"
import type { PurchaseOrderEvent } from "./PurchaseOrderEvent.ts"
import { piecesOf, stockOf } from "./Stock.ts"

/** What an event asks of the ledger. The order is as it was before; of a placement, as it is placed. */
export const commandsOf = (state: PurchaseOrderState, event: PurchaseOrderEvent): ReadonlyArray<Command> => {
  const { terms } = state
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return placementCommands(terms)
    case "PurchaseOrderPaid":
      return [...paid(terms, event.payment), ...creditFreed(terms, event.payment.instalments)]
    case "PurchaseOrderFulfilled":
      return [{ _tag: "TakeMultiHold", multiHold: stockMultiHold(terms.orderId, event.companyId), purpose: "goods" }]
    case "PurchaseOrderCancelled": {
      const unpaid = terms.schedule.map(({ number }) => number).filter((number) => !state.paidInstalments.has(number))
      return [
        ...[...sellerIdsOf(terms)].map((sellerId): Command => ({
          _tag: "ReleaseMultiHold",
          multiHold: stockMultiHold(terms.orderId, sellerId)
        })),
        ...creditFreed(terms, unpaid),
        ...state.payments.flatMap((payment) => refunded(terms, payment))
      ]
    }
    case "PurchaseOrderPaymentDue":
    case "PurchaseOrderOverdue":
      return []
  }
}

/** What placing an order asks of the ledger. */
export const placementCommands = (terms: PurchaseOrderTerms, stock = stockOf): ReadonlyArray<Command> => [
  ...stockReserved(terms, stock),
  ...creditReserved(terms)
]

/** One multi-hold for each seller, since each delivers at its own time. */
const stockReserved = (terms: PurchaseOrderTerms, stock: typeof stockOf): ReadonlyArray<Command> => {
  const parts = new Map<string, Array<MultiHoldPart>>()
  for (const { productId, quantity, sellerId } of terms.lines) {
    const part = { account: stock(sellerId, productId), amount: piecesOf(quantity) }
    const known = parts.get(sellerId)
    if (known === undefined) parts.set(sellerId, [part])
    else known.push(part)
  }
  return Array.from(parts, ([sellerId, reserved]) => ({
    _tag: "PlaceMultiHold",
    id: stockMultiHold(terms.orderId, sellerId),
    parts: reserved
  }))
}

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

const paid = (terms: PurchaseOrderTerms, { from, parts, paymentId }: OrderPayment): ReadonlyArray<Command> =>
  moved(terms, parts, ({ wallet }, amount, number) => ({
    _tag: "Transfer",
    id: `purchase/${terms.orderId}/${paymentId}/${number}`,
    from,
    to: wallet,
    amount,
    purpose: "purchase"
  }))

const refunded = (terms: PurchaseOrderTerms, { from, parts, paymentId }: OrderPayment): ReadonlyArray<Command> =>
  moved(terms, parts, ({ wallet }, amount, number) => ({
    _tag: "Transfer",
    id: `refund/${terms.orderId}/${paymentId}/${number}`,
    from: wallet,
    to: from,
    amount,
    purpose: "refund"
  }))

/** One command for each share whose part is not nothing; shares count from 1. */
const moved = (
  { sellers }: PurchaseOrderTerms,
  parts: ReadonlyArray<Amount>,
  command: (share: SellerShare, part: Amount, number: number) => Command
): ReadonlyArray<Command> =>
  sellers.flatMap((share, index) => {
    const part = parts[index] ?? ZERO
    return part > ZERO ? [command(share, part, index + 1)] : []
  })
