import type { AppendedGroup } from "../../../engine/journal/AppendedGroup.ts"
import { ensure, merged, type TableRow } from "../../../engine/journal/TableRow.ts"
import { fundRow } from "../../../engine/replay/FundOpening.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { FoldedDatabase } from "../../../engine/simulation/FoldedDatabase.ts"
import { JournalFold } from "../../../engine/simulation/JournalFold.ts"
import { MemoryTables } from "../../../engine/simulation/MemoryTables.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { RowStore } from "../RowStore.ts"

/** What an event makes of a context's table: the fund keeps its first owner. */
export const fundRows = (event: PlatformEvent): ReadonlyArray<TableRow> =>
  event._tag === "FundsMinted" ? [ensure(fundRow(event.fundId, event.owner, event.asset, event.at))] : []

/** What the events of groups make of it. */
export const fundsOf = (groups: ReadonlyArray<AppendedGroup>): Iterable<TableRow> =>
  merged(groups.flatMap(({ settled }) => settled.recorded.flatMap(({ event }) => fundRows(event))))

/** Tables with those of contexts, and all of it as text. */
export class RowTables extends MemoryTables {
  readonly rows: RowStore

  constructor(from?: RowTables) {
    super(from)
    this.rows = from?.rows.copy() ?? new RowStore()
  }

  protected override get parts(): ReadonlyArray<Iterable<readonly [string | number, unknown]>> {
    return [...super.parts, this.rows.rows]
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

const WITH_FUNDS = {
  make: (from?: RowTables) => new RowTables(from),
  event: (tables: RowTables, event: PlatformEvent) => tables.apply(fundRows(event)),
  project: (tables: RowTables, groups: ReadonlyArray<AppendedGroup>) => tables.project(groups, fundsOf)
}

export type RowDatabase = FoldedDatabase<RowTables>

/** A database with the tables of the ledger and of funds, and a fold of its journal. */
export const rowDatabase = (): RowDatabase => new FoldedDatabase(link, WITH_FUNDS)

/** A fold of a journal with these tables. */
export const rowFold = (): JournalFold<RowTables> => new JournalFold(link, WITH_FUNDS)
