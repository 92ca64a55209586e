import { Schema } from "effect"
import { PAYMENT_TERMS, type PaymentTerms } from "./PaymentTerms.ts"
import {
  FULFILMENT_STATES,
  fulfilmentState,
  isOverdue,
  PAYMENT_STATES,
  paymentState,
  type FulfilmentState,
  PURCHASE_ORDER_STATUSES,
  type PaymentState,
  type PurchaseOrderState,
  type PurchaseOrderStatus,
  sellerIdsOf,
  statusOf,
  unpaidOf
} from "./PurchaseOrder.ts"
import { type OrderParticulars } from "./PurchaseOrderTerms.ts"
import { particularsOf } from "./PurchaseOrder.ts"
import type { PurchaseRecord } from "./PurchaseRecord.ts"
import { viewFor } from "./PurchaseOrderView.ts"
import { subtotalsOf } from "./SellerSchedule.ts"
import { Metadata } from "../metadata/Metadata.ts"
import { type Amount, fromUnits, toNumber, ZERO } from "../money/Amount.ts"
import { sumOf, Time, timeText, timeTextOrNull, Usd } from "../wire/WireValue.ts"

const Instalment = Schema.Struct({
  number: Schema.Int,
  amount: Usd,
  due_at: Time,
  paid: Schema.Boolean,
  overdue_since: Schema.NullOr(Time).annotate({
    description: "Its due date, once that was found to have passed and as long as it is not paid; else null."
  })
})

const Subtotal = Schema.Struct({
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

const summary = {
  id: Schema.String,
  object: Schema.Literal("order"),
  company_id: Schema.String.annotate({ description: "The company that buys." }),
  status: Schema.Literals(PURCHASE_ORDER_STATUSES),
  payment_status: Schema.Literals(PAYMENT_STATES),
  fulfilment_status: Schema.Literals(FULFILMENT_STATES),
  amount: Usd.annotate({ description: "USD for the whole order; to a seller for its own items." }),
  amount_due: Usd.annotate({ description: "USD of that which are not paid yet." }),
  overdue: Schema.Boolean.annotate({ description: "Whether an instalment is overdue." }),
  currency: Schema.Literal("USD"),
  payment_terms: Schema.Struct({
    type: Schema.Literals(PAYMENT_TERMS),
    installments: Schema.NullOr(Schema.Int),
    schedule: Schema.Array(Instalment).annotate({ description: "The parts sum to the amount." })
  }),
  sellers: Schema.Array(Subtotal).annotate({ description: "Sub-totals; to a seller its own alone." }),
  item_count: Schema.Int.annotate({ description: "The number of the items." }),
  metadata: Metadata.annotate({ description: "What the buyer keeps with it by keys of its own." }),
  created_at: Time,
  updated_at: Time
}

/** An order as a list shows it. */
export const OrderSummaryObject = Schema.Struct(summary).annotate({ identifier: "PurchaseOrderSummary" })

export type OrderSummaryObject = typeof OrderSummaryObject.Type

/** An order as `GET /v1/orders/{id}` answers it and a webhook tells of it. Specification 2.15 names its first fields. */
export const OrderObject = Schema.Struct({
  ...summary,
  items: Schema.Array(Item).annotate({ description: "To a seller its own alone." }),
  payments: Schema.Array(Payment).annotate({ description: "To a seller its own parts alone." })
}).annotate({ identifier: "PurchaseOrder", description: "An order, as GET /v1/orders/{id} answers it." })

export type OrderObject = typeof OrderObject.Type

/** The companies that hear of an order: its buyer, then its sellers. */
export const companiesOf = ({ terms }: Pick<PurchaseOrderState, "terms">): ReadonlyArray<string> => [
  ...new Set([terms.buyer.companyId, ...sellerIdsOf(terms)])
]

/** What is due when. */
export interface DueInstalment {
  readonly number: number
  readonly amount: Amount
  readonly dueAt: number
  readonly isPaid: boolean
  readonly isOverdue: boolean
}

/** What one selling company has to get. */
export interface SellerSubtotal {
  readonly companyId: string
  readonly subtotal: Amount
  readonly paid: Amount
  readonly fulfilledAt: number | undefined
}

/** What is shown of an order without its lines: its row says as much as its events. */
export interface OrderSummary extends OrderParticulars {
  readonly orderId: string
  readonly buyerCompanyId: string
  readonly status: PurchaseOrderStatus
  readonly paymentStatus: PaymentState
  readonly fulfilmentStatus: FulfilmentState
  readonly amount: Amount
  /** Owed still: nothing of a cancelled order. */
  readonly due: Amount
  readonly terms: PaymentTerms["type"]
  readonly installments: number | undefined
  readonly schedule: ReadonlyArray<DueInstalment>
  readonly sellers: ReadonlyArray<SellerSubtotal>
  readonly items: number
  readonly placedAt: number
  readonly updatedAt: number
}

/** What of a payment went to a company. */
const partOf = ({ terms }: PurchaseOrderState, parts: ReadonlyArray<Amount>, companyId: string): Amount =>
  sumOf(terms.sellers.map(({ sellerId }, index) => (sellerId === companyId ? (parts[index] ?? ZERO) : ZERO)))

const subtotalsFor = ({ fulfilledAt, state }: PurchaseRecord): ReadonlyArray<SellerSubtotal> =>
  Array.from(subtotalsOf(state.terms.sellers), ([companyId, subtotal]) => ({
    companyId,
    subtotal,
    paid: sumOf(state.payments.map(({ parts }) => partOf(state, parts, companyId))),
    fulfilledAt: fulfilledAt.get(companyId)
  }))

/** An order as its row would say it. */
export const summaryOf = (order: PurchaseRecord): OrderSummary => {
  const { state, updatedAt } = order
  const { buyer, lines, orderId, paymentTerms, placedAt, schedule, total } = state.terms
  return {
    orderId,
    buyerCompanyId: buyer.companyId,
    status: statusOf(state),
    paymentStatus: paymentState(state),
    fulfilmentStatus: fulfilmentState(state),
    amount: total,
    due: unpaidOf(state),
    terms: paymentTerms.type,
    installments: paymentTerms.type === "installments" ? paymentTerms.installments : undefined,
    schedule: schedule.map(({ amount, dueAt, number }) => ({
      number,
      amount,
      dueAt,
      isPaid: state.paidInstalments.has(number),
      isOverdue: isOverdue(state, { number })
    })),
    sellers: subtotalsFor(order),
    items: lines.length,
    placedAt,
    updatedAt,
    ...particularsOf(state.terms)
  }
}

/** An order without its items. */
export const summaryObject = (order: OrderSummary): OrderSummaryObject => ({
  id: order.orderId,
  object: "order",
  company_id: order.buyerCompanyId,
  status: order.status,
  payment_status: order.paymentStatus,
  fulfilment_status: order.fulfilmentStatus,
  amount: toNumber(order.amount),
  amount_due: toNumber(order.due),
  overdue: order.schedule.some(({ isOverdue }) => isOverdue),
  currency: "USD",
  payment_terms: {
    type: order.terms,
    installments: order.installments ?? null,
    schedule: order.schedule.map(({ amount, dueAt, isOverdue, isPaid, number }) => ({
      number,
      amount: toNumber(amount),
      due_at: timeText(dueAt),
      paid: isPaid,
      overdue_since: isOverdue ? timeText(dueAt) : null
    }))
  },
  sellers: order.sellers.map(({ companyId, fulfilledAt, paid, subtotal }) => ({
    company_id: companyId,
    subtotal: toNumber(subtotal),
    paid: toNumber(paid),
    fulfilled_at: timeTextOrNull(fulfilledAt)
  })),
  item_count: order.items,
  metadata: order.metadata ?? {},
  created_at: timeText(order.placedAt),
  updated_at: timeText(order.updatedAt)
})

/** An order as a company that takes part in it may see it: a seller its own part alone. */
export const orderObject = (whole: PurchaseRecord, as: string): OrderObject => {
  const order = viewFor(whole, as)
  const { state } = order
  return {
    ...summaryObject(summaryOf(order)),
    items: state.terms.lines.map(({ productId, quantity, sellerId, unitPrice }) => ({
      product_id: productId,
      seller_company_id: sellerId,
      quantity,
      unit_price: toNumber(unitPrice),
      total: toNumber(fromUnits(unitPrice * BigInt(quantity)))
    })),
    payments: state.payments.map(({ amount, instalments, paymentId }) => ({
      id: paymentId,
      amount: toNumber(amount),
      installments: instalments,
      refunded: state.isCancelled
    }))
  }
}
