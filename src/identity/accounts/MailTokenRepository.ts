import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"

/** Rows removed by one statement. */
export const PRUNE_BATCH = 10_000

/** What a token that was sent by mail is good for. */
export type MailPurpose = "password_reset" | "email_verification"

/** A token, known by its hash. Times are milliseconds since 1970. */
export interface StoredMailToken {
  readonly hash: Uint8Array
  readonly userId: string
  readonly purpose: MailPurpose
  readonly createdAt: number
  readonly expiresAt: number
}

interface UserRow {
  readonly user_id: string
}

/** Tokens that were sent by mail, in the database. */
export class MailTokenRepository extends Context.Service<
  MailTokenRepository,
  {
    /** Writes a token unless the user has `most` of its purpose that are still good. Answers whether it did. */
    readonly add: (token: StoredMailToken, most: number) => Effect.Effect<boolean, Unavailable>
    /** Whose token it is. Undefined: it is unknown, used or expired. */
    readonly find: (
      hash: Uint8Array,
      purpose: MailPurpose,
      now: number
    ) => Effect.Effect<string | undefined, Unavailable>
    /** The same, and the token is used up. */
    readonly use: (
      hash: Uint8Array,
      purpose: MailPurpose,
      now: number
    ) => Effect.Effect<string | undefined, Unavailable>
    /** Removes every token of a user for a purpose. */
    readonly removeAll: (userId: string, purpose: MailPurpose) => Effect.Effect<void, Unavailable>
    /** Removes at most a batch of expired tokens, and says how many. */
    readonly prune: (now: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/identity/MailTokenRepository") {
  static readonly layer: Layer.Layer<MailTokenRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const userOf = (rows: ReadonlyArray<UserRow>) => rows[0]?.user_id
      return MailTokenRepository.of({
        add: ({ createdAt, expiresAt, hash, purpose, userId }, most) =>
          Effect.gen(function* () {
            yield* sql`SELECT FROM users WHERE id = ${userId} FOR UPDATE`
            const added = yield* sql`
              INSERT INTO mail_tokens (hash, user_id, purpose, created_at, expires_at)
              SELECT ${hash}::bytea, ${userId}::text, ${purpose}::text, ${BigInt(createdAt)}::bigint,
                ${BigInt(expiresAt)}::bigint
              WHERE (SELECT count(*) FROM mail_tokens WHERE user_id = ${userId} AND purpose = ${purpose}
                AND expires_at > ${BigInt(createdAt)}) < ${BigInt(most)}
              RETURNING user_id`
            return added.length === 1
          }).pipe(sql.withTransaction, unavailableOrDie),
        find: (hash, purpose, now) =>
          sql<UserRow>`
            SELECT user_id FROM mail_tokens
            WHERE hash = ${hash} AND purpose = ${purpose} AND expires_at > ${BigInt(now)}`.pipe(
            Effect.map(userOf),
            unavailableOrDie
          ),
        use: (hash, purpose, now) =>
          sql<UserRow>`
            DELETE FROM mail_tokens WHERE hash = ${hash} AND purpose = ${purpose} AND expires_at > ${BigInt(now)}
            RETURNING user_id`.pipe(Effect.map(userOf), unavailableOrDie),
        removeAll: (userId, purpose) =>
          sql`DELETE FROM mail_tokens WHERE user_id = ${userId} AND purpose = ${purpose}`.pipe(
            Effect.asVoid,
            unavailableOrDie
          ),
        prune: (now) =>
          sql`
            DELETE FROM mail_tokens WHERE hash IN (
              SELECT hash FROM mail_tokens WHERE expires_at <= ${BigInt(now)} ORDER BY expires_at LIMIT ${PRUNE_BATCH})
            RETURNING user_id`.pipe(
            Effect.map((rows) => rows.length),
            unavailableOrDie
          )
      })
    })
  )
}
