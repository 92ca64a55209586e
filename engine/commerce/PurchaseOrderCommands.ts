import type { Command } from "../ledger/Command.ts"
import { custodyOf } from "../ledger/Funding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { isOnCredit } from "./PaymentTerms.ts"
import {
  CREDIT_ASSET,
  creditHold,
  type OrderPayment,
  type PurchaseOrderState,
  type PurchaseOrderTerms,
  type SellerShare,
  stockHold
} from "./PurchaseOrder.ts"
import type { PurchaseOrderEvent } from "./PurchaseOrderEvent.ts"
import { piecesOf, productAsset, stockOf } from "./Stock.ts"

/** What an event asks of the ledger. The order is as it was before; of a placement, as it is placed. */
export const commandsOf = (state: PurchaseOrderState, event: PurchaseOrderEvent): ReadonlyArray<Command> => {
  const { terms } = state
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return [...stockReserved(terms), ...creditReserved(terms)]
    case "PurchaseOrderPaid":
      return [...paid(terms, event.payment), ...creditFreed(terms, event.payment.instalments)]
    case "PurchaseOrderFulfilled":
      return delivered(terms, event.companyId)
    case "PurchaseOrderCancelled": {
      const unpaid = terms.schedule.map(({ number }) => number).filter((number) => !state.paidInstalments.has(number))
      return [
        ...terms.lines.map((_, index): Command => ({ _tag: "Release", hold: stockHold(terms.orderId, index) })),
        ...creditFreed(terms, unpaid),
        ...state.payments.flatMap((payment) => refunded(terms, payment))
      ]
    }
  }
}

const stockReserved = ({ lines, orderId }: PurchaseOrderTerms): ReadonlyArray<Command> =>
  lines.map((line, index) => ({
    _tag: "Hold",
    id: stockHold(orderId, index),
    account: stockOf(line.sellerId, line.productId),
    into: custodyOf(productAsset(line.productId)),
    amount: piecesOf(line.quantity)
  }))

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

const delivered = ({ lines, orderId }: PurchaseOrderTerms, companyId: string): ReadonlyArray<Command> =>
  lines.flatMap((line, index): ReadonlyArray<Command> =>
    line.sellerId !== companyId
      ? []
      : [
          {
            _tag: "Capture",
            hold: stockHold(orderId, index),
            to: custodyOf(productAsset(line.productId)),
            amount: piecesOf(line.quantity),
            purpose: "goods"
          }
        ]
  )

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
