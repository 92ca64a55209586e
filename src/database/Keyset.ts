/** Pages by a cursor: the rows after the one that the caller names. */

import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Page } from "../api/Paging.ts"
import { hasIndexedMetadata, hasMetadata } from "./MetadataColumn.ts"

/** The cursor names no row of the list. */
export class UnknownCursor extends Data.TaggedError("UnknownCursor")<{ readonly after: string }> {}

/** A column that rows are sorted by. Its values never change. */
export interface Sort {
  readonly column: string
  readonly descending?: boolean
}

/** What a row is sorted by, by which its place is found without it. */
export type Place = readonly [first: bigint, second?: string]

/** Rows that are read by pages. */
export interface Listed<Row> {
  /** `SELECT … FROM …`, as far as `WHERE`. */
  readonly select: Fragment
  /** The tables that the conditions need, by the names that they have in the selection. */
  readonly from: Fragment
  /**
   * Whose rows they are. A row that meets this once always does, so a cursor stays valid whatever happens to its row.
   */
  readonly scope: Fragment
  /** Which of those are wanted. */
  readonly wanted?: Fragment | undefined
  /** The order. It distinguishes any two rows. */
  readonly order: ReadonlyArray<Sort>
  /** The column that callers name a row by. */
  readonly id: string
  /** Whether it holds integers. */
  readonly isNumber?: boolean
  /** A column that distinguishes rows if the id does not. A cursor may name it instead. */
  readonly key?: string
  /** The id of a row that was read, or its key. */
  readonly idOf: (row: Row) => string
  /**
   * Given where rows are removed: what the order compares of one. The next page's cursor is then this place, which
   * outlasts its row, and says nothing of whose it is. The id of a row that is there is a cursor as well.
   */
  readonly placeOf?: (row: Row) => Place
  /** Whether the table has an index that finds rows by their metadata. Then a filter reads no others. */
  readonly hasMetadataIndex?: boolean
}

/** What decides which rows a page wants. */
type Wanted = Pick<Listed<never>, "from" | "hasMetadataIndex" | "id" | "key" | "wanted">

/** A page of rows. */
export interface Rows<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The rows of all pages. */
  readonly total: number
  /** The cursor of the next page, if there is one. */
  readonly next: string | undefined
}

/** The column that gives the number of rows of all pages, beside each row. */
const TOTAL = "listed_total"

type Counted = { readonly [TOTAL]: bigint }

const INTEGER = /^\d{1,18}$/

const PLACE = /^(\d{1,18})(?:\.(.+))?$/s

const textOf = ([first, second]: Place): string => (second === undefined ? String(first) : `${first}.${second}`)

type Key = Readonly<Record<string, unknown>>

const keyOf = (index: number): string => `cursor_key_${index}`

/** The rows that come later than a key. Columns of one direction are compared as a row, which an index serves whole. */
const beyond = (sql: SqlClient, order: ReadonlyArray<Sort>, key: Key): Fragment => {
  const [first, second] = order
  if (first === undefined) return sql`true`
  const sign = ({ descending = false }: Sort) => sql.literal(descending ? "<" : ">")
  const column = (sort: Sort) => sql.literal(sort.column)
  if (second === undefined) return sql`${column(first)} ${sign(first)} ${key[keyOf(0)]}`
  const [a, b] = [key[keyOf(0)], key[keyOf(1)]]
  return first.descending === second.descending
    ? sql`(${column(first)}, ${column(second)}) ${sign(first)} (${a}, ${b})`
    : sql`${column(first)} ${sign(first)}= ${a} AND (${column(first)} ${sign(first)} ${a} OR ${column(second)} ${sign(second)} ${b})`
}

/** The key that a cursor is the place of. */
const placeKey = (order: ReadonlyArray<Sort>, after: string): Key | undefined => {
  const [, first, second] = PLACE.exec(after) ?? []
  if (first === undefined || (second === undefined) !== (order.length === 1)) return undefined
  return { [keyOf(0)]: BigInt(first), ...(second === undefined ? {} : { [keyOf(1)]: second }) }
}

/** The key of the row that a cursor names, or of a place. */
export const cursorKey = Effect.fnUntraced(function* (
  sql: SqlClient,
  { from, id, isNumber = false, key, order, placeOf, scope }: Omit<Listed<never>, "select" | "idOf" | "wanted">,
  after: string
): Effect.fn.Return<Key, SqlError | UnknownCursor> {
  const placed = placeOf === undefined ? undefined : placeKey(order, after)
  // First, so that nobody's row that is called like a place leads elsewhere.
  if (placed !== undefined) return placed
  const columns = sql.literal(order.map(({ column }, index) => `${column} AS ${keyOf(index)}`).join(", "))
  if (isNumber && !INTEGER.test(after)) return yield* new UnknownCursor({ after })
  const named = sql`${sql.literal(id)} = ${isNumber ? BigInt(after) : after}`
  const either = key === undefined ? named : sql`(${named} OR ${sql.literal(key)} = ${after})`
  const found = yield* sql<Key>`SELECT ${columns} FROM ${from} WHERE ${scope} AND ${either} LIMIT 2`
  const [place] = found
  return place === undefined || found.length > 1 ? yield* new UnknownCursor({ after }) : place
})

/** Which rows of a scope a page wants. */
const wantedOf = (
  sql: SqlClient,
  { from, hasMetadataIndex = false, id, key = id, wanted = sql`true` }: Wanted,
  { metadata, sealedMetadata }: Page
): Fragment => {
  if (metadata === undefined) return wanted
  const pairs = [metadata, ...(sealedMetadata ?? [])]
  const has = hasMetadataIndex ? hasIndexedMetadata(sql, { from, id, key }, pairs) : hasMetadata(sql, id, pairs)
  return sql.and([wanted, has])
}

/** The statement that reads a page and one row more. */
export const statement = <Row>(
  sql: SqlClient,
  listed: Wanted & Pick<Listed<Row>, "order" | "scope" | "select">,
  asked: Page,
  key: Key | undefined
) => {
  const { order, scope, select } = listed
  const { limit, offset } = asked
  const wanted = wantedOf(sql, listed, asked)
  const behind = key === undefined ? sql`true` : beyond(sql, order, key)
  const by = sql.literal(order.map(({ column, descending }) => (descending ? `${column} DESC` : column)).join(", "))
  return sql<Row & object>`
    ${select} WHERE ${scope} AND ${wanted} AND ${behind}
    ORDER BY ${by} LIMIT ${BigInt(limit + 1)} OFFSET ${BigInt(offset)}`
}

/**
 * Reads a page by the list's own order. After a cursor come the rows behind the one that it names, whatever was added
 * before that meanwhile. Fails with {@link UnknownCursor} if the list has no such row.
 */
export const page = Effect.fnUntraced(function* <Row extends object>(
  sql: SqlClient,
  listed: Listed<Row>,
  asked: Page
): Effect.fn.Return<Rows<Row>, SqlError | UnknownCursor> {
  const { from, idOf, placeOf, scope } = listed
  const { after, limit } = asked
  const wanted = wantedOf(sql, listed, asked)
  const key = after === undefined ? undefined : yield* cursorKey(sql, listed, after)
  const count = sql`SELECT count(*) AS ${sql.literal(TOTAL)} FROM ${from} WHERE ${scope} AND ${wanted}`
  // One statement for both: a second one costs more than the count.
  const found = yield* sql<Row & Counted>`
    SELECT listed.*, (${count}) FROM (${statement<Row>(sql, listed, asked, key)}) AS listed`
  const counted = found.map(({ [TOTAL]: total, ...row }) => ({ total, row: row as unknown as Row }))
  const isEmpty = asked.after === undefined && asked.offset === 0
  // Of an empty list nothing is asked again: what comes meanwhile would be counted and not shown.
  const total = counted[0]?.total ?? (isEmpty ? 0n : (yield* sql<Counted>`${count}`)[0]?.[TOTAL]) ?? 0n
  const rows = counted.slice(0, limit).map(({ row }) => row)
  const last = rows.at(-1)
  const cursor = (row: Row) => (placeOf === undefined ? idOf(row) : textOf(placeOf(row)))
  const next = found.length > limit && last !== undefined ? cursor(last) : undefined
  return { rows, total: Number(total), next }
})

/** The same for rows that are in memory, in the order of the list, and have no metadata. */
export const pageOf = <Row>(
  listed: ReadonlyArray<Row>,
  idOf: (row: Row) => string,
  { after, limit, metadata, offset }: Page
): Effect.Effect<Rows<Row>, UnknownCursor> => {
  const all = metadata === undefined ? listed : []
  const place = after === undefined ? -1 : all.findIndex((row) => idOf(row) === after)
  if (after !== undefined && place === -1) return Effect.fail(new UnknownCursor({ after }))
  const rows = all.slice(place + 1 + offset, place + 1 + offset + limit)
  const last = rows.at(-1)
  const isLast = place + 1 + offset + limit >= all.length
  return Effect.succeed({ rows, total: all.length, next: isLast || last === undefined ? undefined : idOf(last) })
}
