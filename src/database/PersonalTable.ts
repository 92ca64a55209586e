/** What of a table's rows identifies somebody, and is forgotten with whoever that is. */
export interface PersonalTable {
  readonly table: string
  /** Whose a row is: an SQL expression over the table's columns for the id of a user or a company, or for null. */
  readonly subject: string
  /**
   * What stands in columns that are not empty afterwards, as text, or null for nothing; `{subject}` in it is whose the row was. Where no
   * columns are named, the whole row goes.
   */
  readonly columns?: Readonly<Record<string, string | null>>
}

/** What stands in a column once the subject is forgotten. */
export const forgotten = (value: string | null, subject: string): string | null =>
  value === null ? null : value.replaceAll("{subject}", subject)
