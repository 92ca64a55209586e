import { Data, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { timingSafeEqual } from "node:crypto"
import type { SealedColumn } from "./SealedColumn.ts"
import type { Secrets } from "./Secrets.ts"

/** Boxes that are opened, sealed and written at a time. */
const PAGE = 500

/** The boxes cannot be sealed under another key. Nothing was changed. Its message is one sentence that says why. */
export class ResealRefused extends Data.TaggedError("ResealRefused")<{ readonly message: string }> {}

/** Boxes by column. */
export interface Resealed {
  /** Whether they were under the new key before. */
  readonly before: boolean
  readonly boxes: ReadonlyArray<{ readonly table: string; readonly column: string; readonly count: number }>
}

type Key = Secrets["Service"]

interface Box {
  readonly key: string
  readonly box: Uint8Array
}

const place = ({ column, table }: SealedColumn, key: string): string => `${table}.${column} of ${key}`

const pageAfter = (sql: SqlClient, { column, key, table }: SealedColumn, last: string) => sql<Box>`
  SELECT ${sql(key)} AS key, ${sql(column)} AS box FROM ${sql(table)}
  WHERE ${sql(column)} IS NOT NULL AND ${sql(key)} > ${last} ORDER BY ${sql(key)} LIMIT ${PAGE}`

/** Runs over all boxes of a column, in pages. */
const eachPage = Effect.fnUntraced(function* <E, R>(
  column: SealedColumn,
  work: (boxes: ReadonlyArray<Box>) => Effect.Effect<void, E, R>
) {
  const sql = yield* SqlClient
  let count = 0
  for (let last: string | undefined = ""; last !== undefined;) {
    const boxes: ReadonlyArray<Box> = yield* pageAfter(sql, column, last)
    yield* work(boxes)
    count += boxes.length
    last = boxes.length < PAGE ? undefined : boxes.at(-1)?.key
  }
  return count
})

const opens = (under: Key, { purpose }: SealedColumn, { box, key }: Box): Effect.Effect<boolean> =>
  Effect.map(Effect.exit(under.open(purpose(key), box)), Exit.isSuccess)

/** Under which of two keys all boxes open. Without any box it is the first. */
const survey = Effect.fnUntraced(function* (columns: ReadonlyArray<SealedColumn>, from: Key, to: Key) {
  let under: "from" | "to" | undefined
  for (const column of columns) {
    yield* eachPage(column, (boxes) =>
      Effect.forEach(
        boxes,
        Effect.fnUntraced(function* (box) {
          const found = (yield* opens(from, column, box)) ? "from" : (yield* opens(to, column, box)) ? "to" : undefined
          if (found === undefined) {
            const message = `${place(column, box.key)} opens under neither key: give the SECRET_KEY that the server ran with.`
            return yield* new ResealRefused({ message })
          }
          if (under !== undefined && under !== found) {
            const message = `${place(column, box.key)} opens under another key than those before it: restore one backup whole.`
            return yield* new ResealRefused({ message })
          }
          under = found
        }),
        { discard: true }
      )
    )
  }
  return under ?? "from"
})

/** Seals a page again, and reads it back to see that it opens as what it was. */
const resealPage = Effect.fnUntraced(function* (column: SealedColumn, from: Key, to: Key, boxes: ReadonlyArray<Box>) {
  if (boxes.length === 0) return
  const sql = yield* SqlClient
  const { key, purpose, table } = column
  const plain = new Map<string, Uint8Array>()
  const sealed: Array<Uint8Array> = []
  for (const box of boxes) {
    const opened = yield* Effect.orDie(from.open(purpose(box.key), box.box))
    plain.set(box.key, opened)
    sealed.push(yield* to.seal(purpose(box.key), opened))
  }
  const keys = boxes.map((box) => box.key)
  const written = yield* sql<Box>`
    UPDATE ${sql(table)} t SET ${sql(column.column)} = given.box
    FROM unnest(${keys}::text[], ${sealed}::bytea[]) AS given (key, box) WHERE t.${sql(key)} = given.key
    RETURNING given.key AS key, t.${sql(column.column)} AS box`
  let same = 0
  for (const box of written) {
    const was = plain.get(box.key)
    const is = yield* Effect.orDie(to.open(purpose(box.key), box.box))
    if (was !== undefined && was.length === is.length && timingSafeEqual(was, is)) same += 1
  }
  if (same !== boxes.length) return yield* Effect.die(new Error(`${table}.${column.column} was not written as sealed`))
})

/**
 * Opens every box under one key and seals it under another. To be run in a transaction, so that all of them change or
 * none does, while no server works on the database: whoever seals meanwhile would do so under the old key. Boxes that
 * are under the new key already are left as they are.
 */
export const reseal = Effect.fn("Resealing.reseal")(function* (
  columns: ReadonlyArray<SealedColumn>,
  from: Key,
  to: Key
) {
  const sql = yield* SqlClient
  for (const { table } of columns) yield* sql`LOCK TABLE ${sql(table)} IN EXCLUSIVE MODE`
  const before = (yield* survey(columns, from, to)) === "to"
  const boxes: Array<Resealed["boxes"][number]> = []
  for (const column of columns) {
    const count = yield* eachPage(column, (page) => (before ? Effect.void : resealPage(column, from, to, page)))
    boxes.push({ table: column.table, column: column.column, count })
  }
  return { before, boxes } satisfies Resealed
})

/** Names a key in the audit log without telling it: 16 hexadecimal digits. */
export const keyName = (under: Key): string => Buffer.from(under.derive("name").subarray(0, 8)).toString("hex")
