import { toHex } from "../../../engine/actor/EventChain.ts"
import type { AppendedGroup } from "../../../engine/journal/AppendedGroup.ts"
import type { TableRow } from "../../../engine/journal/TableRow.ts"
import { MemoryTables } from "../../../engine/simulation/MemoryTables.ts"
import { RowStore } from "../RowStore.ts"

/** Tables with those of contexts, and all of it as text. */
export class RowTables extends MemoryTables {
  readonly rows: RowStore

  constructor(from?: RowTables) {
    super(from)
    this.rows = from?.rows.copy() ?? new RowStore()
  }

  /** Every table's rows as text, in the order of their keys. */
  text(): string {
    const part = (table: Iterable<readonly [string | number, unknown]>): ReadonlyArray<string> =>
      Array.from(table, ([key, row]) => `${key} ${rowText(row)}`).toSorted()
    const { accounts, multiHolds, claims, events, heads, holds, keys, receivables, rows, transfers } = this
    const parts = [
      accounts,
      holds,
      multiHolds,
      heads,
      claims,
      keys,
      events.entries(),
      transfers,
      receivables,
      rows.rows
    ]
    return parts.map((table) => part(table).join("\n")).join("\n\n")
  }

  /** What a transaction writes. */
  project(
    groups: ReadonlyArray<AppendedGroup>,
    rowsOf: (groups: ReadonlyArray<AppendedGroup>) => Iterable<TableRow>
  ): void {
    this.write(groups)
    this.apply(rowsOf(groups))
  }

  apply(rows: Iterable<TableRow>): void {
    for (const row of rows) this.rows.apply(row)
  }
}

const rowText = (row: unknown): string =>
  JSON.stringify(row, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value instanceof Uint8Array ? toHex(value) : value
  )
