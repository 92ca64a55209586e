import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Index, Segment } from "../../engine/arena/YieldIndex.ts"
import { VAULT } from "../../engine/arena/Order.ts"
import { accountParts } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import * as Rate from "../../engine/money/Rate.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

export interface VaultTotals {
  readonly yieldGenerated: Amount
  readonly collateralLocked: Amount
  readonly activeCommitments: number
}

/** The vault's yields over time, its totals, and whether it takes deposits. */
export class VaultRepository extends Context.Service<
  VaultRepository,
  {
    readonly segments: Effect.Effect<ReadonlyArray<Segment>, Unavailable>
    readonly addSegment: (segment: Segment) => Effect.Effect<void, Unavailable>
    readonly totals: Effect.Effect<VaultTotals, Unavailable>
    readonly setClosed: (closed: boolean) => Effect.Effect<void, Unavailable>
  }
>()("emporion/arena/VaultRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const vault = accountParts(VAULT)
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
        setClosed: (closed) =>
          sql`
            INSERT INTO ledger_accounts AS account (id, owner, asset, kind, closed)
            VALUES (${VAULT}, ${vault.owner}, ${vault.asset}, ${vault.kind}, ${closed})
            ON CONFLICT (id) DO UPDATE SET closed = EXCLUDED.closed`.pipe(unavailableOrDie, Effect.asVoid)
      })
    })
  )
}
