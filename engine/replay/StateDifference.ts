import { type Columns, columnsThatDiffer, type ProjectedRow, TABLE_COLUMNS } from "../journal/TableRow.ts"
import { bucketOf } from "./StateSum.ts"
import type { RowSink } from "./RowSink.ts"
import { columnThatDiffers, isNothing, keyOf, type StateRow, type StateTable, STATE_COLUMNS } from "./StateTable.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** A stored row that is not what the events make of it, and the event that wrote it last. */
export interface Difference {
  readonly table: StateTable
  readonly key: string
  /** Undefined where the whole row is missing, or has no event. */
  readonly column: string | undefined
  readonly expected: string | null | undefined
  readonly stored: string | null | undefined
  /** The event that decided the value; undefined for a row that no event makes. */
  readonly event: StoredEvent | undefined
}

/** What makes a stored row what the events make of it. */
export type Repair =
  /** The row is not there. */
  | { readonly _tag: "Missing"; readonly row: ProjectedRow }
  /** The row differs in these columns. */
  | { readonly _tag: "Differing"; readonly table: StateTable; readonly key: string; readonly columns: Columns }
  /** No event makes the row. */
  | { readonly _tag: "Unwritten"; readonly table: StateTable; readonly key: string }

interface Written {
  readonly row: StateRow
  readonly event: StoredEvent
}

/** Keeps the history of the rows in some parts of the state, and compares it with what is stored there. */
export class StateDifference implements RowSink {
  readonly history = true
  readonly #parts: ReadonlyMap<StateTable, ReadonlySet<number>>
  readonly #written = new Map<string, Array<Written>>()
  readonly #found: Array<Difference> = []
  readonly #repairs: Array<Repair> = []

  constructor(parts: ReadonlyMap<StateTable, ReadonlySet<number>>) {
    this.#parts = parts
  }

  put(row: StateRow, event: StoredEvent): void {
    if (!this.#covers(row)) return
    const before = this.#written.get(idOf(row))
    if (before === undefined) this.#written.set(idOf(row), [{ row, event }])
    else before.push({ row, event })
  }

  /** Takes a stored row, once everything was put. */
  compare(stored: StateRow): void {
    if (!this.#covers(stored)) return
    const written = this.#written.get(idOf(stored))
    this.#written.delete(idOf(stored))
    const last = written?.at(-1)
    if (written === undefined || last === undefined) {
      if (isNothing(stored)) return
      this.#found.push(unwritten(stored))
      this.#repairs.push({ _tag: "Unwritten", table: stored.table, key: keyOf(stored) })
      return
    }
    const column = columnThatDiffers(last.row, stored)
    if (column === undefined) return
    this.#found.push(differing(column, stored, last, written))
    const columns = columnsThatDiffer(stored, last.row)
    this.#repairs.push({ _tag: "Differing", table: stored.table, key: keyOf(stored), columns })
  }

  /** What differs, that of the earliest event first; to be asked once all stored rows were compared. */
  get found(): ReadonlyArray<Difference> {
    const missing = this.#missing.map(missingRow)
    const order = ({ event }: Difference): number => event?.seq ?? Number.MAX_SAFE_INTEGER
    return [...this.#found, ...missing].toSorted((one, other) => order(one) - order(other))
  }

  /** What makes it all the same; to be asked once all stored rows were compared. */
  get repairs(): ReadonlyArray<Repair> {
    return [...this.#repairs, ...this.#missing.map(wholeRow)]
  }

  get #missing(): ReadonlyArray<Written> {
    return [...this.#written.values()].flatMap((written) => {
      const last = written.at(-1)
      return last === undefined || isNothing(last.row) ? [] : [last]
    })
  }

  #covers(row: StateRow): boolean {
    return this.#parts.get(row.table)?.has(bucketOf(row)) === true
  }
}

const idOf = (row: StateRow): string => `${row.table}/${keyOf(row)}`

const valueIn = (row: StateRow, column: string): string | null => {
  const columns: ReadonlyArray<string> = STATE_COLUMNS[row.table]
  return row.values[columns.indexOf(column)] ?? null
}

/** A row of some tables says, beside what the events decide of it, which of them came last. */
const wholeRow = ({ event, row: { table, values } }: Written): Repair => {
  const isPlaced = TABLE_COLUMNS[table].length > STATE_COLUMNS[table].length
  return { _tag: "Missing", row: { table, values: isPlaced ? [...values, `${event.seq}`] : values } }
}

const unwritten = (stored: StateRow): Difference => ({
  table: stored.table,
  key: keyOf(stored),
  column: undefined,
  expected: undefined,
  stored: JSON.stringify(stored.values),
  event: undefined
})

const missingRow = ({ row, event }: Written): Difference => ({
  table: row.table,
  key: keyOf(row),
  column: undefined,
  expected: JSON.stringify(row.values),
  stored: undefined,
  event
})

/** The event that decided a column is the last one at which it changed. */
const differing = (column: string, stored: StateRow, last: Written, written: ReadonlyArray<Written>): Difference => {
  const expected = valueIn(last.row, column)
  const since = written.findLastIndex(({ row }) => valueIn(row, column) !== expected)
  return {
    table: stored.table,
    key: keyOf(stored),
    column,
    expected,
    stored: valueIn(stored, column),
    event: written[since + 1]?.event
  }
}
