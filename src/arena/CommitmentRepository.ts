import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import type { CommitmentStatus, LossReason, TraderType } from "../../engine/arena/Commitment.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

/** A commitment as it is shown. Times are milliseconds since 1970. */
export interface CommitmentView {
  readonly commitmentId: string
  readonly orderId: string
  readonly assetType: AssetType
  readonly owner: string
  readonly userId: string
  readonly traderAddress: string
  readonly traderType: TraderType
  readonly botId: string | null
  readonly proposedPrice: Amount
  readonly exitPrice: Amount
  readonly quantity: Amount
  readonly slippage: Amount
  readonly collateral: Amount
  readonly status: CommitmentStatus
  readonly reason: LossReason | null
  /** Its place in the ranking from 1, after the choice. */
  readonly rank: number | null
  /** In 10⁻¹² USD, after the choice. */
  readonly score: bigint | null
  readonly profit: Amount
  readonly yieldEarned: Amount
  readonly acceptedAt: number
}

/** A commitment as its row has it. */
export interface StoredCommitment extends CommitmentView {
  /** The sequence of the event that accepted it. */
  readonly seq: number
}

interface Row {
  readonly id: string
  readonly event_seq: bigint
  readonly order_id: string
  readonly asset_type: AssetType
  readonly owner: string
  readonly user_id: string
  readonly trader_address: string
  readonly trader_type: TraderType
  readonly bot_id: string | null
  readonly proposed_price: bigint
  readonly exit_price: bigint
  readonly quantity: bigint
  readonly slippage: number
  readonly collateral: bigint
  readonly status: CommitmentStatus
  readonly reason: LossReason | null
  readonly ranked: number | null
  readonly score: string | null
  readonly profit: bigint
  readonly yield_earned: bigint
  readonly accepted_at: bigint
}

const toCommitment = (row: Row): StoredCommitment => ({
  seq: Number(row.event_seq),
  commitmentId: row.id,
  orderId: row.order_id,
  assetType: row.asset_type,
  owner: row.owner,
  userId: row.user_id,
  traderAddress: row.trader_address,
  traderType: row.trader_type,
  botId: row.bot_id,
  proposedPrice: fromUnits(row.proposed_price),
  exitPrice: fromUnits(row.exit_price),
  quantity: fromUnits(row.quantity),
  slippage: fromUnits(BigInt(row.slippage)),
  collateral: fromUnits(row.collateral),
  status: row.status,
  reason: row.reason,
  rank: row.ranked,
  score: row.score === null ? null : BigInt(row.score),
  profit: fromUnits(row.profit),
  yieldEarned: fromUnits(row.yield_earned),
  acceptedAt: Number(row.accepted_at)
})

/** The most commitments shown with one order. */
export const MAX_SHOWN_COMMITMENTS = 10_000

/** What an owner has at stake on an order. */
export interface Stake {
  readonly owner: string
  /** Its largest collateral there. */
  readonly weight: Amount
  /** Whether it committed as a machine there. */
  readonly machine: boolean
  /** The machine traders that it committed with. */
  readonly bots: ReadonlyArray<string>
}

/**
 * The commitments of an order that is named by a column or parameter, as what a `LATERAL` selects from: by the one index of
 * their ids, of which those of an order begin alike.
 */
export const commitmentsOfOrder = (sql: SqlClient, orderId: Fragment): Fragment => {
  const begin = sql`'com_' || substr(${orderId}, 5)`
  // Without the limit that is none, the planner may read the whole table for many orders, whose lengths it cannot know.
  return sql`(
    SELECT * FROM arena_commitments
    WHERE id ~>~ (${begin} || '_') AND id ~<~ (${begin} || '\`') AND order_id = ${orderId} OFFSET 0)`
}

/** Some commitments, and how many there are. */
export interface CommitmentPage {
  readonly commitments: ReadonlyArray<StoredCommitment>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

interface Listing extends Page {
  readonly status: CommitmentStatus | undefined
}

/** Which of a user's commitments. */
export interface MyCommitments extends Listing {
  readonly userId: string
}

/** Which of a machine trader's commitments. */
export interface BotCommitments extends Listing {
  readonly botId: string
}

/** Reads commitments. They are written by their order's events alone. */
export class CommitmentRepository extends Context.Service<
  CommitmentRepository,
  {
    /** An order's commitments: by rank after the choice, before it in the sequence of acceptance. */
    readonly ofOrder: (orderId: string) => Effect.Effect<ReadonlyArray<StoredCommitment>, Unavailable>
    /** The same of several orders. */
    readonly ofOrders: (orderIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredCommitment>, Unavailable>
    /** What each owner has at stake on an order. */
    readonly stakes: (orderId: string) => Effect.Effect<ReadonlyArray<Stake>, Unavailable>
    /** A machine trader's, newest first. */
    readonly ofBot: (query: BotCommitments) => Effect.Effect<CommitmentPage, Unavailable | Keyset.UnknownCursor>
    /** A user's own, newest first. */
    readonly mine: (query: MyCommitments) => Effect.Effect<CommitmentPage, Unavailable | Keyset.UnknownCursor>
  }
>()("emporion/arena/CommitmentRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql`
        c.id, c.event_seq, c.order_id, o.asset_type, c.owner, c.user_id, c.trader_address, c.trader_type, c.bot_id, c.proposed_price,
        c.exit_price, c.quantity, c.slippage, c.collateral, c.status, c.reason, c.ranked, c.score::text AS score,
        c.profit, c.yield_earned, c.accepted_at`
      const listed = Effect.fnUntraced(function* (whose: Fragment, { status, ...page }: Listing) {
        const list: Keyset.Listed<Row> = {
          select: sql`SELECT ${columns} FROM arena_commitments AS c JOIN arena_orders AS o ON o.id = c.order_id`,
          from: sql`arena_commitments AS c`,
          scope: whose,
          wanted: status === undefined ? undefined : sql`c.status = ${status}`,
          order: [{ column: "c.event_seq", descending: true }],
          id: "c.id",
          idOf: ({ id }) => id
        }
        const { next, rows, total } = yield* Keyset.page(sql, list, page)
        return { commitments: rows.map(toCommitment), total, next }
      }, unavailableOrDie)
      return CommitmentRepository.of({
        ofOrder: (orderId) =>
          sql<Row>`
            SELECT ${columns} FROM arena_orders AS o CROSS JOIN LATERAL ${commitmentsOfOrder(sql, sql`o.id`)} AS c
            WHERE o.id = ${orderId} ORDER BY c.ranked NULLS LAST, c.event_seq
            LIMIT ${BigInt(MAX_SHOWN_COMMITMENTS)}`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toCommitment))
          ),
        ofOrders: (orderIds) =>
          sql<Row>`
            SELECT ${columns} FROM arena_orders AS o CROSS JOIN LATERAL (
              SELECT * FROM ${commitmentsOfOrder(sql, sql`o.id`)} AS own
              ORDER BY ranked NULLS LAST, event_seq LIMIT ${BigInt(MAX_SHOWN_COMMITMENTS)}) AS c
            WHERE o.id = ANY(${orderIds}::text[]) ORDER BY c.order_id, c.ranked NULLS LAST, c.event_seq`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toCommitment))
          ),
        stakes: (orderId) =>
          sql<{ owner: string; weight: bigint; machine: boolean; bots: ReadonlyArray<string> }>`
            SELECT owner, max(collateral)::bigint AS weight, bool_or(trader_type = 'machine') AS machine,
              coalesce(array_agg(DISTINCT bot_id) FILTER (WHERE bot_id IS NOT NULL), '{}') AS bots
            FROM ${commitmentsOfOrder(sql, sql`${orderId}::text`)} AS own GROUP BY owner ORDER BY owner`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map((row): Stake => ({ ...row, weight: fromUnits(row.weight) })))
          ),
        ofBot: ({ botId, ...of }) => listed(sql`c.bot_id = ${botId}`, of),
        mine: ({ userId, ...of }) => listed(sql`c.user_id = ${userId}`, of)
      })
    })
  )
}
