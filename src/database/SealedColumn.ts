/** A column of boxes that `SECRET_KEY` alone opens. */
export interface SealedColumn {
  readonly table: string
  /** The primary key's column, which is text. */
  readonly key: string
  /** The boxes' column. A row may have none. */
  readonly column: string
  /** What the box of a row is sealed for. */
  readonly purpose: (key: string) => string
}
