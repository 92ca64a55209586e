import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

/** A beneficiary as it is kept: its account number in a box that only `SECRET_KEY` opens. */
export interface StoredBeneficiary {
  readonly id: string
  readonly owner: string
  readonly accountName: string
  readonly numberBox: Uint8Array
  /** The number's last characters. */
  readonly numberEnd: string
  readonly country: string | undefined
  readonly bankId: string | undefined
  readonly createdAt: number
}

interface Row {
  readonly id: string
  readonly owner: string
  readonly account_name: string
  readonly number_box: Uint8Array
  readonly number_end: string
  readonly country: string | null
  readonly bank_id: string | null
  readonly created_at: bigint
}

const toStored = (row: Row): StoredBeneficiary => ({
  id: row.id,
  owner: row.owner,
  accountName: row.account_name,
  numberBox: row.number_box,
  numberEnd: row.number_end,
  country: row.country ?? undefined,
  bankId: row.bank_id ?? undefined,
  createdAt: Number(row.created_at)
})

/** Beneficiaries in the database. A deleted one keeps its row, without its number. */
export class BeneficiaryRepository extends Context.Service<
  BeneficiaryRepository,
  {
    /** Adds one, or names and revives the one of the same id: answers it, or undefined where the owner has `max`. */
    readonly put: (
      beneficiary: StoredBeneficiary,
      max: number
    ) => Effect.Effect<StoredBeneficiary | undefined, Unavailable>
    readonly exists: (owner: string, id: string) => Effect.Effect<boolean, Unavailable>
    /** Those of an owner, oldest first. */
    readonly list: (
      owner: string,
      page: Page
    ) => Effect.Effect<
      { readonly found: ReadonlyArray<StoredBeneficiary>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
    /** Whether there was one to delete. */
    readonly remove: (owner: string, id: string, at: number) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/transfers/BeneficiaryRepository") {
  static readonly layer: Layer.Layer<BeneficiaryRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const columns = sql`id, owner, account_name, number_box, number_end, country, bank_id, created_at`
      return BeneficiaryRepository.of({
        put: (one, max) =>
          sql<Row>`
            INSERT INTO beneficiaries (${columns})
            SELECT ${one.id}, ${one.owner}, ${one.accountName}, ${one.numberBox}, ${one.numberEnd},
              ${one.country ?? null}, ${one.bankId ?? null}, ${BigInt(one.createdAt)}
            WHERE EXISTS (SELECT FROM beneficiaries WHERE id = ${one.id} AND deleted_at IS NULL) OR
              (SELECT count(*) FROM beneficiaries WHERE owner = ${one.owner} AND deleted_at IS NULL) < ${BigInt(max)}
            ON CONFLICT (id) DO UPDATE SET account_name = EXCLUDED.account_name, number_box = EXCLUDED.number_box,
              deleted_at = NULL
            RETURNING ${columns}`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toStored)[0])
          ),
        exists: (owner, id) =>
          sql`SELECT 1 FROM beneficiaries WHERE id = ${id} AND owner = ${owner} AND deleted_at IS NULL`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.length > 0)
          ),
        list: Effect.fnUntraced(function* (owner, page) {
          const listed: Keyset.Listed<Row> = {
            select: sql`SELECT ${columns} FROM beneficiaries`,
            from: sql`beneficiaries`,
            scope: sql`owner = ${owner}`,
            wanted: sql`deleted_at IS NULL`,
            order: [{ column: "created_at" }, { column: "id" }],
            id: "id",
            idOf: ({ id }) => id,
            placeOf: ({ created_at, id }) => [created_at, id]
          }
          const { next, rows, total } = yield* Keyset.page(sql, listed, page)
          return { found: rows.map(toStored), total, next }
        }, unavailableOrDie),
        remove: (owner, id, at) =>
          sql`
            UPDATE beneficiaries SET deleted_at = ${BigInt(at)}, number_box = NULL
            WHERE id = ${id} AND owner = ${owner} AND deleted_at IS NULL RETURNING id`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.length > 0)
          )
      })
    })
  )
}
