import { Clock, Effect, type Scope } from "effect"
import { isRequestName } from "../cluster/RequestName.ts"
import type { KeyedAnswer } from "./JournalRow.ts"
import { KEY_RETENTION, KeyFilter } from "./KeyFilter.ts"

/** The pause before a failed reading of the keys is tried again. */
const RETRY_DELAY = "5 seconds"

type Answers = ReadonlyArray<KeyedAnswer>

/**
 * The knowledge about idempotency keys without reading: which were certainly never used within the retention, and the
 * answers under those that the tables do not have yet. Times are milliseconds since 1970.
 */
export interface KeyIndex {
  /** Counts a key as used, before anything is written under it. Names of requests need not be counted. */
  readonly note: (key: string, at: number) => void
  readonly isSurelyNew: (key: string, at: number) => boolean
  /** These answers are in the journal, and not in the tables. */
  readonly tell: (answers: Answers) => void
  /** The tables have these answers. */
  readonly settle: (answers: Answers) => void
  /** The answer under a key, while the tables do not have it. */
  readonly find: (key: string) => KeyedAnswer | undefined
  /** The names of requests that are sent again and run just now: any other name is surely new. */
  readonly sentAgain: Set<string>
}

/** The keys behind one, in their order, that were used after a time in milliseconds since 1970: a page of them. */
export type KeyPages<E> = (
  after: string,
  since: number
) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly at: bigint }>, E>

/** Calls no key new before it has read the keys from before the start. */
export const makeKeyIndex = <E>(
  pages: KeyPages<E>,
  filter: KeyFilter = new KeyFilter()
): Effect.Effect<KeyIndex, never, Scope.Scope> =>
  Effect.gen(function* () {
    const told = new Map<string, KeyedAnswer>()
    const sentAgain = new Set<string>()
    const now = yield* Clock.currentTimeMillis
    yield* Effect.forkScoped(readBefore(pages, filter, now - KEY_RETENTION))
    return {
      note: (key, at) => {
        if (!isRequestName(key)) filter.add(key, at)
      },
      isSurelyNew: (key, at) => (isRequestName(key) ? !sentAgain.has(key) : filter.isSurelyNew(key, at)),
      tell: (answers) => {
        for (const answer of answers) told.set(answer.key, answer)
      },
      settle: (answers) => {
        for (const { key, seq } of answers) if (told.get(key)?.seq === seq) told.delete(key)
      },
      find: (key) => told.get(key),
      sentAgain
    }
  })

const readBefore = <E>(pages: KeyPages<E>, filter: KeyFilter, since: number): Effect.Effect<void> => {
  const readAfter = (after: string): Effect.Effect<void, E> =>
    Effect.flatMap(pages(after, since), (rows) => {
      for (const { at, key } of rows) filter.add(key, Number(at))
      const last = rows.at(-1)
      return last === undefined ? Effect.sync(() => filter.rebuilt()) : readAfter(last.key)
    })
  const again = Effect.delay(
    Effect.suspend(() => readBefore(pages, filter, since)),
    RETRY_DELAY
  )
  return readAfter("").pipe(Effect.catch(() => again))
}
