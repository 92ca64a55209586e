import { Data, Effect, Exit } from "effect"
import { timingSafeEqual } from "node:crypto"
import { type Box, PAGE, SealedBoxRepository } from "./SealedBoxRepository.ts"
import type { SealedColumn } from "../../database/SealedColumn.ts"
import type { Secrets } from "./Secrets.ts"

/** The boxes cannot be sealed under another key. Nothing was changed. Its message is one sentence that says why. */
export class RotationRefused extends Data.TaggedError("RotationRefused")<{ readonly message: string }> {}

/** What was sealed again. */
export interface Rotation {
  /** Whether everything was under the new key before. */
  readonly before: boolean
  readonly boxes: ReadonlyArray<{ readonly table: string; readonly column: string; readonly count: number }>
}

type Key = Secrets["Service"]

const place = ({ column, table }: SealedColumn, key: string): string => `${table}.${column} of ${key}`

/** Runs over all boxes of a column, in pages, and answers how many there are. */
const eachPage = Effect.fnUntraced(function* <E, R>(
  column: SealedColumn,
  work: (boxes: ReadonlyArray<Box>) => Effect.Effect<void, E, R>
) {
  const { after } = yield* SealedBoxRepository
  let count = 0
  for (let last: string | undefined = ""; last !== undefined;) {
    const boxes: ReadonlyArray<Box> = yield* after(column, last)
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
  const look = Effect.fnUntraced(function* (column: SealedColumn, box: Box) {
    const found = (yield* opens(from, column, box)) ? "from" : (yield* opens(to, column, box)) ? "to" : undefined
    if (found === undefined) {
      const message = `${place(column, box.key)} opens under neither key: give the SECRET_KEY that the server ran with.`
      return yield* new RotationRefused({ message })
    }
    if (under !== undefined && under !== found) {
      const message = `${place(column, box.key)} opens under another key than those before it: restore one backup whole.`
      return yield* new RotationRefused({ message })
    }
    under = found
  })
  for (const column of columns) {
    yield* eachPage(column, (boxes) => Effect.forEach(boxes, (box) => look(column, box), { discard: true }))
  }
  return under ?? "from"
})

/** Seals a page again, and opens what was written to see that it is what it was. */
const rotatePage = Effect.fnUntraced(function* (column: SealedColumn, from: Key, to: Key, boxes: ReadonlyArray<Box>) {
  const { write } = yield* SealedBoxRepository
  const { purpose } = column
  const plain = new Map<string, Uint8Array>()
  const sealed: Array<Box> = []
  for (const { box, key } of boxes) {
    const opened = yield* Effect.orDie(from.open(purpose(key), box))
    plain.set(key, opened)
    sealed.push({ key, box: yield* to.seal(purpose(key), opened) })
  }
  let same = 0
  for (const { box, key } of sealed.length === 0 ? [] : yield* write(column, sealed)) {
    const was = plain.get(key)
    const is = yield* Effect.orDie(to.open(purpose(key), box))
    if (was !== undefined && was.length === is.length && timingSafeEqual(was, is)) same += 1
  }
  if (same === boxes.length) return
  return yield* Effect.die(new Error(`${column.table}.${column.column} was not written as it was sealed`))
})

/**
 * Opens every box under one key and seals it under another. To be run in a transaction, so that all of them change or
 * none does, while no server works on the database: whoever seals meanwhile would do so under the old key. Boxes that
 * are under the new key already are left as they are.
 */
export const rotateSecret = Effect.fn("KeyRotation.rotateSecret")(function* (
  columns: ReadonlyArray<SealedColumn>,
  from: Key,
  to: Key
) {
  const { lock } = yield* SealedBoxRepository
  yield* lock(columns)
  const before = (yield* survey(columns, from, to)) === "to"
  const boxes: Array<Rotation["boxes"][number]> = []
  for (const column of columns) {
    const count = yield* eachPage(column, (page) => (before ? Effect.void : rotatePage(column, from, to, page)))
    boxes.push({ table: column.table, column: column.column, count })
  }
  return { before, boxes } satisfies Rotation
})

/** Names a key in the audit log without telling it: 16 hexadecimal digits. */
export const keyName = (under: Key): string => Buffer.from(under.derive("name").subarray(0, 8)).toString("hex")
