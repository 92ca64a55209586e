/**
 * One numbered step of the schema. It is immutable once landed: a database remembers the checksum of what it ran, and
 * a changed step is refused.
 */
export interface Migration {
  /** Its place in the order, from 1; the file's number. */
  readonly id: number
  /** The file's name without the number, such as `ledger`. */
  readonly name: string
  /** SQL statements, one an item, run in order in one transaction with the step's own record. */
  readonly up: ReadonlyArray<string>
  /**
   * `up` runs without a transaction, as what must not lock a large table does (`CREATE INDEX CONCURRENTLY`). A server that
   * is killed meanwhile runs it again from its first statement: each must do no harm twice.
   */
  readonly concurrently?: true
  /** Why it may lock or change what the version before it uses, such as that the table has one row. */
  readonly allowed?: string
  /** The statements that undo `up`, in order, or the reason why nothing can. */
  readonly down: ReadonlyArray<string> | { readonly irreversible: string }
}
