import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { HISTORY_FILES, type HistoryFileName } from "../../api/ArenaHistory.ts"
import type { Page } from "../../api/Paging.ts"
import { byteStrings, bigints, texts } from "../../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../../database/DatabaseError.ts"
import * as Keyset from "../../database/Keyset.ts"
import { commitmentsOfOrder } from "../CommitmentRepository.ts"
import type { SnapshotOrder } from "../OrderSnapshotRepository.ts"
import { DAY, type JournalPosition, type SealedDay } from "./HistoryDay.ts"

/** Orders whose places are read at once. */
const PLACES_PAGE = 500

/** An order in the sequence of a day's files. */
export interface OrderPlace extends SnapshotOrder {
  readonly settlementAt: number
}

/** A day of which nothing is sealed yet. */
export interface UnsealedDay {
  /** Days since 1970 in UTC. */
  readonly day: number
  /** Whether one of its auctions has not ended. */
  readonly isLive: boolean
}

/** Some sealed days, and how many there are. */
export interface DayPage {
  readonly days: ReadonlyArray<SealedDay>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

interface DayRow {
  readonly day: number
  /** The day as callers write it. */
  readonly label: string
  readonly bids: "open" | "sealed"
  readonly orders: bigint
  readonly commitments: bigint
  readonly journal_seq: bigint
  readonly journal_hash: Uint8Array
  readonly previous: Uint8Array
  readonly hash: Uint8Array
}

interface FileRow {
  readonly day: number
  readonly name: HistoryFileName
  readonly bytes: bigint
  readonly sha256: Uint8Array
}

const toDay = (row: DayRow, files: ReadonlyArray<FileRow>): SealedDay => ({
  day: row.day,
  bids: row.bids,
  orders: Number(row.orders),
  commitments: Number(row.commitments),
  journal: { seq: Number(row.journal_seq), hash: row.journal_hash },
  previous: row.previous,
  hash: row.hash,
  files: HISTORY_FILES.flatMap((name) => {
    const file = files.find((one) => one.name === name)
    return file === undefined ? [] : [{ name, bytes: Number(file.bytes), sha256: file.sha256 }]
  })
})

const LABEL = "(date '1970-01-01' + day)::text"

/** What is sealed of the arena's history, and in which sequence its files have the orders. */
export class HistoryRepository extends Context.Service<
  HistoryRepository,
  {
    /** Whether the database has the tables: one from before them does not. */
    readonly isThere: Effect.Effect<boolean, Unavailable>
    /** The sealed days, newest first. */
    readonly list: (page: Page) => Effect.Effect<DayPage, Unavailable | Keyset.UnknownCursor>
    readonly find: (day: number) => Effect.Effect<SealedDay | undefined, Unavailable>
    /** The day that was sealed last. */
    readonly last: Effect.Effect<SealedDay | undefined, Unavailable>
    /** The first sealed day after one. */
    readonly after: (day: number) => Effect.Effect<SealedDay | undefined, Unavailable>
    /** The first day after one in which an auction settles. */
    readonly unsealedAfter: (day: number) => Effect.Effect<UnsealedDay | undefined, Unavailable>
    /** The row of the journal that the tables follow to. */
    readonly position: Effect.Effect<JournalPosition, Unavailable>
    /** Seals a day, unless that or one behind the same day is sealed already. */
    readonly add: (day: SealedDay) => Effect.Effect<void, Unavailable>
    /** The orders of a day behind one in the sequence of its files, or from the first; none at the end. */
    readonly placesAfter: (
      day: number,
      place: OrderPlace | undefined
    ) => Effect.Effect<ReadonlyArray<OrderPlace>, Unavailable>
  }
>()("emporion/arena/history/HistoryRepository") {
  static readonly layer: Layer.Layer<HistoryRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      HistoryRepository.of({
        isThere: sql<{ readonly there: boolean }>`SELECT to_regclass('arena_history_files') IS NOT NULL AS there`.pipe(
          Effect.map(([row]) => row?.there === true),
          unavailableOrDie
        ),
        ...reading(sql),
        unsealedAfter: unsealedAfter(sql),
        position: position(sql),
        add: add(sql),
        placesAfter: placesAfter(sql)
      })
    )
  )
}

const COLUMNS = `day, ${LABEL} AS label, bids, orders, commitments, journal_seq, journal_hash, previous, hash`

const reading = (sql: SqlClient) => {
  const columns = sql.literal(COLUMNS)
  const withFiles = Effect.fnUntraced(function* (rows: ReadonlyArray<DayRow>) {
    const files =
      rows.length === 0
        ? []
        : yield* sql<FileRow>`
            SELECT day, name, bytes, sha256 FROM arena_history_files
            WHERE day = ANY(${bigints(rows.map(({ day }) => BigInt(day)))}::integer[])`
    return rows.map((row) =>
      toDay(
        row,
        files.filter(({ day }) => day === row.day)
      )
    )
  })
  const first = (rows: Effect.Effect<ReadonlyArray<DayRow>, Effect.Error<ReturnType<typeof withFiles>>>) =>
    rows.pipe(
      Effect.flatMap(withFiles),
      Effect.map(([day]) => day),
      unavailableOrDie
    )
  return {
    list: Effect.fn("HistoryRepository.list")(function* (page: Page) {
      const list: Keyset.Listed<DayRow> = {
        select: sql`SELECT ${columns} FROM arena_history_days`,
        from: sql`arena_history_days`,
        scope: sql`true`,
        order: [{ column: "day", descending: true }],
        id: LABEL,
        idOf: ({ label }) => label
      }
      const { next, rows, total } = yield* Keyset.page(sql, list, page)
      return { days: yield* withFiles(rows), total, next }
    }, unavailableOrDie),
    find: (day: number) => first(sql<DayRow>`SELECT ${columns} FROM arena_history_days WHERE day = ${BigInt(day)}`),
    last: first(sql<DayRow>`SELECT ${columns} FROM arena_history_days ORDER BY day DESC LIMIT 1`),
    after: (day: number) =>
      first(sql<DayRow>`SELECT ${columns} FROM arena_history_days WHERE day > ${BigInt(day)} ORDER BY day LIMIT 1`)
  }
}

const unsealedAfter = (sql: SqlClient) => (after: number) =>
  Effect.gen(function* () {
    const [next] = yield* sql<{ readonly day: bigint | null }>`
      SELECT min(settlement_at) / ${BigInt(DAY)} AS day FROM arena_orders WHERE settlement_at >= ${BigInt((after + 1) * DAY)}`
    if (next === undefined || next.day === null) return undefined
    const [from, end] = [next.day * BigInt(DAY), (next.day + 1n) * BigInt(DAY)]
    const [live] = yield* sql<{ readonly live: boolean }>`
      SELECT EXISTS (SELECT FROM arena_orders
        WHERE settlement_at >= ${from} AND settlement_at < ${end} AND status <> 'settled') AS live`
    return { day: Number(next.day), isLive: live?.live !== false }
  }).pipe(unavailableOrDie)

const position = (sql: SqlClient) =>
  sql<{ readonly seq: bigint; readonly hash: Uint8Array }>`
    SELECT first_seq + count - 1 AS seq, hash FROM journal
    WHERE first_seq <= (SELECT seq FROM projection) ORDER BY first_seq DESC LIMIT 1`.pipe(
    Effect.map(([row]): JournalPosition =>
      row === undefined ? { seq: 0, hash: GENESIS } : { ...row, seq: Number(row.seq) }
    ),
    unavailableOrDie
  )

const add = (sql: SqlClient) => (day: SealedDay) =>
  sql`
    WITH added AS (
      INSERT INTO arena_history_days (day, bids, orders, commitments, journal_seq, journal_hash, previous, hash)
      VALUES (${BigInt(day.day)}, ${day.bids}, ${BigInt(day.orders)}, ${BigInt(day.commitments)},
        ${BigInt(day.journal.seq)}, ${day.journal.hash}, ${day.previous}, ${day.hash})
      ON CONFLICT DO NOTHING RETURNING day)
    INSERT INTO arena_history_files (day, name, bytes, sha256)
    SELECT added.day, file.* FROM added, unnest(
      ${texts(day.files.map(({ name }) => name))}::text[],
      ${bigints(day.files.map(({ bytes }) => BigInt(bytes)))}::bigint[],
      ${byteStrings(day.files.map(({ sha256 }) => sha256))}::bytea[]) AS file`.pipe(unavailableOrDie, Effect.asVoid)

const placesAfter = (sql: SqlClient) => (day: number, place: OrderPlace | undefined) => {
  const [from, end] = [BigInt(day * DAY), BigInt((day + 1) * DAY)]
  const behind =
    place === undefined
      ? sql`settlement_at >= ${from}`
      : sql`(settlement_at, id) > (${BigInt(place.settlementAt)}, ${place.orderId})`
  return sql<{ readonly id: string; readonly settlement_at: bigint; readonly commitments: bigint }>`
    SELECT o.id, o.settlement_at, count(c.id)::bigint AS commitments
    FROM (SELECT id, settlement_at FROM arena_orders WHERE ${behind} AND settlement_at < ${end}
      ORDER BY settlement_at, id LIMIT ${BigInt(PLACES_PAGE)}) AS o
    LEFT JOIN LATERAL ${commitmentsOfOrder(sql, sql`o.id`)} AS c ON true
    GROUP BY o.id, o.settlement_at ORDER BY o.settlement_at, o.id`.pipe(
    unavailableOrDie,
    Effect.map((rows) =>
      rows.map((row): OrderPlace => ({
        orderId: row.id,
        settlementAt: Number(row.settlement_at),
        commitments: Number(row.commitments)
      }))
    )
  )
}
