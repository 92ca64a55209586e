import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { decodeArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { commitmentsOfOrder } from "./CommitmentRepository.ts"

/** Which orders a snapshot holds. An empty list is no restriction. */
export interface SnapshotFilter {
  readonly assetTypes: ReadonlyArray<AssetType>
  /** Where it names orders, these alone, settled ones too; else every order that is not settled. */
  readonly orderIds: ReadonlyArray<string>
}

/** An order of a snapshot, and how many commitments come with it. */
export interface SnapshotOrder {
  readonly orderId: string
  readonly commitments: number
}

/** What is needed of an order's past: the events before a version, or the opening alone. */
export interface PastNeed {
  readonly orderId: string
  readonly before: number
  readonly openingOnly: boolean
}

/** Reads orders as they are or were at one position of the log of events. */
export class OrderSnapshotRepository extends Context.Service<
  OrderSnapshotRepository,
  {
    /** Runs reads on one state of the database, told the sequence of its last event. */
    readonly consistently: <A, E, R>(
      read: (seq: number) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | Unavailable, R>
    /** The orders of a snapshot, oldest first. */
    readonly select: (filter: SnapshotFilter) => Effect.Effect<ReadonlyArray<SnapshotOrder>, Unavailable>
    /** The orders' past events by order, in order. */
    readonly past: (
      needs: ReadonlyArray<PastNeed>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<ArenaEvent>>, Unavailable>
  }
>()("emporion/arena/OrderSnapshotRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      OrderSnapshotRepository.of({
        consistently: (read) => consistently(sql, read),
        select: (filter) => select(sql, filter),
        past: (needs) => (needs.length === 0 ? Effect.succeed(new Map()) : past(sql, needs))
      })
    )
  )
}

const consistently = <A, E, R>(sql: SqlClient, read: (seq: number) => Effect.Effect<A, E, R>) =>
  sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
        const [last] = yield* sql<{ seq: bigint }>`SELECT coalesce(max(seq), 0)::bigint AS seq FROM events`
        return yield* read(Number(last?.seq ?? 0n))
      })
    )
    .pipe(unavailableOrDie)

const select = (sql: SqlClient, { assetTypes, orderIds }: SnapshotFilter) =>
  sql<{ id: string; commitments: bigint }>`
    SELECT o.id, count(c.id)::bigint AS commitments
    FROM arena_orders AS o LEFT JOIN LATERAL ${commitmentsOfOrder(sql, sql`o.id`)} AS c ON true
    WHERE ${orderIds.length === 0 ? sql`o.status <> 'settled'` : sql`o.id = ANY(${orderIds}::text[])`}
      AND ${assetTypes.length === 0 ? sql`true` : sql`o.asset_type = ANY(${assetTypes}::text[])`}
    GROUP BY o.id ORDER BY o.opened_at, o.id`.pipe(
    unavailableOrDie,
    Effect.map((rows) => rows.map((row) => ({ orderId: row.id, commitments: Number(row.commitments) })))
  )

const past = (sql: SqlClient, needs: ReadonlyArray<PastNeed>) =>
  sql<{ order_id: string; data: string }>`
    SELECT need.id AS order_id, e.data FROM unnest(
      ${needs.map(({ orderId }) => orderId)}::text[],
      ${needs.map(({ orderId }) => orderStream(orderId))}::text[],
      ${needs.map(({ before, openingOnly }) => BigInt(openingOnly ? 2 : before))}::integer[]) AS need (id, stream, before)
    JOIN events AS e ON e.stream = need.stream AND e.version < need.before
    ORDER BY e.stream, e.version`.pipe(
    unavailableOrDie,
    Effect.map((rows) => {
      const found = new Map<string, Array<ArenaEvent>>()
      for (const { order_id: orderId, data } of rows) {
        const events = found.get(orderId) ?? []
        events.push(decodeArenaEvent(data))
        found.set(orderId, events)
      }
      return found
    })
  )
