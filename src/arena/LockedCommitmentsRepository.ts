import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { LockedCommitment, LockedCommitments, VaultTotals } from "../../engine/arena/ArenaRows.ts"
import { texts } from "../database/ArrayParameter.ts"
import { Direct } from "../database/BoundedClient.ts"
import { commitmentsOfOrder } from "./CommitmentRepository.ts"

interface Row {
  readonly id: string
  readonly order_id: string
  readonly collateral: bigint
  readonly won: boolean
}

/** What the tables have of locked collateral, whatever the journal has behind them. */
export class LockedCommitmentsRepository extends Context.Service<
  LockedCommitmentsRepository,
  {
    readonly totals: Effect.Effect<VaultTotals, SqlError>
    /** Of each of these orders, also of those that have none. */
    readonly ofOrders: (orders: ReadonlySet<string>) => Effect.Effect<LockedCommitments, SqlError>
  }
>()("emporion/arena/LockedCommitmentsRepository") {
  static readonly layer: Layer.Layer<LockedCommitmentsRepository, never, Direct> = Layer.effect(
    this,
    Effect.map(Direct, (sql) =>
      LockedCommitmentsRepository.of({
        totals: sql<{ readonly generated: string; readonly locked: string; readonly commitments: bigint }>`
          SELECT yield_generated::text AS generated, collateral_locked::text AS locked,
            active_commitments AS commitments
          FROM arena_vault_totals`.pipe(
          Effect.map(([row]) => ({
            generated: BigInt(row?.generated ?? 0),
            locked: BigInt(row?.locked ?? 0),
            commitments: row?.commitments ?? 0n
          }))
        ),
        ofOrders: (orders) =>
          Effect.map(
            sql<Row>`
              SELECT own.id, own.order_id, own.collateral, own.status = 'won' AS won
              FROM unnest(${texts([...orders])}::text[]) AS one (id)
              CROSS JOIN LATERAL ${commitmentsOfOrder(sql, sql`one.id`)} AS own
              WHERE own.status IN ('active', 'won') ORDER BY own.event_seq`,
            (rows) => {
              const locked = new Map([...orders].map((id) => [id, new Map<string, LockedCommitment>()]))
              for (const { collateral, id, order_id, won } of rows) {
                locked.get(order_id)?.set(id, { collateral, hasWon: won })
              }
              return locked
            }
          )
      })
    )
  )
}
