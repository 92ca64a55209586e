import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Page } from "../api/Paging.ts"
import { unavailableOrDie } from "../database/DatabaseError.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"
import type { Verdict } from "../identity/KycRecords.ts"
import type { KycFacts, KycFilter, KycStanding, KycStatus } from "./KycRecord.ts"
import type { SealedFacts } from "./KycSeal.ts"

/** A record as it is kept. */
export interface StoredKyc extends KycStanding, Omit<KycFacts, "phoneNumber" | "identityId"> {
  readonly sealed: SealedFacts
}

/** What an administrator decided on a record that awaits review. */
export interface Decision {
  readonly by: string
  readonly at: number
  readonly verdict: Verdict
  /** Why, where it is rejected. */
  readonly reason: string | undefined
}

interface Row {
  readonly id: string
  readonly user_id: string
  readonly fullnames: string
  readonly address: string
  readonly country: string
  readonly email: string
  readonly sealed_key: Uint8Array
  readonly sealed_phone_number: Uint8Array
  readonly sealed_identity_id: Uint8Array
  readonly status: KycStatus
  readonly reason: string | null
  readonly submitted_at: bigint
  readonly reviewed_at: bigint | null
}

const toStored = (row: Row): StoredKyc => ({
  id: row.id,
  userId: row.user_id,
  fullnames: row.fullnames,
  address: row.address,
  country: row.country,
  email: row.email,
  sealed: { key: row.sealed_key, phoneNumber: row.sealed_phone_number, identityId: row.sealed_identity_id },
  status: row.status,
  reason: row.reason ?? undefined,
  submittedAt: Number(row.submitted_at),
  reviewedAt: row.reviewed_at === null ? undefined : Number(row.reviewed_at)
})

const first = (rows: ReadonlyArray<Row>): StoredKyc | undefined =>
  rows[0] === undefined ? undefined : toStored(rows[0])

const reads = (sql: SqlClient) => ({
  find: (id: string) => sql<Row>`SELECT * FROM kyc_records WHERE id = ${id}`.pipe(Effect.map(first), unavailableOrDie),
  findOpen: (userId: string) =>
    sql<Row>`SELECT * FROM kyc_records WHERE user_id = ${userId} AND status <> 'rejected'`.pipe(
      Effect.map(first),
      unavailableOrDie
    ),
  openStatus: (userId: string) =>
    sql<{ readonly status: KycStatus }>`
      SELECT status FROM kyc_records WHERE user_id = ${userId} AND status <> 'rejected'`.pipe(
      Effect.map((rows) => rows[0]?.status),
      unavailableOrDie
    ),
  list: Effect.fnUntraced(function* ({ status, userId }: KycFilter, page: Page) {
    const listed: Keyset.Listed<Row> = {
      select: sql`SELECT * FROM kyc_records`,
      from: sql`kyc_records`,
      scope: userId === undefined ? sql`true` : sql`user_id = ${userId}`,
      wanted: status === undefined ? undefined : sql`status = ${status}`,
      order: [{ column: "submitted_at" }, { column: "id" }],
      id: "id",
      idOf: ({ id }) => id,
      placeOf: ({ id, submitted_at }) => [submitted_at, id]
    }
    const { next, rows, total } = yield* Keyset.page(sql, listed, page)
    return { records: rows.map(toStored), total, next }
  }, unavailableOrDie)
})

const writes = (sql: SqlClient) => ({
  add: (record: Omit<StoredKyc, "status" | "reason" | "reviewedAt">) =>
    sql<{ readonly id: string }>`
      INSERT INTO kyc_records (id, user_id, fullnames, address, country, email, sealed_key, sealed_phone_number,
        sealed_identity_id, status, submitted_at)
      VALUES (${record.id}, ${record.userId}, ${record.fullnames}, ${record.address}, ${record.country},
        ${record.email}, ${record.sealed.key}, ${record.sealed.phoneNumber}, ${record.sealed.identityId}, 'pending',
        ${BigInt(record.submittedAt)})
      ON CONFLICT DO NOTHING RETURNING id`.pipe(
      Effect.map((rows) => rows.length === 1),
      unavailableOrDie
    ),
  lockOf: (userId: string) =>
    sql`SELECT id FROM kyc_records WHERE user_id = ${userId} AND status <> 'rejected' FOR UPDATE`.pipe(
      Effect.asVoid,
      unavailableOrDie
    ),
  decide: (userId: string, { at, by, reason, verdict }: Decision) =>
    sql<{ readonly id: string }>`
      UPDATE kyc_records SET status = ${verdict}, reason = ${reason ?? null},
        reviewed_at = greatest(submitted_at, ${BigInt(at)}), reviewed_by = ${by}
      WHERE user_id = ${userId} AND status = 'pending' RETURNING id`.pipe(
      Effect.map((rows) => rows[0]?.id),
      unavailableOrDie
    )
})

/** KYC records in the database, what identifies a person sealed. */
export class KycRepository extends Context.Service<
  KycRepository,
  {
    readonly transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, Exclude<E, SqlError> | Unavailable, R>
    readonly find: (id: string) => Effect.Effect<StoredKyc | undefined, Unavailable>
    /** The person's record that was not rejected. */
    readonly findOpen: (userId: string) => Effect.Effect<StoredKyc | undefined, Unavailable>
    /** Its status alone. */
    readonly openStatus: (userId: string) => Effect.Effect<KycStatus | undefined, Unavailable>
    /** The oldest first. */
    readonly list: (
      filter: KycFilter,
      page: Page
    ) => Effect.Effect<
      { readonly records: ReadonlyArray<StoredKyc>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
    /** Adds a pending record: false where the id is taken, or the person has one that was not rejected. */
    readonly add: (record: Omit<StoredKyc, "status" | "reason" | "reviewedAt">) => Effect.Effect<boolean, Unavailable>
    /** Holds the person's record that was not rejected until the transaction ends. */
    readonly lockOf: (userId: string) => Effect.Effect<void, Unavailable>
    /** Decides the person's record that awaits review, and answers its id; undefined where none does. */
    readonly decide: (userId: string, decision: Decision) => Effect.Effect<string | undefined, Unavailable>
  }
>()("emporion/kyc/KycRepository") {
  static readonly layer: Layer.Layer<KycRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      KycRepository.of({
        transaction: (effect) => unavailableOrDie(sql.withTransaction(effect)),
        ...reads(sql),
        ...writes(sql)
      })
    )
  )
}
