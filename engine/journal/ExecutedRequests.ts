/** Looks up in the journal whether a request that nodes name was executed. */

import { Data, Effect } from "effect"
import type { Recorded } from "../actor/Journal.ts"
import { firstSentOf, NAMED } from "../cluster/RequestName.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { endOf, entriesOf, type JournalRow, readAnswers } from "./JournalRow.ts"
import type { KeptResponse } from "./KeyedRequests.ts"
import type { EventAnswers } from "./StoredResponse.ts"

/** Rows that are looked through for one request. */
export const MAX_LOOKED_ROWS = 1_000

/** Nobody can tell any more: too many rows came since the request was first sent, or they are gone. */
export class Forgotten extends Data.TaggedError("Forgotten") {}

/** The rows behind a sequence, a page of them; none at the end. */
export type RowPages<E> = (after: number) => Effect.Effect<ReadonlyArray<JournalRow>, E>

/** What the journal has of a request that was executed. */
interface Executed {
  /** The sequence of the event that it recorded. */
  readonly seq: number
  /** Undefined where it follows from the event. */
  readonly answer: KeptResponse | undefined
}

/** A request that is looked for, and what of the journal was looked through for it. */
interface Looked {
  readonly name: string
  /** The end of what was looked through; at first, what its node knew of. */
  seq: number
  rows: number
  /** Undefined as long as nothing says. */
  found: Executed | "forgotten" | undefined
}

const lookedFor = (name: string): Looked => {
  const first = firstSentOf(name)
  return { name, seq: first?.behind ?? 0, rows: 0, found: first === undefined ? "forgotten" : undefined }
}

/** What a row has of a request. Its name stands with the entry, whatever is kept besides. */
const executedIn = (row: JournalRow, name: string): Executed | "forgotten" | undefined => {
  if (!row.body.includes(name)) return undefined
  const entries = entriesOf(row)
  if (entries === undefined) return "forgotten"
  const index = entries.findIndex(({ key }) => key === name)
  if (index === -1) return undefined
  const seq = row.firstSeq + index
  return { seq, answer: readAnswers(row).find((answer) => answer.seq === seq) }
}

/** Looks through a page that begins behind a sequence for those of whom nothing is known before. */
const lookThrough = (open: ReadonlyArray<Looked>, rows: ReadonlyArray<JournalRow>): void => {
  for (const row of rows) {
    for (const one of open) {
      if (one.found !== undefined || row.firstSeq <= one.seq) continue
      // A gap: what was there is gone.
      if (row.firstSeq !== one.seq + 1) one.found = "forgotten"
      else one.found = executedIn(row, one.name) ?? ((one.rows += 1) >= MAX_LOOKED_ROWS ? "forgotten" : undefined)
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

/** Where the answers to executed requests are found. */
export interface ExecutedPorts<E> {
  readonly rows: RowPages<E>
  /** The event of a sequence that the journal has, once the tables have it; undefined where it is gone from them. */
  readonly recorded: (seq: number) => Effect.Effect<Recorded<PlatformEvent> | undefined, E>
  readonly answers: EventAnswers
}

const noAccounts = (): never => {
  throw new TypeError("an answer that follows from the event asks for accounts")
}

/** The answer as it was given, made again. One that was kept may be gone. */
const madeAgain = <E>(
  { answers, recorded }: ExecutedPorts<E>,
  seq: number
): Effect.Effect<KeptResponse, E | Forgotten> =>
  Effect.flatMap(recorded(seq), (found) =>
    found === undefined || !answers.follows(found.event)
      ? Effect.fail(new Forgotten())
      : Effect.sync(() => ({ ...answers.of(found, noAccounts), fingerprint: NAMED }))
  )

/**
 * The answer to a request that was executed, by its name; undefined where it was not. Only rows that are there by then
 * count, so whoever executes it otherwise must know the journal's end.
 */
export const namedAnswer = <E>(
  ports: ExecutedPorts<E>,
  name: string
): Effect.Effect<KeptResponse | undefined, E | Forgotten> =>
  Effect.suspend(() => {
    const looked = lookedFor(name)
    return Effect.flatMap(lookFor(ports.rows, [looked]), (): Effect.Effect<KeptResponse | undefined, E | Forgotten> => {
      const { found } = looked
      if (found === "forgotten") return Effect.fail(new Forgotten())
      return found === undefined || found.answer !== undefined
        ? Effect.succeed(found?.answer)
        : madeAgain(ports, found.seq)
    })
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
