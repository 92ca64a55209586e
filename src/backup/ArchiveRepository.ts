import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { JournalRow } from "../../engine/journal/JournalRow.ts"
import { ENDING, LEAVING, LEAVING_AT_END } from "../../engine/journal/LeavingEvents.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { bigints, texts } from "../database/ArrayParameter.ts"
import { journalRows } from "../database/JournalStatements.ts"
import type { ArchivedFile } from "./ArchiveFile.ts"

interface FileRow extends Omit<ArchivedFile, "first" | "last" | "recordedAt"> {
  readonly first_seq: bigint
  readonly last_seq: bigint
  readonly recorded_at: bigint
}

const toFile = ({ first_seq, last_seq, recorded_at, ...file }: FileRow): ArchivedFile => ({
  ...file,
  first: Number(first_seq),
  last: Number(last_seq),
  recordedAt: Number(recorded_at)
})

/** The events of orders that a file ends, as far as they are stored and may go, and the files that have them. */
export interface EndedEvents {
  readonly seqs: ReadonlyArray<number>
  readonly files: ReadonlyArray<ArchivedFile>
}

/** What may be removed at once, and by whom. */
export interface Clearing {
  /** Rows of each table at most. */
  readonly limit: number
  /** Sequences of events of ended orders, whose files were read. */
  readonly ended: ReadonlyArray<number>
  /** The term under which this process writes. */
  readonly term: bigint
}

/** Which rows are read at once. */
export interface RowsBefore {
  /** Rows end before this sequence, and were appended before the horizon, in milliseconds since 1970. */
  readonly bound: number
  readonly horizon: number
  /** So many rows at most, whose stored bodies have so many bytes; the first is read however long it is. */
  readonly limit: number
  readonly bytes: number
}

/** The database's side of the journal's archive: which files it has, what may come next, and what is still in the tables. */
export class ArchiveRepository extends Context.Service<
  ArchiveRepository,
  {
    /** The files of the archive, in the order of their rows; none in a database from before there were any. */
    readonly files: Effect.Effect<ReadonlyArray<ArchivedFile>, SqlError>
    /** The file that has an entry; undefined where none does. */
    readonly fileWith: (seq: number) => Effect.Effect<ArchivedFile | undefined, SqlError>
    /** The file that was written last; undefined where there is none. */
    readonly last: Effect.Effect<ArchivedFile | undefined, SqlError>
    /** The first file whose rows are still in the tables. */
    readonly toClear: Effect.Effect<ArchivedFile | undefined, SqlError>
    /**
     * The sequence before which nothing needs the journal's rows or looks for events by their place any more: what the
     * tables lack, what was not told or counted yet, and the last events, are behind it.
     *
     * @param kept - how many of the last events may be asked for again
     */
    readonly bound: (kept: number) => Effect.Effect<number, SqlError>
    /** The next rows behind a sequence that end before a bound and were appended before a time. */
    readonly rows: (after: number, to: RowsBefore) => Effect.Effect<ReadonlyArray<JournalRow>, SqlError>
    /** The events from a sequence to another, as they are in their table. */
    readonly events: (first: number, last: number) => Effect.Effect<ReadonlyArray<StoredEvent>, SqlError>
    /** Notes a file whose rows come next, unless another process writes by now; answers whether it is noted. */
    readonly add: (file: ArchivedFile, at: number, term: bigint) => Effect.Effect<boolean, SqlError>
    /** Some events that may go because a file has the end of their order, and every file that has one of them. */
    readonly ended: (file: ArchivedFile, limit: number) => Effect.Effect<EndedEvents, SqlError>
    /**
     * Removes some rows that a file has from the tables, and events of orders that it ends; answers how many. Removes nothing,
     * and answers undefined, where another process writes by now or the file is not noted as it is given.
     */
    readonly clear: (file: ArchivedFile, clearing: Clearing) => Effect.Effect<number | undefined, SqlError>
    /** Notes that nothing that may go is left of a file in the tables, unless another process writes by now. */
    readonly cleared: (file: ArchivedFile, term: bigint) => Effect.Effect<void, SqlError>
  }
>()("emporion/archive/ArchiveRepository") {
  static readonly layer: Layer.Layer<ArchiveRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      ArchiveRepository.of({
        files: files(sql),
        fileWith: fileWith(sql),
        last: Effect.map(
          sql<FileRow>`SELECT ${columns(sql)} FROM journal_archives ORDER BY last_seq DESC LIMIT 1`,
          ([row]) => (row === undefined ? undefined : toFile(row))
        ),
        toClear: Effect.map(
          sql<FileRow>`SELECT ${columns(sql)} FROM journal_archives WHERE NOT cleared ORDER BY first_seq LIMIT 1`,
          ([row]) => (row === undefined ? undefined : toFile(row))
        ),
        bound: bound(sql),
        rows: rows(sql),
        events: events(sql),
        add: add(sql),
        ended: ended(sql),
        clear: clear(sql),
        cleared: (file, term) =>
          Effect.asVoid(sql`
            WITH ${held(sql, file, term)}
            UPDATE journal_archives SET cleared = true WHERE first_seq = ${BigInt(file.first)} AND EXISTS (SELECT FROM held)`)
      })
    )
  )
}

const columns = (sql: SqlClient) =>
  sql.literal("first_seq, last_seq, rows, previous, hash, term, recorded_at, name, bytes, sha256")

const isThere = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly there: boolean }>`SELECT to_regclass('journal_archives') IS NOT NULL AS there`,
    ([known]) => known?.there === true
  )

const files = (sql: SqlClient) =>
  Effect.gen(function* () {
    if (!(yield* isThere(sql))) return []
    const found = yield* sql<FileRow>`SELECT ${columns(sql)} FROM journal_archives ORDER BY first_seq`
    return found.map(toFile)
  })

const fileWith = (sql: SqlClient) =>
  Effect.fnUntraced(function* (seq: number) {
    if (!(yield* isThere(sql))) return undefined
    const [row] = yield* sql<FileRow>`
      SELECT ${columns(sql)} FROM journal_archives WHERE last_seq >= ${BigInt(seq)} ORDER BY last_seq LIMIT 1`
    return row === undefined || Number(row.first_seq) > seq ? undefined : toFile(row)
  })

/** The row that has the bound stays, so that whoever looks for the last row that the tables have finds it. */
const bound = (sql: SqlClient) => (kept: number) =>
  sql<{ readonly seq: bigint | null }>`
    SELECT least(
      (SELECT seq FROM projection), (SELECT seq FROM webhook_cursor), (SELECT seq FROM activity_position),
      (SELECT max(seq) FROM events) - ${BigInt(kept)}) AS seq`.pipe(
    Effect.map(([row]) => Math.max(0, Number(row?.seq ?? 0n)))
  )

const rows =
  (sql: SqlClient): ArchiveRepository["Service"]["rows"] =>
  (after, { bound, bytes, horizon, limit }) =>
    journalRows(
      sql,
      sql`
        WHERE first_seq IN (
          SELECT first_seq FROM (
            SELECT first_seq, bytes, sum(bytes) OVER (ORDER BY first_seq) AS total FROM (
              SELECT first_seq, octet_length(body) AS bytes FROM journal
              WHERE first_seq > ${BigInt(after)} AND first_seq + count - 1 < ${BigInt(bound)}
                AND recorded_at < ${BigInt(horizon)}
              ORDER BY first_seq LIMIT ${BigInt(limit)}) AS next) AS summed
          WHERE total <= ${BigInt(bytes)} OR total = bytes)
        ORDER BY first_seq`
    )

const events = (sql: SqlClient) => (first: number, last: number) =>
  sql<Omit<StoredEvent, "seq"> & { readonly seq: bigint }>`
    SELECT seq, stream, version, type, data, encode(hash, 'hex') AS hash FROM events
    WHERE seq >= ${BigInt(first)} AND seq <= ${BigInt(last)} ORDER BY seq`.pipe(
    Effect.map((found) => found.map((row): StoredEvent => ({ ...row, seq: Number(row.seq) })))
  )

/** Whoever takes the next term waits for this, and sees it. */
const add =
  (sql: SqlClient): ArchiveRepository["Service"]["add"] =>
  (file, at, term) =>
    sql`
      WITH fence AS (SELECT 1 FROM writer_term WHERE term = ${term} FOR SHARE)
      INSERT INTO journal_archives
        (first_seq, last_seq, rows, previous, hash, term, recorded_at, name, bytes, sha256, written_at)
      SELECT ${BigInt(file.first)}::bigint, ${BigInt(file.last)}::bigint, ${BigInt(file.rows)}::integer,
        ${file.previous}::bytea, ${file.hash}::bytea, ${file.term}::bigint, ${BigInt(file.recordedAt)}::bigint,
        ${file.name}::text, ${BigInt(file.bytes)}::integer, ${file.sha256}::bytea, ${BigInt(at)}::bigint
      FROM fence
      WHERE coalesce((SELECT hash = ${file.previous} AND last_seq = ${BigInt(file.first - 1)} FROM journal_archives
        ORDER BY last_seq DESC LIMIT 1), true)
      RETURNING first_seq`.pipe(Effect.map((added) => added.length === 1))

/** There while a process may remove what a file has: its term is the last one, and the file is noted as it was read. */
const held = (sql: SqlClient, { first, sha256 }: ArchivedFile, term: bigint) => sql`
  held AS MATERIALIZED (
    SELECT 1 FROM writer_term, journal_archives AS file
    WHERE writer_term.term = ${term} AND file.first_seq = ${BigInt(first)} AND file.sha256 = ${sha256}::bytea
    FOR SHARE)`

const ended = (sql: SqlClient) => (file: ArchivedFile, limit: number) =>
  sql<FileRow & { readonly seq: bigint }>`
    WITH leaving AS (
      SELECT one.seq FROM events AS ending JOIN events AS one ON one.stream = ending.stream AND one.seq < ending.seq
      WHERE ending.seq >= ${BigInt(file.first)} AND ending.seq <= ${BigInt(file.last)}
        AND ending.type = ANY (${texts(ENDING)}::text[]) AND one.type = ANY (${texts(LEAVING_AT_END)}::text[])
        AND one.seq >= (SELECT min(first_seq) FROM journal_archives)
      LIMIT ${BigInt(limit)})
    SELECT leaving.seq, file.* FROM leaving CROSS JOIN LATERAL (
      SELECT ${columns(sql)} FROM journal_archives WHERE last_seq >= leaving.seq ORDER BY last_seq LIMIT 1) AS file
    WHERE file.first_seq <= leaving.seq ORDER BY leaving.seq`.pipe(
    Effect.map((found): EndedEvents => {
      const files = new Map<string, ArchivedFile>()
      for (const { seq: _, ...row } of found) if (!files.has(row.name)) files.set(row.name, toFile(row))
      return { seqs: found.map(({ seq }) => Number(seq)), files: [...files.values()] }
    })
  )

interface Counted {
  readonly removed: bigint
  readonly held: boolean
}

/** The only statements of the program that remove rows of the journal and events: those that a file has. */
const clear = (sql: SqlClient): ArchiveRepository["Service"]["clear"] =>
  Effect.fnUntraced(function* (file, { ended, limit, term }) {
    const [from, to, most] = [BigInt(file.first), BigInt(file.last), BigInt(limit)]
    const fence = held(sql, file, term)
    const journal = sql<Counted>`
      WITH ${fence}, gone AS (DELETE FROM journal WHERE EXISTS (SELECT FROM held) AND first_seq = ANY (ARRAY(
        SELECT first_seq FROM journal WHERE first_seq >= ${from} AND first_seq <= ${to} ORDER BY first_seq LIMIT ${most}))
        RETURNING first_seq)
      SELECT count(*) AS removed, EXISTS (SELECT FROM held) AS held FROM gone`
    const unread = sql<Counted>`
      WITH ${fence}, gone AS (DELETE FROM events WHERE EXISTS (SELECT FROM held) AND seq = ANY (ARRAY(
        SELECT seq FROM events WHERE seq >= ${from} AND seq <= ${to} AND type = ANY (${texts(LEAVING)}::text[])
        ORDER BY seq LIMIT ${most}))
        RETURNING seq)
      SELECT count(*) AS removed, EXISTS (SELECT FROM held) AS held FROM gone`
    const atEnd = sql<Counted>`
      WITH ${fence}, gone AS (DELETE FROM events WHERE EXISTS (SELECT FROM held)
        AND seq = ANY (${bigints(ended.map(BigInt))}::bigint[]) AND type = ANY (${texts(LEAVING_AT_END)}::text[])
        RETURNING seq)
      SELECT count(*) AS removed, EXISTS (SELECT FROM held) AS held FROM gone`
    const counts = (yield* sql.withTransaction(Effect.all([journal, unread, atEnd]))).flat()
    return counts.every((one) => one.held) ? counts.reduce((sum, { removed }) => sum + Number(removed), 0) : undefined
  })
