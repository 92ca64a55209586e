import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"

/** A signing key as it is kept. */
export interface StoredKey {
  readonly kid: string
  readonly publicJwk: Record<string, unknown>
  readonly sealedPrivateKey: Uint8Array
  readonly retired: boolean
}

interface Row {
  readonly kid: string
  readonly public_jwk: Record<string, unknown>
  readonly sealed_private_key: Uint8Array
  readonly retired: boolean
}

const fromRow = (row: Row): StoredKey => ({
  kid: row.kid,
  publicJwk: row.public_jwk,
  sealedPrivateKey: row.sealed_private_key,
  retired: row.retired
})

/** The keys that sign access tokens, one of them current. */
export class SigningKeyRepository extends Context.Service<
  SigningKeyRepository,
  {
    /** The current key and those retired at or after the time. */
    readonly since: (retiredAt: number) => Effect.Effect<ReadonlyArray<StoredKey>, Unavailable>
    /** Makes a key the current one if there is none. Otherwise nothing happens. */
    readonly addFirst: (key: Omit<StoredKey, "retired">, now: number) => Effect.Effect<void, Unavailable>
    /** Retires the current key and makes another one current: false where the current one is not sealed like this. */
    readonly replace: (
      current: Uint8Array,
      key: Omit<StoredKey, "retired">,
      now: number
    ) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/identity/SigningKeyRepository") {
  static readonly layer: Layer.Layer<SigningKeyRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const addFirst = (key: Omit<StoredKey, "retired">, now: number) => sql`
        INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, created_at)
        VALUES (${key.kid}, ${JSON.stringify(key.publicJwk)}::text::jsonb, ${key.sealedPrivateKey}, ${BigInt(now)})
        ON CONFLICT DO NOTHING`
      return SigningKeyRepository.of({
        since: (retiredAt) =>
          sql<Row>`
            SELECT kid, public_jwk, sealed_private_key, retired_at IS NOT NULL AS retired
            FROM signing_keys WHERE retired_at IS NULL OR retired_at >= ${BigInt(retiredAt)}`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            unavailableOrDie
          ),
        addFirst: (key, now) => addFirst(key, now).pipe(Effect.asVoid, unavailableOrDie),
        replace: Effect.fnUntraced(
          function* (current, key, now) {
            const retired = yield* sql`
              UPDATE signing_keys SET retired_at = greatest(created_at, ${BigInt(now)})
              WHERE retired_at IS NULL AND sealed_private_key = ${current} RETURNING kid`
            if (retired.length === 0) return false
            yield* addFirst(key, now)
            return true
          },
          sql.withTransaction,
          unavailableOrDie
        )
      })
    })
  )
}
