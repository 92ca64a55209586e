import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { RECENT_ORDERS, type Turnout } from "../../engine/arena/Fairness.ts"
import { machineTraderStream } from "../../engine/arena/MachineTraderRegistration.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { commitmentsOfOrder } from "./CommitmentRepository.ts"

/** A bot may also be `inactive` or `paused`. */
export type MachineTraderStatus = "inactive" | "active" | "paused" | "suspended" | "terminated"

/** A machine trader as it is stored. Times are milliseconds since 1970. */
export interface MachineTraderRecord {
  readonly id: string
  readonly agentId: string
  readonly agentUri: string
  /** The company. */
  readonly owner: string
  readonly userId: string
  readonly walletAddress: string
  readonly capabilities: ReadonlyArray<AssetType>
  /** What it may lose, in 10⁻⁶ USD; 0 for a bot, whose limit follows from its funding. */
  readonly collateralAllocated: Amount
  readonly model: string
  readonly riskTolerance: string
  readonly status: MachineTraderStatus
  /** Null for a bot, which is active from time to time. */
  readonly activeFrom: number | null
}

/** What one machine trader did. */
export interface MachineTraderScore {
  readonly traderId: string
  readonly agentId: string
  readonly status: MachineTraderStatus
  readonly totalCommitments: number
  readonly commitmentsWon: number
  /** Commitments that won or lost; void orders decide nothing. */
  readonly decided: number
  /** Commitments with a posted profit. */
  readonly settled: number
  readonly totalProfit: Amount
  /** What its collateral earned in the vault. */
  readonly totalYield: Amount
}

interface TraderRow {
  readonly id: string
  readonly agent_id: string
  readonly agent_uri: string
  readonly owner: string
  readonly user_id: string
  readonly wallet_address: string
  readonly capabilities: ReadonlyArray<AssetType>
  readonly collateral_allocated: bigint
  readonly model: string
  readonly risk_tolerance: string
  readonly status: MachineTraderStatus
  readonly active_from: bigint | null
}

interface ScoreRow {
  readonly id: string
  readonly agent_id: string
  readonly status: MachineTraderStatus
  readonly total: bigint
  readonly won: bigint
  readonly decided: bigint
  readonly settled: bigint
  readonly profit: string
  readonly yield_earned: string
}

const toRecord = (row: TraderRow): MachineTraderRecord => ({
  id: row.id,
  agentId: row.agent_id,
  agentUri: row.agent_uri,
  owner: row.owner,
  userId: row.user_id,
  walletAddress: row.wallet_address,
  capabilities: row.capabilities,
  collateralAllocated: fromUnits(row.collateral_allocated),
  model: row.model,
  riskTolerance: row.risk_tolerance,
  status: row.status,
  activeFrom: row.active_from === null ? null : Number(row.active_from)
})

const toScore = (row: ScoreRow): MachineTraderScore => ({
  traderId: row.id,
  agentId: row.agent_id,
  status: row.status,
  totalCommitments: Number(row.total),
  commitmentsWon: Number(row.won),
  decided: Number(row.decided),
  settled: Number(row.settled),
  totalProfit: fromUnits(BigInt(row.profit)),
  totalYield: fromUnits(BigInt(row.yield_earned))
})

const traders = (sql: SqlClient) => sql`
  SELECT trader.id, trader.agent_id, trader.agent_uri, coalesce(heir.owner, trader.owner) AS owner,
    coalesce(heir.user_id, trader.user_id) AS user_id, trader.wallet_address, trader.capabilities,
    trader.collateral_allocated, trader.model, trader.risk_tolerance, trader.status, trader.active_from
  FROM machine_traders AS trader LEFT JOIN machine_trader_owners AS heir ON heir.trader_id = trader.id`

const readings = (sql: SqlClient) => ({
  find: (id: string) => sql<TraderRow>`${traders(sql)} WHERE trader.id = ${id}`,
  findByAgent: (agentId: string) => sql<TraderRow>`${traders(sql)} WHERE trader.agent_id = ${agentId}`,
  unrecorded: sql<TraderRow>`${traders(sql)}
    WHERE trader.active_from IS NOT NULL
      AND NOT EXISTS (SELECT FROM event_streams WHERE id = ${machineTraderStream("")} || trader.id)
    ORDER BY trader.id`,
  activeOwners: (assetType: AssetType, from: number, to: number) => sql<{ readonly owner: string }>`
    SELECT DISTINCT owner FROM machine_trader_activity
    WHERE ${assetType} = ANY(capabilities) AND active_from < ${BigInt(to)}
      AND (active_until IS NULL OR active_until > ${BigInt(from)})`,
  capableCount: (assetType: AssetType) => sql<{ readonly capable: bigint }>`
    SELECT count(*) AS capable FROM machine_traders WHERE status = 'active' AND ${assetType} = ANY(capabilities)`,
  turnout: (assetType: AssetType, until: number) => sql<{
    readonly owner: string
    readonly orders: bigint
    readonly committed: bigint
  }>`
    WITH recent AS (
      SELECT id, opened_at, expiry_at FROM arena_orders
      WHERE asset_type = ${assetType} AND expiry_at <= ${BigInt(until)}
      ORDER BY opened_at DESC, id LIMIT ${RECENT_ORDERS}),
    capable AS (
      SELECT DISTINCT trader.owner, recent.id AS order_id FROM recent
      JOIN machine_trader_activity AS trader ON ${assetType} = ANY(trader.capabilities)
        AND trader.active_from < recent.expiry_at
        AND (trader.active_until IS NULL OR trader.active_until > recent.opened_at)),
    committed AS (
      SELECT DISTINCT own.owner, own.order_id FROM recent
      CROSS JOIN LATERAL ${commitmentsOfOrder(sql, sql`recent.id`)} AS own WHERE own.bot_id IS NOT NULL)
    SELECT capable.owner, count(*) AS orders, count(committed.order_id) AS committed
    FROM capable LEFT JOIN committed USING (owner, order_id) GROUP BY capable.owner`,
  scores: (traderIds: ReadonlyArray<string> | undefined) => {
    const these = traderIds === undefined ? sql`` : sql`WHERE trader.id = ANY(${traderIds}::text[])`
    return sql<ScoreRow>`
      SELECT trader.id, trader.agent_id, trader.status,
        count(bid.id) AS total,
        count(bid.id) FILTER (WHERE bid.status IN ('won', 'settled')) AS won,
        count(bid.id) FILTER (WHERE bid.status IN ('won', 'settled') OR (bid.status = 'lost' AND bid.reason <> 'void'))
          AS decided,
        count(bid.id) FILTER (WHERE bid.status = 'settled') AS settled,
        coalesce(sum(bid.profit), 0)::text AS profit,
        coalesce(sum(bid.yield_earned), 0)::text AS yield_earned
      FROM machine_traders AS trader LEFT JOIN arena_commitments AS bid ON bid.bot_id = trader.id
      ${these} GROUP BY trader.id ORDER BY trader.active_from, trader.id`
  }
})

/** A machine trader that was given to one user stays with it. */
const handOver = (sql: SqlClient, from: string, to: { readonly userId: string; readonly companyId: string }) => sql`
  INSERT INTO machine_trader_owners (trader_id, owner, user_id)
  SELECT id, ${to.companyId}, ${to.userId} FROM machine_traders WHERE user_id = ${from}
  ON CONFLICT (trader_id) DO NOTHING`

/** Machine traders in the database, and what their commitments say of them. */
export class MachineTraderRepository extends Context.Service<
  MachineTraderRepository,
  {
    /** Those that are no bots and were registered before that was recorded. */
    readonly unrecorded: Effect.Effect<ReadonlyArray<MachineTraderRecord>, Unavailable>
    /** Gives all of one user's machine traders to another. */
    readonly handOver: (
      from: string,
      to: { readonly userId: string; readonly companyId: string }
    ) => Effect.Effect<void, Unavailable>
    readonly find: (id: string) => Effect.Effect<MachineTraderRecord | undefined, Unavailable>
    readonly findByAgent: (agentId: string) => Effect.Effect<MachineTraderRecord | undefined, Unavailable>
    readonly activeOwners: (
      assetType: AssetType,
      from: number,
      to: number
    ) => Effect.Effect<ReadonlySet<string>, Unavailable>
    readonly capableCount: (assetType: AssetType) => Effect.Effect<number, Unavailable>
    readonly turnout: (assetType: AssetType, until: number) => Effect.Effect<ReadonlyMap<string, Turnout>, Unavailable>
    /** Of some machine traders or of all, oldest first, bots last. */
    readonly scores: (
      traderIds: ReadonlyArray<string> | undefined
    ) => Effect.Effect<ReadonlyArray<MachineTraderScore>, Unavailable>
  }
>()("emporion/arena/MachineTraderRepository") {
  static readonly layer: Layer.Layer<MachineTraderRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const read = readings(sql)
      const one = (rows: ReadonlyArray<TraderRow>) => rows.map(toRecord)[0]
      return MachineTraderRepository.of({
        unrecorded: read.unrecorded.pipe(
          unavailableOrDie,
          Effect.map((rows) => rows.map(toRecord))
        ),
        handOver: (from, to) => handOver(sql, from, to).pipe(Effect.asVoid, unavailableOrDie),
        find: (id) => read.find(id).pipe(unavailableOrDie, Effect.map(one)),
        findByAgent: (agentId) => read.findByAgent(agentId).pipe(unavailableOrDie, Effect.map(one)),
        activeOwners: (assetType, from, to) =>
          read.activeOwners(assetType, from, to).pipe(
            unavailableOrDie,
            Effect.map((rows) => new Set(rows.map(({ owner }) => owner)))
          ),
        capableCount: (assetType) =>
          read.capableCount(assetType).pipe(
            unavailableOrDie,
            Effect.map(([row]) => Number(row?.capable ?? 0n))
          ),
        turnout: (assetType, until) =>
          read.turnout(assetType, until).pipe(
            unavailableOrDie,
            Effect.map(
              (rows) =>
                new Map(
                  rows.map(({ owner, orders, committed }) => [
                    owner,
                    { orders: Number(orders), committed: Number(committed) }
                  ])
                )
            )
          ),
        scores: (traderIds) =>
          read.scores(traderIds).pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toScore))
          )
      })
    })
  )
}
