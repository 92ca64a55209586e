import fc from "fast-check"
import {
  add,
  changed,
  ensure,
  type ProjectedRow,
  put,
  rowKeyOf,
  set,
  type TableRow,
  tableOf
} from "../../engine/journal/TableRow.ts"

/** Tables as a naive map, by table and key. */
export class RowStore {
  readonly rows: Map<string, ProjectedRow>

  constructor(rows: Iterable<readonly [string, ProjectedRow]> = []) {
    this.rows = new Map(rows)
  }

  copy(): RowStore {
    return new RowStore(this.rows)
  }

  /** Whether a row may come now: a new one where there is none, a change where there is one. */
  takes(row: TableRow): boolean {
    const isThere = this.rows.has(placeOf(row))
    return row._tag === "Set" ? isThere : row._tag === "Add" ? !isThere : row._tag === "Put" || isThere
  }

  apply(row: TableRow): void {
    const key = placeOf(row)
    const before = this.rows.get(key)
    switch (row._tag) {
      case "Add":
        if (before !== undefined) throw new Error(`${key} is there`)
        this.rows.set(key, row.row)
        return
      case "Ensure":
        if (before === undefined) this.rows.set(key, row.row)
        return
      case "Put":
        this.rows.set(key, row.row)
        return
      case "Set":
        if (before === undefined) throw new Error(`${key} is not there`)
        this.rows.set(key, changed(before, row.columns))
    }
  }
}

const placeOf = (row: TableRow): string => `${tableOf(row)}/${rowKeyOf(row)}`

const fund = fc.record({ id: fc.constantFrom("a", "b", "c"), at: fc.nat(99) }).map(({ id, at }): ProjectedRow => ({
  table: "funds",
  values: [id, `owner-${id}`, "USD", `owner-${id}/USD/wallet`, `${at}`]
}))

const changedFund = fc
  .record({ id: fc.constantFrom("a", "b", "c"), at: fc.nat(99) })
  .map(({ id, at }) => set("funds", id, { created_at: `${at}` }))

/** Some steps over few funds. A row that is ensured is nowhere changed in part. */
export const rowSteps: fc.Arbitrary<ReadonlyArray<TableRow>> = fc.oneof(
  fc.array(fc.oneof(fund.map(add), fund.map(put), changedFund), { maxLength: 12 }),
  fc.array(fc.oneof(fund.map(ensure), fund.map(put)), { maxLength: 12 })
)
