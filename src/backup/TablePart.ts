/** Parts of a table, a chunk each, and how to see which of them changed without reading them. */

/** What changes with any row that comes, changes or goes. */
export interface Print {
  readonly rows: number
  /** Of the rows' versions, all in one. */
  readonly versions: bigint
}

/** The print of no rows. */
export const NO_ROWS: Print = { rows: 0, versions: 0n }

/** The print of two parts together. */
export const joined = (one: Print, other: Print): Print => ({
  rows: one.rows + other.rows,
  versions: one.versions ^ other.versions
})

const isSame = (one: Print | undefined, other: Print | undefined): boolean =>
  one !== undefined && one.rows === other?.rows && one.versions === other.versions

/** The rows of one chunk. */
export interface TablePart extends Print {
  /** The chunk's hash. */
  readonly chunk: string
  /** The key of the first row, as text; undefined where the table's key has several columns. */
  readonly first: string | undefined
}

/**
 * The keys at which a table is parted to be looked at: that of each part's first row. None where it is looked at whole, for it
 * is short, or its key has several columns.
 */
export const startsOf = (parts: ReadonlyArray<TablePart>): ReadonlyArray<string> => {
  const starts = parts.flatMap(({ first }) => first ?? [])
  return starts.length > 1 && starts.length === parts.length ? starts : []
}

/**
 * Whether what stands before the first start changed, and behind each of them up to the next.
 *
 * @param parts - as they were
 * @param prints - as they are, in the same order: one more than there are starts
 */
export const changed = (parts: ReadonlyArray<TablePart>, prints: ReadonlyArray<Print>): ReadonlyArray<boolean> => {
  const before = startsOf(parts).length === 0 ? [parts.reduce<Print>(joined, NO_ROWS)] : [NO_ROWS, ...parts]
  return before.map((part, at) => !isSame(part, prints[at]))
}
