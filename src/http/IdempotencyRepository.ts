import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { Direct } from "../database/BoundedClient.ts"
import { KeyIndex } from "../database/StoredKeyIndex.ts"
import { unavailableOrDie } from "../database/DatabaseError.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { KEY_RETENTION } from "../../engine/journal/KeyFilter.ts"
import * as Worker from "../Worker.ts"
import { forgetAnswers } from "../database/JournalStatements.ts"

/** Rows removed by one statement. */
const PRUNE_BATCH = 10_000

/** An answer that is kept for retries. */
export interface KeptResponse {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
}

/** Answers under idempotency keys. Times are milliseconds since 1970. */
export class IdempotencyRepository extends Context.Service<
  IdempotencyRepository,
  {
    /** The answer kept under a key within the retention. */
    readonly find: (key: string, now: number) => Effect.Effect<KeptResponse | undefined, Unavailable>
    /** The answers kept under keys, by key. */
    readonly findAll: (
      keys: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<ReadonlyMap<string, KeptResponse>, Unavailable>
    /** Keeps an answer, unless one that is still valid is there. */
    readonly keep: (key: string, answer: KeptResponse, now: number) => Effect.Effect<void, Unavailable>
    /** Removes at most a batch of answers past the retention, here and in the journal, and says how many. */
    readonly prune: (now: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/http/IdempotencyRepository") {
  /** Keeps them in the database, and now and then removes those past the retention. */
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = ofSql(yield* Direct, yield* KeyIndex)
      yield* Worker.pruning("Idempotency keys", PRUNE_BATCH, repository.prune)
      return repository
    })
  )
}

type Repository = IdempotencyRepository["Service"]

const keptOf = ({ body, fingerprint, status }: KeptResponse): KeptResponse => ({ fingerprint, status, body })

/** It looks first for answers that the tables do not have yet: an earlier answer is in one or the other. */
const ofSql = (sql: SqlClient, index: KeyIndex["Service"]): Repository => ({
  find: Effect.fnUntraced(function* (key, now) {
    const told = index.find(key)
    if (told !== undefined) return keptOf(told)
    if (index.isSurelyNew(key, now)) return undefined
    const rows = yield* sql<KeptResponse>`
      SELECT fingerprint, status, body FROM idempotency_keys
      WHERE key = ${key} AND created_at > ${BigInt(now - KEY_RETENTION)}`
    return rows[0]
  }, unavailableOrDie),
  findAll: Effect.fnUntraced(function* (asked, now) {
    const found = new Map<string, KeptResponse>()
    const keys: Array<string> = []
    for (const key of asked) {
      const told = index.find(key)
      if (told !== undefined) found.set(key, keptOf(told))
      else if (!index.isSurelyNew(key, now)) keys.push(key)
    }
    if (keys.length === 0) return found
    const rows = yield* sql<KeptResponse & { readonly key: string }>`
      SELECT key, fingerprint, status, body FROM idempotency_keys
      WHERE key = ANY(${keys}::text[]) AND created_at > ${BigInt(now - KEY_RETENTION)}`
    for (const row of rows) found.set(row.key, row)
    return found
  }, unavailableOrDie),
  keep: Effect.fnUntraced(function* (key, answer, now) {
    index.note(key, now)
    yield* sql`
      INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at)
      VALUES (${key}, ${answer.fingerprint}, ${answer.status}, ${answer.body}, ${BigInt(now)})
      ON CONFLICT (key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, status = EXCLUDED.status,
        body = EXCLUDED.body, created_at = EXCLUDED.created_at
      WHERE idempotency_keys.created_at <= ${BigInt(now - KEY_RETENTION)}`
  }, unavailableOrDie),
  prune: Effect.fnUntraced(function* (now) {
    const rows = yield* sql`
      DELETE FROM idempotency_keys WHERE key IN (
        SELECT key FROM idempotency_keys WHERE created_at <= ${BigInt(now - KEY_RETENTION)}
        ORDER BY created_at LIMIT ${PRUNE_BATCH})
      RETURNING key`
    const forgotten = yield* forgetAnswers(sql)(now - KEY_RETENTION, PRUNE_BATCH)
    return Math.max(rows.length, forgotten)
  }, unavailableOrDie)
})
