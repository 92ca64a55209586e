/** A row of the journal: the text of its entries, its hash, and how long a row and an entry may be. */

import { type ChainHash, GENESIS, toHex } from "../actor/EventChain.ts"
import type { Command } from "../ledger/Command.ts"
import { decodeCommands, encodeCommands } from "./CommandCodec.ts"

/** Longest body of a row that has several entries, in bytes of UTF-8. */
export const MAX_ROW_BYTES = 1_048_576

/**
 * Longest entry, in bytes of UTF-8. The choice of an order with as many commitments as it may have is shorter. One that is
 * longer than {@link MAX_ROW_BYTES} has a row for itself.
 */
export const MAX_ENTRY_BYTES = 33_554_432

/** One recorded event as the journal has it. Its place follows from the row's, its version and hash from its stream. */
export interface JournalEntry {
  readonly stream: string
  /** The event's JSON, byte for byte as it was hashed. */
  readonly data: string
  /** The caller and its key, if kept answers serve its retries; else empty. */
  readonly key: string
  /** The names that the event claimed. */
  readonly claims: ReadonlyArray<string>
  /** The commands that the ledger took with the event; undefined in rows that were written together with the tables. */
  readonly commands: ReadonlyArray<Command> | undefined
}

/** The place of a row, and its writer. */
export interface JournalPlace {
  /** The sequence of its first entry, gapless from row to row. */
  readonly firstSeq: number
  readonly count: number
  /** The writer's. */
  readonly term: bigint
  /** When it was appended, in milliseconds since 1970; never before the row that it follows. */
  readonly recordedAt: number
}

/** Some entries of one commit, in order. */
export interface JournalRow extends JournalPlace {
  /** SHA-256(hash of the row before ‖ place, digest of the answers, body). */
  readonly hash: Uint8Array
  /** The entries, a line each. */
  readonly body: string
  /** SHA-256 of the answers, which are kept for a shorter time than the row. */
  readonly answersDigest: Uint8Array
  /** The answers of the entries that have keys, as JSON; null if they are no longer kept, or if there are none. */
  readonly answers: string | null
}

/** The answer for retries under an entry's key. */
export interface KeyedAnswer {
  readonly seq: number
  readonly key: string
  readonly fingerprint: string
  readonly status: number
  readonly body: string
}

/** The end that the next row is appended to. */
export interface JournalEnd {
  /** The sequence of the last entry; 0 before the first. */
  readonly seq: number
  /** The last row's hash; 32 zero bytes before the first row. */
  readonly hash: Uint8Array
  readonly recordedAt: number
}

const LINE_END = "\n"
const FIELD_END = "\t"

const ENDS = /[\t\n]/

/** JSON has no line break or tab, and nobody may put one into a stream's name or a key: nothing needs to be escaped. */
const encodeEntry = ({ claims, commands, data, key, stream }: JournalEntry): string => {
  if (ENDS.test(stream) || ENDS.test(key)) throw new TypeError("a stream or a key has a line break or a tab in it")
  const claimed = claims.length === 0 ? "" : JSON.stringify(claims)
  return commands === undefined
    ? `${stream}${FIELD_END}${key}${FIELD_END}${claimed}${FIELD_END}${data}`
    : `${stream}${FIELD_END}${key}${FIELD_END}${claimed}${FIELD_END}${encodeCommands(commands)}${FIELD_END}${data}`
}

const decodeEntry = (line: string): JournalEntry | undefined => {
  const fields = line.split(FIELD_END)
  const [stream = "", key, claims, ...rest] = fields
  const data = rest.pop()
  if (stream === "" || key === undefined || claims === undefined || data === undefined || rest.length > 1) {
    return undefined
  }
  const [commands] = rest
  return {
    stream,
    key,
    claims: claims === "" ? [] : (JSON.parse(claims) as ReadonlyArray<string>),
    commands: commands === undefined ? undefined : decodeCommands(commands),
    data
  }
}

/** The entries of a row; undefined if its body has none, or another number than the row says. */
export const entriesOf = ({
  body,
  count
}: Pick<JournalRow, "body" | "count">): ReadonlyArray<JournalEntry> | undefined => {
  const entries = body.split(LINE_END).flatMap((line) => decodeEntry(line) ?? [])
  return entries.length === count ? entries : undefined
}

/** A row's hash, from that of the row before it. */
export const rowHash = (
  previous: Uint8Array,
  { answersDigest, body, count, firstSeq, recordedAt, term }: Omit<JournalRow, "hash" | "answers">,
  link: ChainHash
): Uint8Array =>
  link(
    previous,
    `${JSON.stringify([firstSeq, count, String(term), recordedAt, toHex(answersDigest)])}${LINE_END}${body}`
  )

/** The digest of a row's answers; 32 zero bytes for a row without any. */
export const digestOf = (answers: string | null, link: ChainHash): Uint8Array =>
  answers === null ? GENESIS : link(GENESIS, answers)

/** Answers in the form that a row keeps. */
const encodeAnswers = (answers: ReadonlyArray<KeyedAnswer>): string | null =>
  answers.length === 0
    ? null
    : JSON.stringify(answers.map(({ body, fingerprint, key, seq, status }) => [seq, key, fingerprint, status, body]))

/** The answers that a row keeps. */
export const readAnswers = ({ answers }: Pick<JournalRow, "answers">): ReadonlyArray<KeyedAnswer> =>
  answers === null
    ? []
    : (JSON.parse(answers) as ReadonlyArray<readonly [number, string, string, number, string]>).map(
        ([seq, key, fingerprint, status, body]) => ({ seq, key, fingerprint, status, body })
      )

/** The bytes of a text in UTF-8, or a few more. */
const bytesOf = (text: string): number => {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) bytes += 2
  return bytes
}

/** Most bytes of UTF-8 that a UTF-16 code unit takes. */
const UTF8_BYTES = 3

/** Whether lines are short enough for one row without a look at what is in them. */
const isShort = (lines: ReadonlyArray<string>): boolean => {
  let units = 0
  for (const line of lines) units += line.length + LINE_END.length
  return units * UTF8_BYTES <= MAX_ROW_BYTES
}

/** Lines in the smallest number of parts, none of several lines is longer than a row. */
const parted = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  if (isShort(lines)) return [lines]
  const parts: Array<Array<string>> = [[]]
  let bytes = 0
  for (const line of lines) {
    const more = bytesOf(line) + LINE_END.length
    if (more > MAX_ENTRY_BYTES) throw new RangeError(`an entry of ${more} bytes is longer than ${MAX_ENTRY_BYTES}`)
    if (bytes > 0 && bytes + more > MAX_ROW_BYTES) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(line)
    bytes += more
  }
  return parts
}

/** The content of one commit. */
export interface Appended {
  readonly entries: ReadonlyArray<JournalEntry>
  readonly answers: ReadonlyArray<KeyedAnswer>
  readonly term: bigint
  /** The writer's clock, in milliseconds since 1970. */
  readonly now: number
}

/** The rows of a commit behind an end: one, unless it is longer than {@link MAX_ROW_BYTES}. */
export const appendedRows = (
  end: JournalEnd,
  { answers, entries, now, term }: Appended,
  link: ChainHash
): ReadonlyArray<JournalRow> => {
  const rows: Array<JournalRow> = []
  const recordedAt = Math.max(now, end.recordedAt)
  let { hash, seq } = end
  if (entries.length === 0) return rows
  for (const lines of parted(entries.map(encodeEntry))) {
    const [firstSeq, last] = [seq + 1, seq + lines.length]
    const kept = encodeAnswers(answers.filter((one) => one.seq >= firstSeq && one.seq <= last))
    const row = {
      firstSeq,
      count: lines.length,
      term,
      recordedAt,
      body: lines.join(LINE_END),
      answersDigest: digestOf(kept, link)
    }
    hash = rowHash(hash, row, link)
    seq = last
    rows.push({ ...row, hash, answers: kept })
  }
  return rows
}

/** The end of the journal after a row. */
export const endOf = ({ count, firstSeq, hash, recordedAt }: Omit<JournalRow, "answers">): JournalEnd => ({
  seq: firstSeq + count - 1,
  hash,
  recordedAt
})
