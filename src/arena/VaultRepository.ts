import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Index, Segment } from "../../engine/arena/YieldIndex.ts"
import { VAULT } from "../../engine/arena/Order.ts"
import { VAULT_DEPOSITS_STREAM } from "../../engine/arena/VaultDeposits.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import * as Rate from "../../engine/money/Rate.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

export interface VaultSummary {
  readonly yieldGenerated: Amount
  readonly collateralLocked: Amount
  readonly activeCommitments: number
}

/** Whether the vault takes no deposits, and the version of the stream that says so: 0 where nothing was recorded. */
export interface VaultDeposits {
  readonly closed: boolean
  readonly version: number
}

/** The vault's yields over time, its totals, and whether it takes deposits. */
export class VaultRepository extends Context.Service<
  VaultRepository,
  {
    readonly segments: Effect.Effect<ReadonlyArray<Segment>, Unavailable>
    readonly addSegment: (segment: Segment) => Effect.Effect<void, Unavailable>
    readonly totals: Effect.Effect<VaultSummary, Unavailable>
    readonly deposits: Effect.Effect<VaultDeposits, Unavailable>
  }
>()("emporion/arena/VaultRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return VaultRepository.of({
        segments: sql<{ at: bigint; index: string; apy: bigint }>`
          SELECT at, index::text AS index, apy FROM arena_vault_yields ORDER BY at`.pipe(
          unavailableOrDie,
          Effect.map((rows) =>
            rows.map((row) => ({ at: Number(row.at), index: BigInt(row.index) as Index, apy: Rate.fromUnits(row.apy) }))
          )
        ),
        addSegment: ({ at, index, apy }) =>
          sql`
            INSERT INTO arena_vault_yields (at, index, apy) VALUES (${BigInt(at)}, ${index.toString()}::numeric, ${apy})
            ON CONFLICT (at) DO NOTHING`.pipe(unavailableOrDie, Effect.asVoid),
        totals: sql<{ generated: string; locked: string; active: bigint }>`
          SELECT yield_generated::text AS generated, collateral_locked::text AS locked, active_commitments AS active
          FROM arena_vault_totals`.pipe(
          unavailableOrDie,
          Effect.map(([row]) => ({
            yieldGenerated: fromUnits(BigInt(row?.generated ?? 0)),
            collateralLocked: fromUnits(BigInt(row?.locked ?? 0)),
            activeCommitments: Number(row?.active ?? 0)
          }))
        ),
        deposits: sql<VaultDeposits>`
          SELECT coalesce((SELECT closed FROM ledger_accounts WHERE id = ${VAULT}), false) AS closed,
            coalesce((SELECT version FROM event_streams WHERE id = ${VAULT_DEPOSITS_STREAM}), 0) AS version`.pipe(
          unavailableOrDie,
          Effect.map(([row]) => row ?? { closed: false, version: 0 })
        )
      })
    })
  )
}
