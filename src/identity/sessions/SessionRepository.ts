import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { lockTokenEpoch } from "../TokenEpochRepository.ts"
import type { EpochStanding } from "../TokenEpochRepository.ts"

/** Rows removed by one statement. */
export const PRUNE_BATCH = 10_000

/** A session, known by the hash of what its cookie carries. Times are milliseconds since 1970. */
export interface StoredSession {
  readonly userId: string
  /** The user's when the session began. */
  readonly tokenEpoch: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

export interface NewSession {
  readonly hash: Uint8Array
  readonly userId: string
  /** The user's when it was decided who signs in. */
  readonly tokenEpoch: number
  readonly createdAt: number
  readonly expiresAt: number
}

interface SessionRow {
  readonly user_id: string
  readonly token_epoch: number
  readonly last_seen_at: bigint
  readonly expires_at: bigint
}

const toSession = (row: SessionRow): StoredSession => ({
  userId: row.user_id,
  tokenEpoch: row.token_epoch,
  lastSeenAt: Number(row.last_seen_at),
  expiresAt: Number(row.expires_at)
})

const begin = (sql: SqlClient) => (session: NewSession, most: number) =>
  Effect.gen(function* () {
    const createdAt = BigInt(session.createdAt)
    const standing = yield* lockTokenEpoch(sql, session.userId, session.tokenEpoch)
    if (standing !== "good") return standing
    yield* sql`
      INSERT INTO sessions (hash, user_id, token_epoch, created_at, last_seen_at, expires_at)
      VALUES (${session.hash}, ${session.userId}, ${BigInt(session.tokenEpoch)}, ${createdAt}, ${createdAt},
        ${BigInt(session.expiresAt)})`
    yield* sql`
      DELETE FROM sessions WHERE hash IN (
        SELECT hash FROM sessions WHERE user_id = ${session.userId}
        ORDER BY created_at DESC, hash OFFSET ${BigInt(most)} FOR UPDATE SKIP LOCKED)`
    return standing
  }).pipe(sql.withTransaction, unavailableOrDie)

/** Browsers' sessions in the database. */
export class SessionRepository extends Context.Service<
  SessionRepository,
  {
    /** Runs the effect once the transaction that is open has committed, or now. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
    /** Writes a session of a user in good standing, and removes the user's oldest beyond `most`. */
    readonly begin: (session: NewSession, most: number) => Effect.Effect<EpochStanding, Unavailable>
    readonly find: (hash: Uint8Array) => Effect.Effect<StoredSession | undefined, Unavailable>
    /** Notes that the session was used. */
    readonly touch: (hash: Uint8Array, now: number) => Effect.Effect<void, Unavailable>
    readonly end: (hash: Uint8Array) => Effect.Effect<void, Unavailable>
    readonly endAll: (userId: string) => Effect.Effect<void, Unavailable>
    /** Removes at most a batch of expired sessions, and says how many. */
    readonly prune: (now: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/identity/SessionRepository") {
  static readonly layer: Layer.Layer<SessionRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      SessionRepository.of({
        afterCommit: (effect) => sql.afterCommit(effect),
        begin: begin(sql),
        find: (hash) =>
          sql<SessionRow>`
            SELECT user_id, token_epoch, last_seen_at, expires_at FROM sessions WHERE hash = ${hash}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : toSession(row))),
            unavailableOrDie
          ),
        touch: (hash, now) =>
          sql`UPDATE sessions SET last_seen_at = greatest(last_seen_at, ${BigInt(now)}) WHERE hash = ${hash}`.pipe(
            Effect.asVoid,
            unavailableOrDie
          ),
        end: (hash) => unavailableOrDie(Effect.asVoid(sql`DELETE FROM sessions WHERE hash = ${hash}`)),
        endAll: (userId) => unavailableOrDie(Effect.asVoid(sql`DELETE FROM sessions WHERE user_id = ${userId}`)),
        prune: (now) =>
          sql`
            DELETE FROM sessions WHERE hash IN (
              SELECT hash FROM sessions WHERE expires_at <= ${BigInt(now)} ORDER BY expires_at LIMIT ${PRUNE_BATCH})
            RETURNING user_id`.pipe(
            Effect.map((rows) => rows.length),
            unavailableOrDie
          )
      })
    )
  )
}
