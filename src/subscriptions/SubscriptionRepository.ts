import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { Interval } from "../../engine/subscriptions/Period.ts"
import type { SubscriptionState, SubscriptionStatus } from "../../engine/subscriptions/Subscription.ts"
import type { CancelReason } from "../../engine/subscriptions/SubscriptionEvent.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { metadataColumn } from "../../engine/metadata/Metadata.ts"
import { type FilterTooWide, keepersOf } from "../database/MetadataColumn.ts"
import * as Keyset from "../database/Keyset.ts"
import type { SubscriptionAct } from "./SubscriptionResponses.ts"

interface SubscriptionRow {
  readonly id: string
  readonly company_id: string
  readonly user_id: string
  readonly seller_id: string
  readonly seller_user_id: string
  readonly product_id: string
  readonly quantity: number
  readonly unit_price: bigint
  readonly every: Interval
  readonly periods: number | null
  readonly start_at: bigint
  readonly created_at: bigint
  readonly status: SubscriptionStatus
  readonly paid_periods: number
  readonly failures: number
  readonly failed_at: bigint | null
  readonly next_at: bigint | null
  readonly ends_at: bigint | null
  readonly ended_at: bigint | null
  readonly end_reason: CancelReason | null
  readonly version: number
  readonly metadata: string
}

interface ActRow {
  readonly event_seq: bigint
  readonly at: bigint
  readonly event: SubscriptionAct["event"]
  readonly user_id: string | null
  readonly period: number | null
  readonly amount: bigint | null
  readonly reason: string | null
}

/** Whose subscriptions, on which side of them, and in which status; undefined: any. */
export interface SubscriptionFilter {
  readonly companyId: string
  readonly role: "buyer" | "seller" | undefined
  readonly status: SubscriptionStatus | undefined
}

export interface SubscriptionPage {
  readonly subscriptions: ReadonlyArray<SubscriptionState>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

export interface ActPage {
  readonly acts: ReadonlyArray<SubscriptionAct>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

const numberOf = (value: bigint | null): number | null => (value === null ? null : Number(value))

const toState = (row: SubscriptionRow): SubscriptionState => ({
  terms: {
    subscriptionId: row.id,
    buyer: { companyId: row.company_id, userId: row.user_id },
    seller: { companyId: row.seller_id, userId: row.seller_user_id },
    productId: row.product_id,
    quantity: row.quantity,
    unitPrice: fromUnits(row.unit_price),
    every: row.every,
    periods: row.periods,
    startAt: Number(row.start_at),
    ...metadataColumn(row)
  },
  createdAt: Number(row.created_at),
  version: row.version,
  status: row.status,
  paidPeriods: row.paid_periods,
  failures: row.failures,
  failedAt: numberOf(row.failed_at),
  nextAt: numberOf(row.next_at),
  endsAt: numberOf(row.ends_at),
  endedAt: numberOf(row.ended_at),
  endReason: row.end_reason
})

const toAct = (row: ActRow): SubscriptionAct => ({
  seq: Number(row.event_seq),
  at: Number(row.at),
  event: row.event,
  userId: row.user_id,
  period: row.period,
  amount: row.amount === null ? null : fromUnits(row.amount),
  reason: row.reason
})

/** Subscriptions as they are read. */
export class SubscriptionRepository extends Context.Service<
  SubscriptionRepository,
  {
    readonly find: (id: string) => Effect.Effect<SubscriptionState | undefined, Unavailable>
    /** A company, and those that keep metadata with the subscriptions that it sells, where those are listed. */
    readonly keepers: (filter: SubscriptionFilter) => Effect.Effect<ReadonlyArray<string>, FilterTooWide | Unavailable>
    /** Oldest first. */
    readonly list: (
      filter: SubscriptionFilter,
      page: Page
    ) => Effect.Effect<SubscriptionPage, Unavailable | Keyset.UnknownCursor>
    /** What happened to one, oldest first. */
    readonly history: (id: string, page: Page) => Effect.Effect<ActPage, Unavailable | Keyset.UnknownCursor>
    /** The ids of at most `limit` that have something to do at a time, the longest due first. */
    readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<string>, Unavailable>
  }
>()("emporion/subscriptions/SubscriptionRepository") {
  static readonly layer: Layer.Layer<SubscriptionRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => SubscriptionRepository.of(reads(sql)))
  )
}

const reads = (sql: SqlClient) => {
  const select = sql`
    SELECT subscription.*, stream.version
    FROM subscriptions AS subscription JOIN event_streams AS stream ON stream.id = 'subscription/' || subscription.id`
  return {
    find: (id: string) =>
      sql<SubscriptionRow>`${select} WHERE subscription.id = ${id}`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(toState)[0])
      ),
    keepers: ({ companyId, role }: SubscriptionFilter) =>
      role === "buyer"
        ? Effect.succeed([companyId])
        : Effect.map(keepersOf(sql, "subscriptions", companyId), (buyers) => [companyId, ...buyers]),
    list: Effect.fnUntraced(function* ({ companyId, role, status }: SubscriptionFilter, page: Page) {
      const [buys, sells] = [sql`company_id = ${companyId}`, sql`seller_id = ${companyId}`]
      const listed: Keyset.Listed<SubscriptionRow> = {
        select,
        from: sql`subscriptions AS subscription`,
        scope: role === undefined ? sql`(${buys} OR ${sells})` : role === "buyer" ? buys : sells,
        wanted: status === undefined ? undefined : sql`status = ${status}`,
        order: [{ column: "subscription.created_at" }, { column: "subscription.id" }],
        id: "subscription.id",
        idOf: ({ id }) => id,
        hasMetadataIndex: true
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { subscriptions: rows.map(toState), total, next }
    }, unavailableOrDie),
    history: Effect.fnUntraced(function* (id: string, page: Page) {
      const listed: Keyset.Listed<ActRow> = {
        select: sql`SELECT event_seq, at, event, user_id, period, amount, reason FROM subscription_history`,
        from: sql`subscription_history`,
        scope: sql`subscription_id = ${id}`,
        order: [{ column: "event_seq" }],
        id: "event_seq",
        isNumber: true,
        idOf: (row) => String(row.event_seq)
      }
      const { next, rows, total } = yield* Keyset.page(sql, listed, page)
      return { acts: rows.map(toAct), total, next }
    }, unavailableOrDie),
    due: (now: number, limit: number) =>
      sql<{ readonly id: string }>`
        SELECT id FROM subscriptions WHERE next_at <= ${BigInt(now)} ORDER BY next_at, id LIMIT ${limit}`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(({ id }) => id))
      )
  }
}
