import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PurchaseOrderCancelled, PurchaseOrderPaid } from "../../engine/commerce/PurchaseOrderEvent.ts"
import type { PaymentStage } from "../../engine/payments/Payment.ts"
import type * as Event from "../../engine/payments/PaymentEvent.ts"
import type { Statements } from "../database/Projection.ts"

/** A payment that came to another stage. */
export interface StageChange {
  readonly paymentId: string
  readonly stage: PaymentStage
  readonly failure: string | null
  readonly at: number
}

/** A refund that ended. */
export interface RefundEnd {
  readonly paymentId: string
  readonly refundId: string
  readonly failure: string | null
  readonly at: number
}

/** A dispute's new state. */
export interface DisputeChange {
  readonly paymentId: string
  readonly state: "open" | "won" | "lost"
  readonly at: number
}

type Write<E> = (events: ReadonlyArray<Recorded<E>>) => Statements

const times = (rows: ReadonlyArray<{ readonly at: number }>): ReadonlyArray<bigint> => rows.map(({ at }) => BigInt(at))

const ownEvents = (sql: SqlClient) => {
  const created: Write<Event.PaymentCreated> = (recorded) => {
    const plans = recorded.map(({ event }) => event.plan)
    return [
      sql`
        INSERT INTO payments
          (id, order_id, payer, company_id, provider, instrument, direct, extent, capture, state, amount,
           created_at, changed_at)
        SELECT id, order_id, payer, company_id, provider, nullif(instrument, ''), false, extent, capture, 'created',
          amount, at, at
        FROM unnest(
          ${plans.map(({ paymentId }) => paymentId)}::text[],
          ${plans.map(({ orderId }) => orderId)}::text[],
          ${plans.map(({ payer }) => payer.userId)}::text[],
          ${plans.map(({ payer }) => payer.companyId)}::text[],
          ${plans.map(({ provider }) => provider)}::text[],
          ${plans.map(({ instrument }) => instrument ?? "")}::text[],
          ${plans.map(({ extent }) => extent)}::text[],
          ${plans.map(({ capture }) => capture)}::text[],
          ${plans.map(({ amount }) => `${amount}`)}::numeric[],
          ${times(recorded.map(({ event }) => event))}::bigint[])
          AS made (id, order_id, payer, company_id, provider, instrument, extent, capture, amount, at)`
    ]
  }

  const staged = (changes: ReadonlyArray<StageChange>): Statements => [
    sql`
      UPDATE payments SET state = change.stage, failure = nullif(change.failure, ''), changed_at = change.at,
        captured = CASE WHEN change.stage = 'captured' THEN amount ELSE 0 END
      FROM unnest(
        ${changes.map(({ paymentId }) => paymentId)}::text[],
        ${changes.map(({ stage }) => stage)}::text[],
        ${changes.map(({ failure }) => failure ?? "")}::text[],
        ${times(changes)}::bigint[]) AS change (id, stage, failure, at)
      WHERE payments.id = change.id`
  ]

  const disputed = (changes: ReadonlyArray<DisputeChange>): Statements => [
    sql`
      UPDATE payments SET dispute = change.state, changed_at = change.at
      FROM unnest(
        ${changes.map(({ paymentId }) => paymentId)}::text[],
        ${changes.map(({ state }) => state)}::text[],
        ${times(changes)}::bigint[]) AS change (id, state, at)
      WHERE payments.id = change.id`
  ]
  return { created, staged, disputed }
}

const refunds = (sql: SqlClient) => {
  const refundRequested: Write<Event.PaymentRefundRequested> = (recorded) => {
    const events = recorded.map(({ event }) => event)
    const ids = events.map(({ paymentId }) => paymentId)
    const amounts = events.map(({ amount }) => `${amount}`)
    return [
      sql`
        INSERT INTO payment_refunds (id, payment_id, amount, cause, seller_id, state, requested_at)
        SELECT id, payment_id, amount, cause, nullif(seller_id, ''), 'pending', at
        FROM unnest(
          ${events.map(({ refundId }) => refundId)}::text[], ${ids}::text[], ${amounts}::numeric[],
          ${events.map(({ seller }) => (seller === null ? "unneeded" : "seller"))}::text[],
          ${events.map(({ seller }) => seller?.companyId ?? "")}::text[], ${times(events)}::bigint[])
          AS made (id, payment_id, amount, cause, seller_id, at)`,
      sql`
        UPDATE payments SET refunding = refunding + made.amount, changed_at = made.at
        FROM unnest(${ids}::text[], ${amounts}::numeric[], ${times(events)}::bigint[]) AS made (id, amount, at)
        WHERE payments.id = made.id`
    ]
  }

  const refundEnded = (ends: ReadonlyArray<RefundEnd>): Statements => {
    const ids = ends.map(({ refundId }) => refundId)
    const failures = ends.map(({ failure }) => failure ?? "")
    return [
      sql`
        UPDATE payment_refunds SET state = done.state, failure = nullif(done.failure, ''), settled_at = done.at
        FROM unnest(
          ${ids}::text[], ${ends.map(({ failure }) => (failure === null ? "succeeded" : "failed"))}::text[],
          ${failures}::text[], ${times(ends)}::bigint[]) AS done (id, state, failure, at)
        WHERE payment_refunds.id = done.id`,
      sql`
        UPDATE payments SET refunding = refunding - refund.amount, changed_at = done.at,
          refunded = refunded + CASE WHEN done.failure = '' THEN refund.amount ELSE 0 END
        FROM unnest(${ids}::text[], ${failures}::text[], ${times(ends)}::bigint[]) AS done (id, failure, at)
        JOIN payment_refunds AS refund ON refund.id = done.id
        WHERE payments.id = refund.payment_id`
    ]
  }
  return { refundRequested, refundEnded }
}

const orders = (sql: SqlClient) => {
  const orderPaid: Write<PurchaseOrderPaid> = (recorded) => {
    const events = recorded.map(({ event }) => event)
    return [
      sql`
        INSERT INTO payments
          (id, order_id, payer, company_id, provider, direct, capture, state, amount, captured, applied,
           created_at, changed_at)
        SELECT id, order_id, payer, company_id, 'wallet', true, 'automatic', 'captured', amount, amount, amount, at, at
        FROM unnest(
          ${events.map(({ payment }) => payment.paymentId)}::text[],
          ${events.map(({ orderId }) => orderId)}::text[],
          ${events.map(({ userId }) => userId)}::text[],
          ${events.map(({ companyId }) => companyId)}::text[],
          ${events.map(({ payment }) => `${payment.amount}`)}::numeric[],
          ${times(events)}::bigint[]) AS paid (id, order_id, payer, company_id, amount, at)
        ON CONFLICT (id) DO UPDATE SET applied = excluded.applied, changed_at = excluded.changed_at`
    ]
  }

  const orderCancelled: Write<PurchaseOrderCancelled> = (recorded) => {
    const events = recorded.map(({ event }) => event)
    return [
      sql`
        UPDATE payments SET applied = 0, changed_at = done.at,
          refunded = CASE WHEN direct THEN amount ELSE refunded END
        FROM unnest(${events.map(({ orderId }) => orderId)}::text[], ${times(events)}::bigint[]) AS done (id, at)
        WHERE payments.order_id = done.id AND payments.applied > 0`
    ]
  }

  return { orderPaid, orderCancelled }
}

/** The last event of each of some payments, or of each of some orders. */
export type LastEvents = ReadonlyMap<string, number>

/** What is noted of a payment is the last event that may ask something of it: its own, or one of its order. */
const hearing = (sql: SqlClient) => {
  const heard = (column: "id" | "order_id") => (last: LastEvents) =>
    sql`
    UPDATE payments SET event_seq = last.seq
    FROM unnest(${[...last.keys()]}::text[], ${[...last.values()].map(BigInt)}::bigint[]) AS last (id, seq)
    WHERE payments.${sql(column)} = last.id`
  return { heard: heard("id"), orderHeard: heard("order_id") }
}

/** What recorded events make of payments, within their transaction. Each makes its payment due. */
export class PaymentProjectionRepository extends Context.Service<
  PaymentProjectionRepository,
  {
    readonly created: Write<Event.PaymentCreated>
    readonly staged: (changes: ReadonlyArray<StageChange>) => Statements
    readonly disputed: (changes: ReadonlyArray<DisputeChange>) => Statements
    readonly refundRequested: Write<Event.PaymentRefundRequested>
    readonly refundEnded: (ends: ReadonlyArray<RefundEnd>) => Statements
    /** Notes what an order took, and what a wallet paid at once. */
    readonly orderPaid: Write<PurchaseOrderPaid>
    readonly orderCancelled: Write<PurchaseOrderCancelled>
    /** Notes the last event of payments, which makes them due, once their rows are written. */
    readonly heard: (last: LastEvents) => Statement<unknown>
    /** Notes it on all payments of orders. */
    readonly orderHeard: (last: LastEvents) => Statement<unknown>
  }
>()("emporion/payments/PaymentProjectionRepository") {
  static readonly layer: Layer.Layer<PaymentProjectionRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      PaymentProjectionRepository.of({ ...ownEvents(sql), ...refunds(sql), ...orders(sql), ...hearing(sql) })
    )
  )
}
