import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { paymentStream } from "../../engine/payments/Payment.ts"
import type { PaymentFacts } from "../../engine/payments/PaymentObject.ts"
import { paymentOfRow, type PaymentRow, type RefundRow } from "../../engine/payments/PaymentRows.ts"
import type { Page } from "../api/Paging.ts"
import { texts } from "../database/ArrayParameter.ts"
import { Direct } from "../database/BoundedClient.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { type FilterTooWide, keepersOf, payersOf } from "../database/MetadataColumn.ts"
import * as Keyset from "../database/Keyset.ts"

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
  const select = sql`SELECT payments.* FROM payments`

  const withRefunds = Effect.fnUntraced(function* (rows: ReadonlyArray<PaymentRow>) {
    const ids = rows.filter(({ state }) => state === "captured").map(({ id }) => id)
    const refunds =
      ids.length === 0
        ? []
        : yield* sql<RefundRow>`
            SELECT * FROM payment_refunds WHERE payment_id = ANY(${ids}::text[]) ORDER BY requested_at, id`
    return rows.map((row) =>
      paymentOfRow(
        row,
        refunds.filter((one) => one.payment_id === row.id)
      )
    )
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
      idOf: ({ id }) => id,
      hasMetadataIndex: true
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

  const keepers = (orderId: string | undefined) =>
    orderId === undefined ? keepersOf(sql, "payments") : payersOf(sql, orderId)

  return { find, list, counts, keepers }
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
    /** The companies that keep metadata with payments, of one order if one is named. */
    readonly keepers: (orderId: string | undefined) => Effect.Effect<ReadonlyArray<string>, FilterTooWide | Unavailable>
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
