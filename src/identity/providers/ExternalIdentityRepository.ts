import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"

/** An account as it matters to somebody who signs in with its address. */
export interface AccountByEmail {
  readonly userId: string
  /** Whether the account's owner has shown that the address is theirs. */
  readonly emailVerified: boolean
}

interface AccountRow {
  readonly id: string
  readonly verified: boolean
}

/** Who users are at identity providers and shops. Times are milliseconds since 1970. */
export class ExternalIdentityRepository extends Context.Service<
  ExternalIdentityRepository,
  {
    /** The user that a person at a provider is. The person is locked until the transaction ends. */
    readonly lock: (issuer: string, subject: string) => Effect.Effect<string | undefined, Unavailable>
    readonly accountOf: (email: string) => Effect.Effect<AccountByEmail | undefined, Unavailable>
    readonly link: (issuer: string, subject: string, userId: string, now: number) => Effect.Effect<void, Unavailable>
    /** Notes that the user's address is known to be theirs. */
    readonly verifyEmail: (userId: string, now: number) => Effect.Effect<void, Unavailable>
    /** Links a shop to a user who has none. False: the user has another one, or another user has the shop. */
    readonly linkShop: (userId: string, shop: string) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/identity/ExternalIdentityRepository") {
  static readonly layer: Layer.Layer<ExternalIdentityRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      ExternalIdentityRepository.of({
        lock: (issuer, subject) =>
          Effect.gen(function* () {
            yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`
            const [row] = yield* sql<{ readonly user_id: string }>`
              SELECT user_id FROM user_identities WHERE issuer = ${issuer} AND subject = ${subject}`
            return row?.user_id
          }).pipe(unavailableOrDie),
        accountOf: (email) =>
          sql<AccountRow>`
            SELECT id, email_verified_at IS NOT NULL AS verified FROM users
            WHERE lower(email) = lower(${email}) FOR SHARE`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : { userId: row.id, emailVerified: row.verified })),
            unavailableOrDie
          ),
        link: (issuer, subject, userId, now) =>
          sql`
            INSERT INTO user_identities (issuer, subject, user_id, linked_at)
            VALUES (${issuer}, ${subject}, ${userId}, ${BigInt(now)})`.pipe(Effect.asVoid, unavailableOrDie),
        verifyEmail: (userId, now) =>
          sql`UPDATE users SET email_verified_at = ${BigInt(now)} WHERE id = ${userId} AND email_verified_at IS NULL`.pipe(
            Effect.asVoid,
            unavailableOrDie
          ),
        linkShop: (userId, shop) =>
          sql`
            UPDATE users SET ecommerce_company_id = ${shop}
            WHERE id = ${userId} AND (ecommerce_company_id = ${shop} OR ecommerce_company_id IS NULL
              AND NOT EXISTS (SELECT FROM users WHERE ecommerce_company_id = ${shop}))
            RETURNING id`.pipe(
            Effect.map((rows) => rows.length === 1),
            unavailableOrDie
          )
      })
    )
  )
}
