import { Schema } from "effect"
import {
  FULFILMENT_STATES,
  fulfilmentState,
  PAYMENT_STATES,
  paymentState,
  PURCHASE_ORDER_STATUSES,
  type PurchaseOrderState,
  sellerIdsOf,
  statusOf,
  unpaidOf
} from "../commerce/PurchaseOrder.ts"
import type { PurchaseRecord } from "../commerce/PurchaseRecord.ts"
import { viewFor } from "../commerce/PurchaseOrderView.ts"
import { subtotalsOf } from "../commerce/SellerSchedule.ts"
import { type Amount, fromUnits, toNumber, ZERO } from "../money/Amount.ts"
import { sumOf, Time, timeText, timeTextOrNull, Usd } from "./WebhookValue.ts"

const Instalment = Schema.Struct({
  number: Schema.Int,
  amount: Usd,
  due_at: Time,
  paid: Schema.Boolean
})

const Seller = Schema.Struct({
  company_id: Schema.String,
  subtotal: Usd,
  paid: Usd.annotate({ description: "USD that it was paid of that, refunded or not." }),
  fulfilled_at: Schema.NullOr(Time)
})

const Item = Schema.Struct({
  product_id: Schema.String,
  seller_company_id: Schema.String,
  quantity: Schema.Int,
  unit_price: Usd,
  total: Usd
})

const Payment = Schema.Struct({
  id: Schema.String,
  amount: Usd,
  installments: Schema.Array(Schema.Int).annotate({ description: "The numbers of the instalments that it paid." }),
  refunded: Schema.Boolean
})

/** An order in a webhook's body, as `GET /v1/orders/{id}` answers it. Specification 2.15 names its first fields. */
export const OrderObject = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("order"),
  company_id: Schema.String.annotate({ description: "The company that buys." }),
  status: Schema.Literals(PURCHASE_ORDER_STATUSES),
  payment_status: Schema.Literals(PAYMENT_STATES),
  fulfilment_status: Schema.Literals(FULFILMENT_STATES),
  amount: Usd.annotate({ description: "USD for the whole order; to a seller for its own items." }),
  amount_due: Usd.annotate({ description: "USD of that which are not paid yet." }),
  currency: Schema.Literal("USD"),
  payment_terms: Schema.Struct({
    type: Schema.Literals(["prepaid", "net_30", "net_60", "installments"]),
    installments: Schema.NullOr(Schema.Int),
    schedule: Schema.Array(Instalment).annotate({ description: "The parts sum to the amount." })
  }),
  sellers: Schema.Array(Seller).annotate({ description: "Sub-totals; to a seller its own alone." }),
  item_count: Schema.Int.annotate({ description: "The number of the items." }),
  created_at: Time,
  updated_at: Time,
  items: Schema.Array(Item).annotate({ description: "To a seller its own alone." }),
  payments: Schema.Array(Payment).annotate({ description: "To a seller its own parts alone." })
}).annotate({ identifier: "Order", description: "An order, as GET /v1/orders/{id} answers it." })

export type OrderObject = typeof OrderObject.Type

/** The companies that hear of an order: its buyer, then its sellers. */
export const companiesOf = ({ terms }: Pick<PurchaseOrderState, "terms">): ReadonlyArray<string> => [
  ...new Set([terms.buyer.companyId, ...sellerIdsOf(terms)])
]

/** What of a payment went to a company. */
const partOf = ({ terms }: PurchaseOrderState, parts: ReadonlyArray<Amount>, companyId: string): Amount =>
  sumOf(terms.sellers.map(({ sellerId }, index) => (sellerId === companyId ? (parts[index] ?? ZERO) : ZERO)))

const sellersOf = ({ fulfilledAt, state }: PurchaseRecord) =>
  Array.from(subtotalsOf(state.terms.sellers), ([companyId, subtotal]) => ({
    company_id: companyId,
    subtotal: toNumber(subtotal),
    paid: toNumber(sumOf(state.payments.map(({ parts }) => partOf(state, parts, companyId)))),
    fulfilled_at: timeTextOrNull(fulfilledAt.get(companyId))
  }))

const termsOf = ({ paidInstalments, terms: { paymentTerms, schedule } }: PurchaseOrderState) => ({
  type: paymentTerms.type,
  installments: paymentTerms.type === "installments" ? paymentTerms.installments : null,
  schedule: schedule.map(({ amount, dueAt, number }) => ({
    number,
    amount: toNumber(amount),
    due_at: timeText(dueAt),
    paid: paidInstalments.has(number)
  }))
})

/** An order as a company that takes part in it is told of it: a seller of its own part. */
export const orderObject = (whole: PurchaseRecord, as: string): OrderObject => {
  const order = viewFor(whole, as)
  const { state, updatedAt } = order
  const { buyer, lines, orderId, placedAt, total } = state.terms
  return {
    id: orderId,
    object: "order",
    company_id: buyer.companyId,
    status: statusOf(state),
    payment_status: paymentState(state),
    fulfilment_status: fulfilmentState(state),
    amount: toNumber(total),
    amount_due: toNumber(unpaidOf(state)),
    currency: "USD",
    payment_terms: termsOf(state),
    sellers: sellersOf(order),
    item_count: lines.length,
    created_at: timeText(placedAt),
    updated_at: timeText(updatedAt),
    items: lines.map(({ productId, quantity, sellerId, unitPrice }) => ({
      product_id: productId,
      seller_company_id: sellerId,
      quantity,
      unit_price: toNumber(unitPrice),
      total: toNumber(fromUnits(unitPrice * BigInt(quantity)))
    })),
    payments: state.payments.map(({ amount, instalments, paymentId }) => ({
      id: paymentId,
      amount: toNumber(amount),
      installments: [...instalments],
      refunded: state.isCancelled
    }))
  }
}
