import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { MoneyWithdrawn } from "../../engine/transfers/TransferEvent.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

/** Money that its owner took out. */
export type Withdrawal = Omit<MoneyWithdrawn, "_tag">

export interface WithdrawalPage {
  readonly withdrawals: ReadonlyArray<Withdrawal>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

interface WithdrawalRow {
  readonly id: string
  readonly owner: string
  readonly fund_id: string
  readonly asset: string
  readonly quantity: string
  readonly at: bigint
}

const toWithdrawal = (row: WithdrawalRow): Withdrawal => ({
  at: Number(row.at),
  withdrawalId: row.id,
  owner: row.owner,
  fundId: row.fund_id,
  asset: row.asset,
  quantity: fromUnits(BigInt(row.quantity))
})

/** Withdrawals in the database. */
export class WithdrawalRepository extends Context.Service<
  WithdrawalRepository,
  {
    /** Those of an owner, newest first. */
    readonly list: (owner: string, page: Page) => Effect.Effect<WithdrawalPage, Unavailable | Keyset.UnknownCursor>
  }
>()("emporion/transfers/WithdrawalRepository") {
  static readonly layer: Layer.Layer<WithdrawalRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      WithdrawalRepository.of({
        list: Effect.fnUntraced(function* (owner, page) {
          const listed: Keyset.Listed<WithdrawalRow> = {
            select: sql`SELECT id, owner, fund_id, asset, quantity::text AS quantity, at FROM withdrawals`,
            from: sql`withdrawals`,
            scope: sql`owner = ${owner}`,
            order: [{ column: "event_seq", descending: true }],
            id: "id",
            idOf: ({ id }) => id
          }
          const { next, rows, total } = yield* Keyset.page(sql, listed, page)
          return { withdrawals: rows.map(toWithdrawal), total, next }
        }, unavailableOrDie)
      })
    )
  )
}
