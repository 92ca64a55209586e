import { STATE_COLUMNS } from "../replay/StateTable.ts"

/**
 * The tables that events write, with their columns; the first is the row's key. Two of them also have rows that no
 * event made, so a replay does not derive these; and older payments do not name their last event.
 */
export const TABLE_COLUMNS = {
  ...STATE_COLUMNS,
  audit_log: ["event_seq", "at", "actor_id", "act", "subject_id", "before", "after", "request_id"],
  companies: [
    "id",
    "managed_by",
    "name",
    "plan",
    "tax_id",
    "email",
    "phone",
    "country",
    "address",
    "created_at",
    "verified_at",
    "machine_trader_withdrawn"
  ],
  payments: [...STATE_COLUMNS.payments, "event_seq"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export type ProjectedTable = keyof typeof TABLE_COLUMNS

export const PROJECTED_TABLES = Object.keys(TABLE_COLUMNS) as ReadonlyArray<ProjectedTable>

/** One row as text, in the order of its table's columns: integers in decimal, null where the column is. */
export interface ProjectedRow {
  readonly table: ProjectedTable
  readonly values: ReadonlyArray<string | null>
}

/** Some columns of a row, as text: integers in decimal, null where the column is. */
export type Columns = Readonly<Record<string, string | null>>

/**
 * What an event makes of one row: the values themselves, never a computation on the stored ones, so that writing it
 * twice changes nothing.
 */
export type TableRow =
  /** A new row. A row that is already there is refused. */
  | { readonly _tag: "Add"; readonly row: ProjectedRow }
  /** A new row, unless its keys name one that is there. */
  | { readonly _tag: "Ensure"; readonly row: ProjectedRow }
  /** The whole row, new or not. */
  | { readonly _tag: "Put"; readonly row: ProjectedRow }
  /** Some columns of a row, which must be there. */
  | { readonly _tag: "Set"; readonly table: ProjectedTable; readonly key: string; readonly columns: Columns }

export const add = (row: ProjectedRow): TableRow => ({ _tag: "Add", row })

export const ensure = (row: ProjectedRow): TableRow => ({ _tag: "Ensure", row })

export const put = (row: ProjectedRow): TableRow => ({ _tag: "Put", row })

export const set = (table: ProjectedTable, key: string, columns: Columns): TableRow => ({
  _tag: "Set",
  table,
  key,
  columns
})

export const tableOf = (one: TableRow): ProjectedTable => (one._tag === "Set" ? one.table : one.row.table)

export const keyOf = ({ values }: ProjectedRow): string => values[0] ?? ""

export const rowKeyOf = (one: TableRow): string => (one._tag === "Set" ? one.key : keyOf(one.row))

/** The columns in which another row of the same table and key differs, with its values. */
export const columnsThatDiffer = (one: ProjectedRow, other: ProjectedRow): Columns => {
  const columns: ReadonlyArray<string> = TABLE_COLUMNS[one.table]
  return Object.fromEntries(
    columns.flatMap((column, index) => {
      const value = other.values[index] ?? null
      return (one.values[index] ?? null) === value ? [] : [[column, value]]
    })
  )
}

/** The row with some of its columns changed. */
export const changed = (row: ProjectedRow, columns: Columns): ProjectedRow => {
  const names: ReadonlyArray<string> = TABLE_COLUMNS[row.table]
  const unknown = Object.keys(columns).find((column) => !names.includes(column))
  if (unknown !== undefined) throw new TypeError(`${row.table} has no column ${unknown}`)
  const values = new Map(names.map((name, index) => [name, row.values[index] ?? null]))
  for (const [column, value] of Object.entries(columns)) values.set(column, value)
  return { ...row, values: [...values.values()] }
}

/** The combined effect of two changes, the first before the second. */
const both = (first: TableRow, second: TableRow): TableRow => {
  if (second._tag === "Ensure") return first
  if (second._tag === "Set") {
    if (first._tag === "Set") return set(first.table, first.key, { ...first.columns, ...second.columns })
    if (first._tag !== "Ensure") return { ...first, row: changed(first.row, second.columns) }
    throw new TypeError(`${second.table} may have had another row ${second.key} before`)
  }
  if (second._tag === "Add") throw new TypeError(`${second.row.table} has a row ${keyOf(second.row)} already`)
  return first._tag === "Add" ? add(second.row) : second
}

/** One change for each row of each table, with the effect of all of them in their order. */
export const merged = (rows: Iterable<TableRow>): ReadonlyArray<TableRow> => {
  const tables = new Map<ProjectedTable, Map<string, TableRow>>()
  for (const row of rows) {
    const table = tableOf(row)
    let last = tables.get(table)
    if (last === undefined) tables.set(table, (last = new Map<string, TableRow>()))
    const key = rowKeyOf(row)
    const before = last.get(key)
    last.set(key, before === undefined ? row : both(before, row))
  }
  return [...tables.values()].flatMap((last) => [...last.values()])
}
