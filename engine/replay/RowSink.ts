import type { StateRow } from "./StateTable.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** Takes the rows that a replay derives. */
export interface RowSink {
  /** Whether every state of a row is wanted, not its last alone. */
  readonly history: boolean
  /** A row as the event left it. Without history it comes once, when nothing changes it any more. */
  readonly put: (row: StateRow, event: StoredEvent) => void
}
