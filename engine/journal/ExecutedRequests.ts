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

/** A request that is looked for, and what of the journal was looked through for it. */
interface Looked {
  readonly name: string
  /** The end of what was looked through; at first, what its node knew of. */
  seq: number
  rows: number
  /** Undefined as long as nothing says. */
  found: KeyedAnswer | "forgotten" | undefined
}

const lookedFor = (name: string): Looked => {
  const first = firstSentOf(name)
  return { name, seq: first?.behind ?? 0, rows: 0, found: first === undefined ? "forgotten" : undefined }
}

/** Looks through a page that begins behind a sequence for those of whom nothing is known before. */
const lookThrough = (open: ReadonlyArray<Looked>, rows: ReadonlyArray<JournalRow>): void => {
  for (const row of rows) {
    const answers = new Map(
      readAnswers(row)
        .toReversed()
        .map((answer) => [answer.key, answer])
    )
    for (const one of open) {
      if (one.found !== undefined || row.firstSeq <= one.seq) continue
      // A gap: what was there is gone.
      if (row.firstSeq !== one.seq + 1) one.found = "forgotten"
      else one.found = answers.get(one.name) ?? ((one.rows += 1) >= MAX_LOOKED_ROWS ? "forgotten" : undefined)
      one.seq = endOf(row).seq
    }
  }
}

/** Looks through the rows once for all of them. */
const lookFor = <E>(pages: RowPages<E>, all: ReadonlyArray<Looked>): Effect.Effect<void, E> =>
  Effect.suspend(() => {
    const open = all.filter(({ found }) => found === undefined)
    if (open.length === 0) return Effect.void
    const from = open.reduce((least, { seq }) => Math.min(least, seq), Number.MAX_SAFE_INTEGER)
    return Effect.flatMap(pages(from), (rows) => {
      if (rows.length === 0) return Effect.void
      lookThrough(open, rows)
      return lookFor(pages, open)
    })
  })

/**
 * The answer to a request that was executed, by its name; undefined where it was not. Only rows that are there by then
 * count, so whoever executes it otherwise must know the journal's end.
 */
export const namedAnswer = <E>(
  pages: RowPages<E>,
  name: string
): Effect.Effect<KeyedAnswer | undefined, E | Forgotten> =>
  Effect.suspend(() => {
    const looked = lookedFor(name)
    return Effect.flatMap(lookFor(pages, [looked]), () =>
      looked.found === "forgotten" ? Effect.fail(new Forgotten()) : Effect.succeed(looked.found)
    )
  })

/**
 * Those of some names under which the journal may have an answer, as a group is decided: where nobody can tell, nothing
 * is executed. The writer waits for it, so the rows are read once for all of them.
 */
export const answeredNames = <E>(
  pages: RowPages<E>,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, E> =>
  Effect.suspend(() => {
    const looked = names.map(lookedFor)
    return Effect.map(lookFor(pages, looked), () =>
      looked.flatMap(({ found, name }) => (found === undefined ? [] : [name]))
    )
  })
