import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"

/** Rows of before removed with one that is written. */
const PRUNE_BATCH = 100

/** Where an account's owner signed in, both as keyed hashes; the time in milliseconds since 1970. */
export interface SignInPlace {
  readonly account: Uint8Array
  readonly place: Uint8Array
  readonly at: number
}

/** Places of sign-ins in the database. */
export class SignInPlaceRepository extends Context.Service<
  SignInPlaceRepository,
  {
    /** Those since a time, at most so many, the latest; in the order of their times. */
    readonly since: (at: number, limit: number) => Effect.Effect<ReadonlyArray<SignInPlace>, Unavailable>
    /** Notes one, keeps so many of its account, the latest, and removes some that are older than a time. */
    readonly keep: (place: SignInPlace, most: number, before: number) => Effect.Effect<void, Unavailable>
  }
>()("emporion/identity/SignInPlaceRepository") {
  static readonly layer: Layer.Layer<SignInPlaceRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => SignInPlaceRepository.of({ since: since(sql), keep: keep(sql) }))
  )
}

const since = (sql: SqlClient) => (at: number, limit: number) =>
  sql<{ readonly account: Uint8Array; readonly place: Uint8Array; readonly at: bigint }>`
    SELECT account, place, at FROM sign_in_places WHERE at >= ${BigInt(at)} ORDER BY at DESC LIMIT ${limit}`.pipe(
    Effect.map((rows) => rows.map((row): SignInPlace => ({ ...row, at: Number(row.at) })).toReversed()),
    unavailableOrDie
  )

const keep =
  (sql: SqlClient) =>
  ({ account, at, place }: SignInPlace, most: number, before: number) =>
    Effect.gen(function* () {
      yield* sql`
        INSERT INTO sign_in_places (account, place, at) VALUES (${account}, ${place}, ${BigInt(at)})
        ON CONFLICT (account, place) DO UPDATE SET at = greatest(sign_in_places.at, excluded.at)`
      yield* sql`
        DELETE FROM sign_in_places WHERE (account, place) IN (
          SELECT account, place FROM sign_in_places WHERE account = ${account}
          ORDER BY at DESC, place OFFSET ${most} FOR UPDATE SKIP LOCKED)`
      yield* sql`
        DELETE FROM sign_in_places WHERE (account, place) IN (
          SELECT account, place FROM sign_in_places WHERE at < ${BigInt(before)}
          ORDER BY at LIMIT ${PRUNE_BATCH} FOR UPDATE SKIP LOCKED)`
    }).pipe(sql.withTransaction, unavailableOrDie)
