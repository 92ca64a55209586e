/** The statements of the journal, the append among them. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { GENESIS } from "../../engine/actor/EventChain.ts"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"
import type { JournalEnd, JournalRow } from "../../engine/journal/JournalRow.ts"
import { bigints, byteStrings, nullableTexts, texts } from "./ArrayParameter.ts"
import { pack, unpack } from "./PackedText.ts"

interface Row {
  readonly first_seq: bigint
  readonly count: number
  readonly term: bigint
  readonly recorded_at: bigint
  readonly hash: Uint8Array
  readonly answers_digest: Uint8Array
  readonly body: string
  readonly answers: string | null
}

const toRow = (row: Row): JournalRow => ({
  firstSeq: Number(row.first_seq),
  count: row.count,
  term: row.term,
  recordedAt: Number(row.recorded_at),
  hash: row.hash,
  answersDigest: row.answers_digest,
  body: unpack(row.body),
  answers: row.answers === null ? null : unpack(row.answers)
})

/** Rows that are read at once. */
const ROWS_PAGE = 100

/** The rows that the rest of a statement says, behind the name of the table. */
export const journalRows = (sql: SqlClient, rest: Fragment): Effect.Effect<ReadonlyArray<JournalRow>, SqlError> =>
  sql<Row>`
    SELECT first_seq, count, term, recorded_at, hash, answers_digest, body, answers FROM journal ${rest}`.pipe(
    Effect.map((rows) => rows.map(toRow))
  )

/** The end of the journal. Events older than the journal have no rows there. */
export const journalEnd = (sql: SqlClient): Effect.Effect<JournalEnd, SqlError> =>
  sql<{ readonly seq: bigint; readonly recorded_at: bigint | null; readonly hash: Uint8Array | null }>`
    SELECT coalesce(last.first_seq + last.count - 1, (SELECT max(seq) FROM events), 0)::bigint AS seq,
      last.recorded_at, last.hash
    FROM (SELECT) AS one LEFT JOIN (
      SELECT first_seq, count, recorded_at, hash FROM journal ORDER BY first_seq DESC LIMIT 1) AS last ON true`.pipe(
    Effect.map(([row]) => ({
      seq: Number(row?.seq ?? 0n),
      hash: row?.hash ?? GENESIS,
      recordedAt: Number(row?.recorded_at ?? 0n)
    }))
  )

/** The last row; undefined where there is none. */
export const journalLast = (sql: SqlClient): Effect.Effect<JournalRow | undefined, SqlError> =>
  Effect.map(journalRows(sql, sql`ORDER BY first_seq DESC LIMIT 1`), ([row]) => row)

/** The rows behind a sequence that begin no later than another, a page of them; none at the end. */
export const journalBetween = (sql: SqlClient) => (after: number, last: number) =>
  journalRows(
    sql,
    sql`WHERE first_seq > ${BigInt(after)} AND first_seq <= ${BigInt(last)} ORDER BY first_seq LIMIT ${ROWS_PAGE}`
  )

/** The rows behind a sequence, a page of them; none at the end. */
export const journalAfter = (sql: SqlClient) => (seq: number) => journalBetween(sql)(seq, Number.MAX_SAFE_INTEGER)

/** Removes the answers from rows that were appended up to a time, the oldest first. The rows keep their digests. */
export const forgetAnswers = (sql: SqlClient) => (until: number, most: number) =>
  sql`
    UPDATE journal SET answers = NULL WHERE first_seq IN (
      SELECT first_seq FROM journal WHERE answers IS NOT NULL AND recorded_at <= ${BigInt(until)}
      ORDER BY recorded_at LIMIT ${most})
    RETURNING first_seq`.pipe(Effect.map((rows) => rows.length))

/**
 * Fails, by a division by zero, unless the journal ends with a hash and the term is the last. A process that takes the
 * next term waits for the end of the statement. If the next term was taken meanwhile, the old row is gone.
 */
const certainty = (sql: SqlClient, hash: Uint8Array, term: bigint) => sql`
  fence AS MATERIALIZED (SELECT 1 FROM writer_term WHERE term = ${term} FOR SHARE),
  certain AS MATERIALIZED (
    SELECT 1 / (EXISTS (SELECT FROM fence)
      AND coalesce((SELECT hash FROM journal ORDER BY first_seq DESC LIMIT 1), ${GENESIS}) = ${hash})::integer AS one)`

/** Appends rows, if any, in one statement, which fails if the journal ends otherwise or the term is not the last. */
export const appendJournal =
  (sql: SqlClient) =>
  (rows: ReadonlyArray<JournalRow>, hash: Uint8Array, term: bigint): Statement<unknown> =>
    rows.length === 0
      ? sql`WITH ${certainty(sql, hash, term)} SELECT one FROM certain`
      : sql`
      WITH ${certainty(sql, hash, term)}
      INSERT INTO journal (first_seq, count, term, recorded_at, hash, answers_digest, body, answers)
      SELECT row.* FROM certain, unnest(
        ${bigints(rows.map(({ firstSeq }) => BigInt(firstSeq)))}::bigint[],
        ${bigints(rows.map(({ count }) => BigInt(count)))}::integer[],
        ${bigints(rows.map(({ term }) => term))}::bigint[],
        ${bigints(rows.map(({ recordedAt }) => BigInt(recordedAt)))}::bigint[],
        ${byteStrings(rows.map(({ hash }) => hash))}::bytea[],
        ${byteStrings(rows.map(({ answersDigest }) => answersDigest))}::bytea[],
        ${texts(rows.map(({ body }) => pack(body)))}::text[],
        ${nullableTexts(rows.map(({ answers }) => (answers === null ? null : pack(answers))))}::text[]) AS row
      WHERE certain.one = 1`
