import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"

/** Expired rows removed with one that is written. */
const PRUNE_BATCH = 100

/** Sign-ins that were completed, so that none is completed twice. */
export class SpentSignInRepository extends Context.Service<
  SpentSignInRepository,
  {
    /** Notes that a sign-in was completed. False: it was already. Times are milliseconds since 1970. */
    readonly spend: (hash: Uint8Array, now: number, expiresAt: number) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/identity/SpentSignInRepository") {
  static readonly layer: Layer.Layer<SpentSignInRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      SpentSignInRepository.of({
        spend: (hash, now, expiresAt) =>
          Effect.gen(function* () {
            yield* sql`
              DELETE FROM spent_sign_ins WHERE hash IN (
                SELECT hash FROM spent_sign_ins WHERE expires_at <= ${BigInt(now)}
                ORDER BY expires_at LIMIT ${PRUNE_BATCH} FOR UPDATE SKIP LOCKED)`
            const rows = yield* sql`
              INSERT INTO spent_sign_ins (hash, expires_at) VALUES (${hash}, ${BigInt(expiresAt)})
              ON CONFLICT DO NOTHING RETURNING hash`
            return rows.length === 1
          }).pipe(unavailableOrDie)
      })
    )
  )
}
