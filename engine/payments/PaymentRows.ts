import { purchaseOrderStream } from "../commerce/PurchaseOrder.ts"
import type { PurchaseOrderCancelled, PurchaseOrderPaid, PurchaseOrderPlaced } from "../commerce/PurchaseOrderEvent.ts"
import type { Aggregate, AggregateName, Happened } from "../journal/Aggregate.ts"
import type { ProjectedRow } from "../journal/TableRow.ts"
import { metadataColumn } from "../metadata/Metadata.ts"
import { fromUnits } from "../money/Amount.ts"
import { isOf, type PlatformEvent } from "../replay/PlatformEvent.ts"
import { rowValues } from "../replay/RowColumns.ts"
import type { StateRow } from "../replay/StateTable.ts"
import {
  created,
  evolve,
  paidDirectly,
  paymentAccount,
  type PaymentState,
  paymentStream,
  type Refund
} from "./Payment.ts"
import type { PaymentEvent } from "./PaymentEvent.ts"
import type { PaymentFacts, RefundFacts } from "./PaymentObject.ts"
import { PAYMENT_COLUMNS } from "./PaymentColumns.ts"

/** A payment's row. */
export const paymentRow = (state: PaymentState, changedAt: number): StateRow => ({
  table: "payments",
  values: rowValues(PAYMENT_COLUMNS, { state, changedAt })
})

export const refundRow = (paymentId: string, refund: Refund): StateRow => ({
  table: "payment_refunds",
  values: [
    refund.refundId,
    paymentId,
    `${refund.amount}`,
    refund.seller === null ? "unneeded" : "seller",
    refund.seller === null ? null : refund.seller.companyId,
    refund.state,
    refund.failure,
    `${refund.requestedAt}`,
    refund.settledAt === null ? null : `${refund.settledAt}`,
    `${refund.attempts}`
  ]
})

/** A payment with what its row says beside. */
export interface KeptPayment {
  readonly state: PaymentState
  /** The time of the last event that touched it. */
  readonly changedAt: number
  /** The last event that may ask something of it: its own, or one of its order. */
  readonly seq: number
}

/** The payments of an order, by their ids. */
export interface OrderPayments {
  readonly orderId: string
  readonly payments: ReadonlyMap<string, KeptPayment>
}

type OrderEvent = PurchaseOrderPlaced | PurchaseOrderPaid | PurchaseOrderCancelled

/** An event that changes payments. */
type Heard = PaymentEvent | OrderEvent

const ORDER_EVENTS: ReadonlySet<string> = new Set<OrderEvent["_tag"]>([
  "PurchaseOrderPlaced",
  "PurchaseOrderPaid",
  "PurchaseOrderCancelled"
])

const isOfPayments = isOf("payment")

const isHeard = (event: PlatformEvent): event is Heard => isOfPayments(event) || ORDER_EVENTS.has(event._tag)

const nameOf = (event: PlatformEvent): AggregateName | undefined => {
  if (!isHeard(event)) return undefined
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return { name: purchaseOrderStream(event.terms.orderId), isNew: true }
    case "PurchaseOrderPaid":
    case "PurchaseOrderCancelled":
      return { name: purchaseOrderStream(event.orderId), isNew: false }
    case "PaymentCreated":
      return { name: purchaseOrderStream(event.plan.orderId), isNew: false }
    default:
      return { name: paymentStream(event.paymentId), isNew: false }
  }
}

/** The payments after one of them came or changed. */
const withOne = ({ orderId, payments }: OrderPayments, one: KeptPayment): OrderPayments => ({
  orderId,
  payments: new Map(payments).set(one.state.plan.paymentId, one)
})

const none = (orderId: string): OrderPayments => ({ orderId, payments: new Map() })

/** The payments after an event of one of them that was there. */
const changedBy = (
  before: OrderPayments | undefined,
  event: Exclude<PaymentEvent, { readonly _tag: "PaymentCreated" }>,
  seq: number
): OrderPayments => {
  const known = before?.payments.get(event.paymentId)
  if (before === undefined || known === undefined)
    throw new RangeError(`${event._tag} of a payment that was never made`)
  const state = { ...known.state, refunds: new Map(known.state.refunds) }
  evolve(state, event)
  return withOne(before, { state, changedAt: event.at, seq })
}

/** Takes an order's payment: one of ours, or one that a wallet made at once. */
const paid = (before: OrderPayments, event: PurchaseOrderPaid, seq: number): OrderPayments => {
  const { at, companyId, orderId, payment, userId } = event
  const known = before.payments.get(payment.paymentId)
  if (known === undefined) {
    const state = paidDirectly(orderId, { userId, companyId }, payment, at)
    return withOne(before, { state, changedAt: at, seq })
  }
  if (payment.from !== paymentAccount(payment.paymentId)) return before
  return withOne(before, { state: { ...known.state, taken: payment.amount }, changedAt: at, seq })
}

/** What the order took is back where it came from. */
const returned = (
  { orderId, payments }: OrderPayments,
  { at }: PurchaseOrderCancelled,
  seq: number
): OrderPayments => ({
  orderId,
  payments: new Map(
    Array.from(payments, ([id, one]) => [
      id,
      one.state.taken === null ? one : { state: { ...one.state, isReturned: true }, changedAt: at, seq }
    ])
  )
})

/** All payments of an order hear of what becomes of it. */
const heard = ({ orderId, payments }: OrderPayments, seq: number): OrderPayments => ({
  orderId,
  payments: new Map(Array.from(payments, ([id, one]) => [id, { ...one, seq }]))
})

/** An order's payments after an event of one of them, or of their order. */
export const paymentsAfter = (before: OrderPayments | undefined, { event, seq }: Happened): OrderPayments => {
  if (!isHeard(event)) throw new RangeError(`${event._tag} changes no payment`)
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return none(event.terms.orderId)
    case "PurchaseOrderPaid":
      return heard(paid(before ?? none(event.orderId), event, seq), seq)
    case "PurchaseOrderCancelled":
      return heard(returned(before ?? none(event.orderId), event, seq), seq)
    case "PaymentCreated": {
      const { at, plan } = event
      return withOne(before ?? none(plan.orderId), { state: created(plan, at), changedAt: at, seq })
    }
    default:
      return changedBy(before, event, seq)
  }
}

const rowsOf = ({ changedAt, seq, state }: KeptPayment): ReadonlyArray<ProjectedRow> => [
  { table: "payments", values: [...paymentRow(state, changedAt).values, `${seq}`] },
  ...Array.from(state.refunds.values(), (refund) => refundRow(state.plan.paymentId, refund))
]

/** The rows of an order's payments, by the names of all their streams: what the order says concerns all of them. */
export const orderPayments: Aggregate<OrderPayments> = {
  of: nameOf,
  after: paymentsAfter,
  namesOf: ({ orderId, payments }) => [purchaseOrderStream(orderId), ...Array.from(payments.keys(), paymentStream)],
  rows: ({ payments }) => [...payments.values()].flatMap(rowsOf)
}

/** A payment's row as it is read. */
export interface PaymentRow {
  readonly id: string
  readonly order_id: string
  readonly payer: string
  readonly company_id: string
  readonly provider: PaymentFacts["provider"]
  readonly instrument: string | null
  readonly extent: PaymentFacts["extent"]
  readonly capture: PaymentFacts["capture"]
  readonly state: PaymentFacts["stage"]
  readonly amount: string
  readonly captured: string
  readonly applied: string
  readonly refunding: string
  readonly refunded: string
  readonly failure: string | null
  readonly dispute: PaymentFacts["dispute"]
  readonly created_at: bigint
  readonly changed_at: bigint
  readonly metadata: string
}

/** A refund's row as it is read. */
export interface RefundRow {
  readonly id: string
  readonly payment_id: string
  readonly amount: string
  readonly cause: RefundFacts["cause"]
  readonly seller_id: string | null
  readonly state: RefundFacts["state"]
  readonly failure: string | null
  readonly requested_at: bigint
  readonly attempts: number
}

const refundOfRow = (row: RefundRow): RefundFacts => ({
  refundId: row.id,
  amount: fromUnits(BigInt(row.amount)),
  cause: row.cause,
  sellerId: row.seller_id,
  state: row.state,
  failure: row.failure,
  requestedAt: Number(row.requested_at),
  attempts: row.attempts
})

/** What a payment's row says of it, and those of its refunds. */
export const paymentOfRow = (row: PaymentRow, refunds: ReadonlyArray<RefundRow>): PaymentFacts => ({
  paymentId: row.id,
  orderId: row.order_id,
  payer: row.payer,
  companyId: row.company_id,
  provider: row.provider,
  instrument: row.instrument,
  extent: row.extent,
  capture: row.capture,
  stage: row.state,
  amount: fromUnits(BigInt(row.amount)),
  captured: fromUnits(BigInt(row.captured)),
  applied: fromUnits(BigInt(row.applied)),
  refunding: fromUnits(BigInt(row.refunding)),
  refunded: fromUnits(BigInt(row.refunded)),
  failure: row.failure,
  dispute: row.dispute,
  createdAt: Number(row.created_at),
  changedAt: Number(row.changed_at),
  refunds: refunds.map(refundOfRow),
  ...metadataColumn(row)
})
