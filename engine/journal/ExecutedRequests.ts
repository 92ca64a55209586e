/** Looks up in the journal whether a request that nodes name was executed. */

import { Data, Effect } from "effect"
import { firstSentOf } from "../cluster/RequestName.ts"
import { endOf, type JournalRow, type KeyedAnswer, readAnswers } from "./JournalRow.ts"

/** Rows that are looked through for one request. */
export const MAX_LOOKED_ROWS = 1_000

/** Nobody can tell any more: too many rows came since the request was first sent, or they are gone. */
export class Forgotten extends Data.TaggedError("Forgotten") {}

/** The rows behind a sequence, a page of them; none at the end. */
export type RowPages<E> = (after: number) => Effect.Effect<ReadonlyArray<JournalRow>, E>

/**
 * The answer to a request that was executed, by its name; undefined where it was not. Only rows that are there by then
 * count, so whoever executes it otherwise must know the journal's end.
 */
export const namedAnswer = <E>(
  pages: RowPages<E>,
  name: string
): Effect.Effect<KeyedAnswer | undefined, E | Forgotten> => {
  const first = firstSentOf(name)
  if (first === undefined) return Effect.fail(new Forgotten())
  const lookBehind = (seq: number, looked: number): Effect.Effect<KeyedAnswer | undefined, E | Forgotten> =>
    Effect.flatMap(pages(seq), (rows): Effect.Effect<KeyedAnswer | undefined, E | Forgotten> => {
      const [next] = rows
      const last = rows.at(-1)
      if (next === undefined || last === undefined) return Effect.succeed(undefined)
      if (next.firstSeq !== seq + 1) return Effect.fail(new Forgotten())
      for (const row of rows) {
        const found = readAnswers(row).find(({ key }) => key === name)
        if (found !== undefined) return Effect.succeed(found)
      }
      const count = looked + rows.length
      return count >= MAX_LOOKED_ROWS ? Effect.fail(new Forgotten()) : lookBehind(endOf(last).seq, count)
    })
  return lookBehind(first.behind, 0)
}

/**
 * Those of some names under which the journal may have an answer, as a group is decided: where nobody can tell, nothing
 * is executed.
 */
export const answeredNames = <E>(
  pages: RowPages<E>,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, E> =>
  Effect.map(
    Effect.forEach(names, (name) =>
      namedAnswer(pages, name).pipe(
        Effect.map((found) => (found === undefined ? [] : [name])),
        Effect.catch((error) => (error instanceof Forgotten ? Effect.succeed([name]) : Effect.fail(error)))
      )
    ),
    (found) => found.flat()
  )
