import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import {
  type Columns,
  merged,
  type ProjectedRow,
  type ProjectedTable,
  PROJECTED_TABLES,
  rowKeyOf,
  TABLE_COLUMNS,
  type TableRow,
  tableOf
} from "../../engine/journal/TableRow.ts"
import { nullableBigints, nullableTexts } from "./ArrayParameter.ts"

/** Statements of one transaction, in the order in which they must run. */
export type Statements = ReadonlyArray<Statement<unknown>>

/** The type of each column of a table, as PostgreSQL names it. */
type Types = ReadonlyMap<string, string>

/**
 * Writes rows of any table that follows from events: one statement for all that are added to a table, one for all that
 * are put there, and one for each set of columns that change. Only the engine says which rows there are, and when.
 */
export class RowWriter extends Context.Service<
  RowWriter,
  {
    /** The statements with the effect of all the rows in their order. They fail if a row to change is missing. */
    readonly write: (rows: ReadonlyArray<TableRow>) => Statements
    /** The same of rows that come in parts, made step by step: a step takes one part, or makes one statement. */
    readonly steps: (parts: Iterable<ReadonlyArray<TableRow>>) => Iterable<Statements>
  }
>()("emporion/database/RowWriter") {
  static readonly layer: Layer.Layer<RowWriter, SqlError, SqlClient> = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const types = yield* readTypes(sql)
      const steps = function* (parts: Iterable<ReadonlyArray<TableRow>>): Generator<Statements> {
        const all: Array<TableRow> = []
        for (const rows of parts) {
          for (const row of rows) all.push(row)
          yield []
        }
        for (const group of grouped(merged(all))) yield [statement(sql, types, group)]
      }
      return RowWriter.of({ steps, write: (rows) => [...steps([rows])].flat() })
    })
  )
}

const readTypes = (sql: SqlClient) =>
  sql<{ readonly table: ProjectedTable; readonly column: string; readonly type: string }>`
    SELECT relation.relname AS table, attribute.attname AS column,
      format_type(attribute.atttypid, attribute.atttypmod) AS type
    FROM pg_attribute AS attribute JOIN pg_class AS relation ON relation.oid = attribute.attrelid
    WHERE relation.relnamespace = 'public'::regnamespace AND relation.relname = ANY(${PROJECTED_TABLES}::text[])
      AND attribute.attnum > 0 AND NOT attribute.attisdropped`.pipe(
    Effect.map((rows) => {
      const types = new Map<ProjectedTable, Map<string, string>>()
      for (const { column, table, type } of rows) {
        types.set(table, (types.get(table) ?? new Map<string, string>()).set(column, type))
      }
      return types as ReadonlyMap<ProjectedTable, Types>
    })
  )

/** Rows that one statement writes. */
interface Group {
  readonly tag: TableRow["_tag"]
  readonly table: ProjectedTable
  /** The key's column first. */
  readonly columns: ReadonlyArray<string>
  readonly rows: Array<ReadonlyArray<string | null>>
}

export const keyColumnOf = (table: ProjectedTable): string => TABLE_COLUMNS[table][0]

const changesOf = (table: ProjectedTable, columns: Columns): ReadonlyArray<string> =>
  TABLE_COLUMNS[table].filter((column) => column in columns)

const valuesOf = (one: TableRow, columns: ReadonlyArray<string>): ProjectedRow["values"] =>
  one._tag === "Set" ? [one.key, ...columns.slice(1).map((column) => one.columns[column] ?? null)] : one.row.values

const columnsOf = (one: TableRow): ReadonlyArray<string> =>
  one._tag === "Set" ? [keyColumnOf(one.table), ...changesOf(one.table, one.columns)] : TABLE_COLUMNS[one.row.table]

const grouped = (rows: ReadonlyArray<TableRow>): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const one of rows) {
    const columns = columnsOf(one)
    if (one._tag === "Set" && columns.length !== Object.keys(one.columns).length + 1) {
      throw new TypeError(`${one.table} has not all of the columns that change in ${rowKeyOf(one)}`)
    }
    const id = `${one._tag}/${tableOf(one)}/${one._tag === "Set" ? columns.join() : ""}`
    const group = groups.get(id) ?? { tag: one._tag, table: tableOf(one), columns, rows: [] }
    group.rows.push(valuesOf(one, columns))
    groups.set(id, group)
  }
  return [...groups.values()]
}

/** How values of a type are sent: whole numbers as such, and everything else as text. */
const arrayTypeOf = (type: string): "int8" | "text" => (type === "bigint" || type === "integer" ? "int8" : "text")

const wholeOf = (value: string | null | undefined): bigint | null =>
  value === null || value === undefined ? null : BigInt(value)

const statement = (
  sql: SqlClient,
  types: ReadonlyMap<ProjectedTable, Types>,
  { columns, rows, table, tag }: Group
): Statement<unknown> => {
  const typeOf = (column: string): string => {
    const type = types.get(table)?.get(column)
    if (type === undefined) throw new TypeError(`the database has no column ${table}.${column}`)
    return type
  }
  const key = keyColumnOf(table)
  const names = columns.join(", ")
  const cast = columns.map((column) => `${column}::${typeOf(column)}`).join(", ")
  const sent = columns.map((column) => arrayTypeOf(typeOf(column)))
  const arrays = sent.map((type, index) => `$${index + 1}::${type}[]`)
  const given = `unnest(${arrays.join(", ")}) AS given (${names})`
  const changes = columns.slice(1)
  const parameters = sent.map((type, index) =>
    type === "int8"
      ? nullableBigints(rows.map((row) => wholeOf(row[index])))
      : nullableTexts(rows.map((row) => row[index] ?? null))
  )
  // In the selection list PostgreSQL steps through the arrays; in `FROM` it first keeps each of them as a table.
  const listed = `(SELECT ${arrays.map((array) => `unnest(${array})`).join(", ")}) AS given (${names})`
  const insert = `INSERT INTO ${table} (${names}) SELECT ${cast} FROM ${listed}`
  switch (tag) {
    case "Add":
      return sql.unsafe(insert, parameters)
    case "Ensure":
      return sql.unsafe(`${insert} ON CONFLICT DO NOTHING`, parameters)
    case "Put": {
      const taken = changes.map((column) => `${column} = EXCLUDED.${column}`).join(", ")
      return sql.unsafe(`${insert} ON CONFLICT (${key}) DO UPDATE SET ${taken}`, parameters)
    }
    case "Set": {
      const taken = changes.map((column) => `${column} = given.${column}::${typeOf(column)}`).join(", ")
      const update = `UPDATE ${table} SET ${taken} FROM ${given} WHERE ${table}.${key} = given.${key}::${typeOf(key)}`
      // Divides by zero, and so fails the group, if one of the rows is missing.
      return sql.unsafe(
        `WITH written AS (${update} RETURNING 1) SELECT 1 / (count(*) = $${columns.length + 1}::bigint)::integer AS certain FROM written`,
        [...parameters, BigInt(rows.length)]
      )
    }
  }
}
