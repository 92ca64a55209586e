import { Context, Effect, Layer, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { KeyedAnswer } from "../../engine/journal/JournalRow.ts"
import { KEY_RETENTION, KeyFilter } from "../../engine/journal/KeyFilter.ts"
import { Direct } from "./BoundedClient.ts"

/** Keys that are read at once to know what was answered before the start. */
const KEYS_PAGE = 10_000

/** How long a look for them that failed is not tried again. */
const RETRY_DELAY = "5 seconds"

type Answers = ReadonlyArray<KeyedAnswer>

/**
 * What is known of idempotency keys without reading: which were surely never used within the retention, and what is
 * answered under those that the tables do not have yet. Times are milliseconds since 1970.
 */
export class KeyIndex extends Context.Service<
  KeyIndex,
  {
    /** Counts a key as used, before anything is written under it. */
    readonly note: (key: string, at: number) => void
    readonly isSurelyNew: (key: string, at: number) => boolean
    /** These answers are in the journal, and not in the tables. */
    readonly tell: (answers: Answers) => void
    /** The tables have these answers. */
    readonly settle: (answers: Answers) => void
    /** What is answered under a key, as long as the tables do not have it. */
    readonly find: (key: string) => KeyedAnswer | undefined
  }
>()("emporion/database/KeyIndex") {
  /** Says of no key that it is new before it has read those of the time before the start. */
  static readonly layer: Layer.Layer<KeyIndex, never, Direct> = Layer.effect(
    this,
    Effect.flatMap(Direct, (sql) => KeyIndex.reading(pagesOf(sql)))
  )

  static readonly reading = (
    pages: KeyPages,
    filter: KeyFilter = new KeyFilter()
  ): Effect.Effect<KeyIndex["Service"], never, Scope.Scope> =>
    Effect.gen(function* () {
      const told = new Map<string, KeyedAnswer>()
      const { currentTimeMillis } = yield* Effect.clockWith(Effect.succeed)
      yield* Effect.forkScoped(readBefore(pages, filter, (yield* currentTimeMillis) - KEY_RETENTION))
      return KeyIndex.of({
        note: (key, at) => filter.add(key, at),
        isSurelyNew: (key, at) => filter.isSurelyNew(key, at),
        tell: (answers) => {
          for (const answer of answers) told.set(answer.key, answer)
        },
        settle: (answers) => {
          for (const { key, seq } of answers) if (told.get(key)?.seq === seq) told.delete(key)
        },
        find: (key) => told.get(key)
      })
    })
}

/** The keys behind one, in their order, that were used after a time in milliseconds since 1970: a page of them. */
export type KeyPages = (
  after: string,
  since: number
) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly at: bigint }>, SqlError>

const pagesOf =
  (sql: Direct["Service"]): KeyPages =>
  (after, since) =>
    sql<{ readonly key: string; readonly at: bigint }>`
      SELECT key, created_at AS at FROM idempotency_keys
      WHERE key > ${after} AND created_at > ${BigInt(since)} ORDER BY key LIMIT ${KEYS_PAGE}`

const readBefore = (pages: KeyPages, filter: KeyFilter, since: number): Effect.Effect<void> => {
  const readAfter = (after: string): Effect.Effect<void, SqlError> =>
    Effect.flatMap(pages(after, since), (rows) => {
      for (const { at, key } of rows) filter.add(key, Number(at))
      const last = rows.at(-1)
      return last === undefined ? Effect.sync(() => filter.rebuilt()) : readAfter(last.key)
    })
  const again = Effect.delay(
    Effect.suspend(() => readBefore(pages, filter, since)),
    RETRY_DELAY
  )
  return readAfter("").pipe(Effect.catchTag("SqlError", () => again))
}
