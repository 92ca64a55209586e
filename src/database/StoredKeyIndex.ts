import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Keys from "../../engine/journal/KeyIndex.ts"
import { Direct } from "./BoundedClient.ts"

/** Keys that one reading takes to learn the answers from before the start. */
const KEYS_PAGE = 10_000

/** The knowledge about idempotency keys without reading. */
export class KeyIndex extends Context.Service<KeyIndex, Keys.KeyIndex>()("emporion/database/KeyIndex") {
  static readonly layer: Layer.Layer<KeyIndex, never, Direct> = Layer.effect(
    this,
    Effect.flatMap(Direct, (sql) => Keys.makeKeyIndex(pagesOf(sql)))
  )
}

const pagesOf =
  (sql: Direct["Service"]): Keys.KeyPages<SqlError> =>
  (after, since) =>
    sql<{ readonly key: string; readonly at: bigint }>`
      SELECT key, created_at AS at FROM idempotency_keys
      WHERE key > ${after} AND created_at > ${BigInt(since)} ORDER BY key LIMIT ${KEYS_PAGE}`
