import type { Recorded } from "../../actor/Journal.ts"
import { products } from "../../commerce/ProductRows.ts"
import { purchases } from "../../commerce/PurchaseRows.ts"
import { assessedRows, limitSetRows } from "../../credit/CreditRows.ts"
import { type Aggregate, AggregateStates } from "../../journal/Aggregate.ts"
import { changed, keyOf, type ProjectedRow, rowKeyOf, type TableRow, tableOf } from "../../journal/TableRow.ts"
import { orderPayments } from "../../payments/PaymentRows.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import { subscriptions } from "../../subscriptions/SubscriptionRows.ts"
import { quotedRows, transferredRows, withdrawnRows } from "../../transfers/TransferRows.ts"
import { webhooks } from "../../webhooks/WebhookRows.ts"

/** Names of states that are kept: of a world all there are. */
const ALL_NAMES = Number.MAX_SAFE_INTEGER

type Take = (recorded: Recorded<PlatformEvent>) => ReadonlyArray<TableRow>

/** Each event compares the rows of the state before it, which were asked for with the event before. */
const rememberedRows = <S extends object>(rows: Aggregate<S>["rows"]): Aggregate<S>["rows"] => {
  const known = new WeakMap<S, ReadonlyArray<ProjectedRow>>()
  return (state) => {
    const before = known.get(state)
    if (before !== undefined) return before
    const made = rows(state)
    known.set(state, made)
    return made
  }
}

const stepping = <S extends object>(given: Aggregate<S>): Take => {
  const aggregate = { ...given, rows: rememberedRows(given.rows) }
  const states = new AggregateStates(aggregate, ALL_NAMES)
  return (recorded) => {
    if (aggregate.of(recorded.event) === undefined) return []
    const { steps } = states.begin([recorded])
    const rows = steps.take(recorded)
    states.keep(steps.states)
    return rows
  }
}

const aloneRows: Take = ({ event, ...place }) => {
  switch (event._tag) {
    case "RateQuoted":
      return quotedRows({ ...place, event })
    case "MoneyTransferred":
      return transferredRows({ ...place, event })
    case "MoneyWithdrawn":
      return withdrawnRows({ ...place, event })
    case "CreditAssessed":
      return assessedRows({ ...place, event })
    case "CreditLimitSet":
      return limitSetRows({ ...place, event })
    default:
      return []
  }
}

/** A change of a row that its table does not take. */
export class RowRefused extends Error {}

/** The companies' tables in memory, as the mappings that ship make them of events, one after another. */
export class ProjectedRows {
  readonly #rows = new Map<string, ProjectedRow>()
  readonly #takes: ReadonlyArray<Take> = [
    aloneRows,
    stepping(products),
    stepping(purchases),
    stepping(orderPayments),
    stepping(subscriptions),
    stepping(webhooks)
  ]

  get rows(): Iterable<ProjectedRow> {
    return this.#rows.values()
  }

  find(table: string, key: string): ProjectedRow | undefined {
    return this.#rows.get(`${table}/${key}`)
  }

  /** Writes what the next event makes. Throws a `RowRefused` where a table would not take it. */
  take(recorded: Recorded<PlatformEvent>): void {
    for (const take of this.#takes) for (const row of take(recorded)) this.#write(row)
  }

  #write(one: TableRow): void {
    const name = `${tableOf(one)}/${rowKeyOf(one)}`
    const before = this.#rows.get(name)
    if (one._tag === "Set") {
      if (before === undefined) throw new RowRefused(`${name} is to be changed, and is not there`)
      this.#rows.set(name, changed(before, one.columns))
      return
    }
    if (one._tag === "Add" && before !== undefined)
      throw new RowRefused(`${one.row.table} has ${keyOf(one.row)} already`)
    if (one._tag === "Ensure" && before !== undefined) return
    this.#rows.set(name, one.row)
  }
}
