import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { texts } from "../../database/ArrayParameter.ts"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { Scope } from "../../api/Authorization.ts"
import * as GrantedScope from "./Scope.ts"
import { lockTokenEpoch } from "../TokenEpochRepository.ts"
import type { EpochStanding } from "../TokenEpochRepository.ts"

/** All refresh tokens that descend from one sign-in. Exactly one of them is live at a time. */
export interface Family {
  readonly id: string
  readonly userId: string
  /** Undefined when a person signed in. */
  readonly clientId: string | undefined
  readonly scopes: ReadonlyArray<Scope>
  /** The end of the whole family's life, in milliseconds since 1970. */
  readonly expiresAt: number
  readonly revoked: boolean
}

export interface NewFamily extends Family {
  /** The user's when it was decided who signs in. */
  readonly tokenEpoch: number
}

/** One token of a family, known by its hash. */
export interface StoredToken {
  readonly rotatedAt: number | undefined
  /** What its rotation answered, sealed; kept for callers that presented it at the same time. */
  readonly answer: Uint8Array | undefined
}

interface FamilyRow {
  readonly id: string
  readonly user_id: string
  readonly client_id: string | null
  readonly scopes: ReadonlyArray<string>
  readonly expires_at: bigint
  readonly revoked: boolean
}

interface TokenRow {
  readonly rotated_at: bigint | null
  readonly answer: Uint8Array | null
}

const toFamily = (row: FamilyRow): Family => ({
  id: row.id,
  userId: row.user_id,
  clientId: row.client_id ?? undefined,
  scopes: GrantedScope.known(row.scopes),
  expiresAt: Number(row.expires_at),
  revoked: row.revoked
})

const toToken = (row: TokenRow): StoredToken => ({
  rotatedAt: row.rotated_at === null ? undefined : Number(row.rotated_at),
  answer: row.answer ?? undefined
})

/** Whether there is such a client. Its row is locked, before the user's, as by its deletion. */
const lockClient = (sql: SqlClient, clientId: string) =>
  sql`SELECT FROM api_clients WHERE client_id = ${clientId} AND deleted_at IS NULL FOR SHARE`.pipe(
    Effect.map((rows) => rows.length === 1)
  )

const begin = (sql: SqlClient) => (family: NewFamily, hash: Uint8Array, now: number, most: number) =>
  Effect.gen(function* () {
    const isThere = family.clientId === undefined || (yield* lockClient(sql, family.clientId))
    const standing = isThere ? yield* lockTokenEpoch(sql, family.userId, family.tokenEpoch) : "outdated"
    if (standing !== "good") return standing
    yield* sql`
      INSERT INTO refresh_families (id, user_id, client_id, scopes, created_at, expires_at)
      VALUES (${family.id}, ${family.userId}, ${family.clientId ?? null}, ${family.scopes}::text[], ${BigInt(now)},
        ${BigInt(family.expiresAt)})`
    yield* sql`INSERT INTO refresh_tokens (hash, family_id, issued_at) VALUES (${hash}, ${family.id}, ${BigInt(now)})`
    yield* sql`
      DELETE FROM refresh_families WHERE id IN (
        SELECT id FROM refresh_families WHERE user_id = ${family.userId}
        ORDER BY created_at DESC, id DESC OFFSET ${BigInt(most)} FOR UPDATE SKIP LOCKED)`
    return standing
  }).pipe(sql.withTransaction, unavailableOrDie)

const rotate =
  (sql: SqlClient) =>
  (family: Family, used: Uint8Array, next: Uint8Array, answer: Uint8Array, now: number, keptSince: number) =>
    Effect.all([
      sql`UPDATE refresh_tokens SET rotated_at = greatest(issued_at, ${BigInt(now)}), answer = ${answer} WHERE hash = ${used}`,
      sql`INSERT INTO refresh_tokens (hash, family_id, issued_at) VALUES (${next}, ${family.id}, ${BigInt(now)})`,
      sql`
        UPDATE refresh_tokens SET answer = NULL
        WHERE family_id = ${family.id} AND answer IS NOT NULL AND rotated_at < ${BigInt(keptSince)}`
    ]).pipe(Effect.asVoid, unavailableOrDie)

/** Rows of each table that are removed at once. */
export const PRUNE_BATCH = 1_000

/** The tokens go first, so that no family takes any number of them along. */
const prune = (sql: SqlClient) =>
  Effect.fnUntraced(function* (now: number) {
    const over = yield* sql<{ readonly id: string }>`
      SELECT id FROM refresh_families WHERE expires_at <= ${BigInt(now)}
      ORDER BY expires_at, id LIMIT ${BigInt(PRUNE_BATCH)}`
    const ids = texts(over.map(({ id }) => id))
    const tokens = yield* sql`
      DELETE FROM refresh_tokens WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM refresh_tokens WHERE family_id = ANY (${ids}::text[]) LIMIT ${BigInt(PRUNE_BATCH)}))
      RETURNING hash`
    if (tokens.length < PRUNE_BATCH) yield* sql`DELETE FROM refresh_families WHERE id = ANY (${ids}::text[])`
    return Math.max(tokens.length, over.length)
  }, unavailableOrDie)

/** Refresh tokens and their families in the database. */
export class RefreshTokenRepository extends Context.Service<
  RefreshTokenRepository,
  {
    readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unavailable, R>
    /** Writes a family of a user in good standing and its first token, and removes the oldest families beyond `most`. */
    readonly begin: (
      family: NewFamily,
      hash: Uint8Array,
      now: number,
      most: number
    ) => Effect.Effect<EpochStanding, Unavailable>
    /** The family of a token, locked until the transaction ends. */
    readonly lockFamilyOf: (hash: Uint8Array) => Effect.Effect<Family | undefined, Unavailable>
    /** A token whose family is locked. */
    readonly find: (hash: Uint8Array) => Effect.Effect<StoredToken | undefined, Unavailable>
    /** Replaces the used token by the next one, and forgets answers given before `keptSince`. */
    readonly rotate: (
      family: Family,
      used: Uint8Array,
      next: Uint8Array,
      answer: Uint8Array,
      now: number,
      keptSince: number
    ) => Effect.Effect<void, Unavailable>
    readonly revokeFamily: (id: string, now: number) => Effect.Effect<void, Unavailable>
    readonly revokeFamilyOf: (hash: Uint8Array, now: number) => Effect.Effect<void, Unavailable>
    readonly revokeClient: (clientId: string, now: number) => Effect.Effect<void, Unavailable>
    readonly revokeUser: (userId: string, now: number) => Effect.Effect<void, Unavailable>
    /** Removes expired families with their tokens: {@link PRUNE_BATCH} where there may be more, else fewer. */
    readonly prune: (now: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/identity/RefreshTokenRepository") {
  static readonly layer: Layer.Layer<RefreshTokenRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const revoke = (now: number) =>
        sql`UPDATE refresh_families SET revoked_at = greatest(created_at, ${BigInt(now)}) WHERE revoked_at IS NULL`
      return RefreshTokenRepository.of({
        transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          unavailableOrDie(sql.withTransaction(effect)) as Effect.Effect<A, E | Unavailable, R>,
        begin: begin(sql),
        rotate: rotate(sql),
        prune: prune(sql),
        lockFamilyOf: (hash) =>
          sql<FamilyRow>`
            SELECT id, user_id, client_id, scopes, expires_at, revoked_at IS NOT NULL AS revoked FROM refresh_families
            WHERE id = (SELECT family_id FROM refresh_tokens WHERE hash = ${hash}) FOR UPDATE`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : toFamily(row))),
            unavailableOrDie
          ),
        find: (hash) =>
          sql<TokenRow>`SELECT rotated_at, answer FROM refresh_tokens WHERE hash = ${hash}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : toToken(row))),
            unavailableOrDie
          ),
        revokeFamily: (id, now) => unavailableOrDie(Effect.asVoid(sql`${revoke(now)} AND id = ${id}`)),
        revokeFamilyOf: (hash, now) =>
          unavailableOrDie(
            Effect.asVoid(sql`${revoke(now)} AND id = (SELECT family_id FROM refresh_tokens WHERE hash = ${hash})`)
          ),
        revokeClient: (clientId, now) =>
          unavailableOrDie(Effect.asVoid(sql`${revoke(now)} AND client_id = ${clientId}`)),
        revokeUser: (userId, now) => unavailableOrDie(Effect.asVoid(sql`${revoke(now)} AND user_id = ${userId}`))
      })
    })
  )
}
