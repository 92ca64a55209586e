import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import { paymentStream } from "../../engine/payments/Payment.ts"
import type { PaymentFacts, RefundFacts } from "../../engine/payments/PaymentObject.ts"
import type { Page } from "../api/Paging.ts"
import { texts } from "../database/ArrayParameter.ts"
import { Direct } from "../database/BoundedClient.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

interface PaymentRow {
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
}

interface RefundRow {
  readonly id: string
  readonly payment_id: string
  readonly amount: string
  readonly cause: RefundFacts["cause"]
  readonly seller_id: string | null
  readonly state: RefundFacts["state"]
  readonly failure: string | null
  readonly requested_at: bigint
}

const unitsOf = (text: string): Amount => fromUnits(BigInt(text))

const toRefund = (row: RefundRow): RefundFacts => ({
  refundId: row.id,
  amount: unitsOf(row.amount),
  cause: row.cause,
  sellerId: row.seller_id,
  state: row.state,
  failure: row.failure,
  requestedAt: Number(row.requested_at)
})

const toFacts = (row: PaymentRow, refunds: ReadonlyArray<RefundFacts>): PaymentFacts => ({
  paymentId: row.id,
  orderId: row.order_id,
  payer: row.payer,
  companyId: row.company_id,
  provider: row.provider,
  instrument: row.instrument,
  extent: row.extent,
  capture: row.capture,
  stage: row.state,
  amount: unitsOf(row.amount),
  captured: unitsOf(row.captured),
  applied: unitsOf(row.applied),
  refunding: unitsOf(row.refunding),
  refunded: unitsOf(row.refunded),
  failure: row.failure,
  dispute: row.dispute,
  createdAt: Number(row.created_at),
  changedAt: Number(row.changed_at),
  refunds
})

/** Whose payments are wanted: undefined leaves the matter open. */
export interface PaymentFilter {
  readonly companyId: string | undefined
  readonly orderId: string | undefined
}

export interface PaymentPage {
  readonly payments: ReadonlyArray<PaymentFacts>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

const reading = (sql: SqlClient) => {
  const select = sql`
    SELECT id, order_id, payer, company_id, provider, instrument, extent, capture, state,
      amount::text AS amount, captured::text AS captured, applied::text AS applied,
      refunding::text AS refunding, refunded::text AS refunded, failure, dispute, created_at, changed_at
    FROM payments`

  const withRefunds = Effect.fnUntraced(function* (rows: ReadonlyArray<PaymentRow>) {
    const ids = rows.filter(({ state }) => state === "captured").map(({ id }) => id)
    const refunds =
      ids.length === 0
        ? []
        : yield* sql<RefundRow>`
            SELECT id, payment_id, amount::text AS amount, cause, seller_id, state, failure, requested_at
            FROM payment_refunds WHERE payment_id = ANY(${ids}::text[]) ORDER BY requested_at, id`
    return rows.map((row) => toFacts(row, refunds.filter((one) => one.payment_id === row.id).map(toRefund)))
  })

  const find = (id: string) =>
    sql<PaymentRow>`${select} WHERE id = ${id}`.pipe(
      Effect.flatMap(withRefunds),
      Effect.map(([found]) => found),
      unavailableOrDie
    )

  const list = Effect.fnUntraced(function* ({ companyId, orderId }: PaymentFilter, page: Page) {
    const listed: Keyset.Listed<PaymentRow> = {
      select,
      from: sql`payments`,
      scope: companyId === undefined ? sql`true` : sql`company_id = ${companyId}`,
      wanted: orderId === undefined ? undefined : sql`order_id = ${orderId}`,
      order: [
        { column: "created_at", descending: true },
        { column: "id", descending: true }
      ],
      id: "id",
      idOf: ({ id }) => id
    }
    const { next, rows, total } = yield* Keyset.page(sql, listed, page)
    return { payments: yield* withRefunds(rows), total, next }
  }, unavailableOrDie)

  const counts = (orderId: string) =>
    sql<{ readonly total: bigint; readonly open: bigint }>`
      SELECT count(*) AS total,
        count(*) FILTER (WHERE state IN ('created', 'authorized', 'capturing', 'voiding')) AS open
      FROM payments WHERE order_id = ${orderId}`.pipe(
      Effect.map(([row]) => ({ total: Number(row?.total ?? 0n), open: Number(row?.open ?? 0n) })),
      unavailableOrDie
    )

  return { find, list, counts }
}

/** Which payment is one of which order. */
interface OrderPayment {
  readonly paymentId: string
  readonly orderId: string
}

const ofSameOrders = (sql: SqlClient) => (streams: ReadonlyArray<string>) =>
  Effect.map(
    sql<{ readonly id: string; readonly order_id: string }>`
      SELECT id, order_id FROM payments WHERE order_id IN (
        SELECT order_id FROM payments WHERE id = ANY(${idsIn(streams, paymentStream(""))}::text[])
        UNION ALL SELECT unnest(${idsIn(streams, purchaseOrderStream(""))}::text[]))`,
    (rows) => rows.map((row): OrderPayment => ({ paymentId: row.id, orderId: row.order_id }))
  )

/** Whose streams those are that begin so. */
const idsIn = (streams: ReadonlyArray<string>, prefix: string) =>
  texts(streams.filter((stream) => stream.startsWith(prefix)).map((stream) => stream.slice(prefix.length)))

/** Payments in the database. */
export class PaymentRepository extends Context.Service<
  PaymentRepository,
  {
    readonly find: (id: string) => Effect.Effect<PaymentFacts | undefined, Unavailable>
    /** Newest first. */
    readonly list: (filter: PaymentFilter, page: Page) => Effect.Effect<PaymentPage, Unavailable | Keyset.UnknownCursor>
    /** How many payments of an order were ever made, and how many of them are neither captured nor ended. */
    readonly counts: (orderId: string) => Effect.Effect<{ readonly total: number; readonly open: number }, Unavailable>
    /**
     * All payments of the orders that have these streams, or whose payments have them, as the tables have them. Does not
     * wait for the tables to follow the journal.
     */
    readonly ofSameOrders: (streams: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<OrderPayment>, SqlError>
  }
>()("emporion/payments/PaymentRepository") {
  static readonly layer: Layer.Layer<PaymentRepository, never, SqlClient | Direct> = Layer.effect(
    this,
    Effect.zipWith(SqlClient, Direct, (sql, direct) =>
      PaymentRepository.of({ ...reading(sql), ofSameOrders: ofSameOrders(direct) })
    )
  )
}
