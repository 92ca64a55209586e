/** Rows of the journal as files of its archive have them: each with what the table of events says beside its entries. */

import type { StoredEvent } from "../replay/StoredEvent.ts"
import { fromHex, toHex } from "../actor/EventChain.ts"
import { entriesOf, type JournalRow } from "./JournalRow.ts"
import type { WalkedBefore } from "./JournalWalk.ts"

/** What the table of events has of an entry beside its stream and its data. */
export interface ArchivedEvent extends Pick<StoredEvent, "version" | "type"> {
  /** In hex. */
  readonly hash: string
}

/** A row of the journal without its answers, and its events, one an entry. */
export interface ArchivedRow {
  readonly row: JournalRow
  readonly events: ReadonlyArray<ArchivedEvent>
}

/** Rows that stand one behind the other, from a sequence to another. */
export interface ArchivedSpan {
  /** The sequence of the first entry of the first row. */
  readonly first: number
  /** The sequence of the last entry of the last row. */
  readonly last: number
  /** The hash of the row before the first one; 32 zero bytes before the journal's first. */
  readonly previous: Uint8Array
  /** Of the last row: its hash, its writer's term, and when it was appended, in milliseconds since 1970. */
  readonly hash: Uint8Array
  readonly term: bigint
  readonly recordedAt: number
}

const HASH = /^[0-9a-f]{64}$/

/** A row as one line of a file, without its end. */
export const encodeArchived = ({ events, row }: ArchivedRow): string =>
  JSON.stringify([
    row.firstSeq,
    row.count,
    String(row.term),
    row.recordedAt,
    toHex(row.hash),
    toHex(row.answersDigest),
    row.body,
    events.map(({ hash, type, version }) => [version, type, hash])
  ])

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isHash = (value: unknown): value is string => typeof value === "string" && HASH.test(value)

const eventOf = (value: unknown): ArchivedEvent | undefined => {
  if (!Array.isArray(value)) return undefined
  const [version, type, hash] = value as ReadonlyArray<unknown>
  return isCount(version) && typeof type === "string" && isHash(hash) ? { version, type, hash } : undefined
}

const rowOf = (value: unknown): ArchivedRow | undefined => {
  if (!Array.isArray(value)) return undefined
  const [firstSeq, count, term, recordedAt, hash, digest, body, found] = value as ReadonlyArray<unknown>
  if (!isCount(firstSeq) || !isCount(count) || !isCount(recordedAt) || !isHash(hash) || !isHash(digest))
    return undefined
  if (typeof term !== "string" || !/^\d{1,19}$/.test(term) || typeof body !== "string" || !Array.isArray(found)) {
    return undefined
  }
  const events = found.flatMap((one) => eventOf(one) ?? [])
  if (events.length !== count) return undefined
  const place = { firstSeq, count, term: BigInt(term), recordedAt }
  return { row: { ...place, hash: fromHex(hash), answersDigest: fromHex(digest), body, answers: null }, events }
}

/** Reads a line back; undefined for all but the very bytes that {@link encodeArchived} writes. */
export const decodeArchived = (line: string): ArchivedRow | undefined => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  const read = rowOf(value)
  return read !== undefined && encodeArchived(read) === line ? read : undefined
}

/** The events of a row as they were stored; none where its body does not have its entries. */
export const archivedEvents = ({ events, row }: ArchivedRow): ReadonlyArray<StoredEvent> =>
  (entriesOf(row) ?? []).flatMap(({ data, stream }, index): StoredEvent | [] => {
    const event = events[index]
    return event === undefined ? [] : { ...event, seq: row.firstSeq + index, stream, data }
  })

/** Where a walk begins that goes on behind a span, whose end is taken as given. */
export const behind = ({ hash, last, recordedAt, term }: Omit<ArchivedSpan, "first" | "previous">): WalkedBefore => ({
  last,
  row: { firstSeq: last, count: 1, term, recordedAt, hash, answersDigest: hash, body: "", answers: null }
})

/** The span of some rows that stand one behind the other; undefined of none. */
export const spanOf = (rows: ReadonlyArray<JournalRow>, previous: Uint8Array): ArchivedSpan | undefined => {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const { hash, recordedAt, term } = last
  return { first: first.firstSeq, last: last.firstSeq + last.count - 1, previous, hash, term, recordedAt }
}
