import { describe, expect } from "bun:test"
import { Clock, Context, Effect, Layer } from "effect"
import { Direct } from "../../../src/database/BoundedClient.ts"
import { KeyIndex } from "../../../src/database/StoredKeyIndex.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

const DAY = 86_400_000

/** One that has read what was there before it. */
const begun = Effect.gen(function* () {
  const index = Context.get(yield* Layer.build(Layer.fresh(KeyIndex.layer)), KeyIndex)
  const now = yield* Clock.currentTimeMillis
  while (!index.isSurelyNew("nobody's", now)) yield* Effect.yieldNow
  return { index, now }
})

describe("KeyIndex", () => {
  it("knows which keys of the last 24 hours were never used, those of before its start included", () =>
    Effect.gen(function* () {
      const sql = yield* Direct
      const at = yield* Clock.currentTimeMillis
      const keys = Array.from({ length: 25_000 }, (_, index) => `before/${index}`)
      yield* sql`
        INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at)
        SELECT key, 'f', 200, '{}', ${BigInt(at)} FROM unnest(${keys}::text[]) AS key`
      yield* sql`UPDATE idempotency_keys SET created_at = ${BigInt(at - 2 * DAY)} WHERE key = 'before/7'`
      const { index, now } = yield* begun
      expect(keys.filter((key) => index.isSurelyNew(key, now))).toEqual(["before/7"])
      index.note("now/1", now)
      expect([index.isSurelyNew("now/1", now), index.isSurelyNew("now/2", now)]).toEqual([false, true])
      expect(index.isSurelyNew("now/1", now + 3 * DAY)).toBe(true)
    }))
})
