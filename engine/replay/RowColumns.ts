/** What each column of a table says of a thing, by the column's name; the first is the row's key. */
export type RowColumns<A> = Readonly<Record<string, (of: A) => string | null>>

/** The names of a table's columns, in their order. */
export const columnNames = (columns: RowColumns<never>): readonly [string, ...ReadonlyArray<string>] => {
  const [key = "", ...others] = Object.keys(columns)
  return [key, ...others]
}

/** What a row has, in the order of its columns. */
export const rowValues = <A>(columns: RowColumns<A>, of: A): ReadonlyArray<string | null> =>
  Object.values(columns).map((value) => value(of))
