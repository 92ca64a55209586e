/** Reads the rows of the journal that the tables lack, before anything is decided. */

import { Result } from "effect"
import { type GroupResult, type LoadedGroup, settleGroup } from "../actor/CommitGroup.ts"
import type { Batch } from "../actor/Journal.ts"
import { entriesOf, type JournalEntry, type JournalRow, type KeyedAnswer, readAnswers } from "./JournalRow.ts"
import { readEvent } from "../replay/EventCodec.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { ChainHash } from "../actor/EventChain.ts"

/** A row of the journal as the batches that it was decided from, one for each entry. */
export interface RecordedGroup {
  readonly row: JournalRow
  readonly batches: ReadonlyArray<Batch<PlatformEvent>>
  /** The events' JSON as it was hashed. */
  readonly data: ReadonlyMap<PlatformEvent, string>
  readonly answers: ReadonlyArray<KeyedAnswer>
}

/** The event of an entry. Throws a `TypeError` where it cannot be read. */
export const eventOf = ({ data, stream }: JournalEntry, seq: number): PlatformEvent => {
  const type = (JSON.parse(data) as { readonly _tag: string })._tag
  const read = readEvent({ seq, stream, version: 0, type, data, hash: "" })
  if (Result.isFailure(read)) throw new TypeError(`event ${seq} of the journal ${read.failure}`)
  return read.success.event
}

/** The batches that a row was decided from. Throws a `TypeError` if it cannot be read. */
export const recordedGroup = (row: JournalRow): RecordedGroup => {
  const entries = entriesOf(row)
  if (entries === undefined) throw new TypeError(`the row of the journal from ${row.firstSeq} cannot be read`)
  const answers = readAnswers(row)
  const byKey = new Map(answers.map((answer) => [answer.seq, answer]))
  const data = new Map<PlatformEvent, string>()
  const batches = entries.map((entry, index): Batch<PlatformEvent> => {
    const seq = row.firstSeq + index
    if (entry.commands === undefined) throw new TypeError(`event ${seq} of the journal belongs to tables that lack it`)
    const event = eventOf(entry, seq)
    const answer = byKey.get(seq)
    data.set(event, entry.data)
    return {
      stream: entry.stream,
      version: null,
      claims: entry.claims,
      entries: [
        {
          commands: entry.commands,
          event,
          ...(answer === undefined ? {} : { idempotency: { key: answer.key, fingerprint: answer.fingerprint, answer } })
        }
      ]
    }
  })
  return { row, batches, data, answers }
}

/** Decides a row again on the state that the rows before it left. Throws if the result is not the recorded one. */
export const settleAgain = (
  { batches, data, row }: RecordedGroup,
  loaded: LoadedGroup,
  link: ChainHash
): GroupResult<PlatformEvent> => {
  const settled = settleGroup(batches, loaded, row.firstSeq - 1, link, (event) => data.get(event) ?? "")
  const wrong = settled.results.findIndex(
    (result) => Result.isFailure(result) || result.success.some(({ _tag }) => _tag === "Refused")
  )
  if (wrong === -1) return settled
  throw new TypeError(
    `the ledger does not take event ${row.firstSeq + wrong} of the journal: ${JSON.stringify(settled.results[wrong], (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))}`
  )
}
