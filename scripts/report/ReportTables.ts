import { colour, element, money } from "./PageElements.ts"
import type { ReportOrder, ReportTrader } from "./ReportData.ts"

interface Column<Row> {
  readonly name: string
  readonly of: (row: Row) => string | number | null
  /** How it is shown; as it is unless said. */
  readonly show?: (row: Row) => Node | string
  readonly isText?: boolean
}

const signed = (value: number): Node =>
  element("span", value === 0 ? {} : { class: value < 0 ? "loss" : "gain" }, [money(value)])

const compare = (one: string | number | null, other: string | number | null): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one < other ? -1 : 1

const cell = <Row>(row: Row, { of, show, isText }: Column<Row>): HTMLElement =>
  element("td", isText === true ? { class: "text" } : {}, [show?.(row) ?? String(of(row) ?? "–")])

/** A table that is sorted by the column that was chosen, and the other way when it is chosen again. */
const table = <Row>(rows: ReadonlyArray<Row>, columns: ReadonlyArray<Column<Row>>): HTMLElement => {
  const body = element("tbody", {}, [])
  const fill = (sorted: ReadonlyArray<Row>): void =>
    body.replaceChildren(
      ...sorted.map((row) =>
        element(
          "tr",
          {},
          columns.map((column) => cell(row, column))
        )
      )
    )
  let chosen: { readonly column: Column<Row>; readonly isDown: boolean } | undefined
  const heads = columns.map((column) => {
    const button = element("button", { type: "button" }, [column.name])
    button.addEventListener("click", () => {
      const isDown = chosen?.column === column ? !chosen.isDown : column.isText !== true
      chosen = { column, isDown }
      const sorted = rows.toSorted((one, other) => compare(column.of(one), column.of(other)))
      fill(isDown ? sorted.toReversed() : sorted)
    })
    return element("th", column.isText === true ? { class: "text", scope: "col" } : { scope: "col" }, [button])
  })
  fill(rows)
  return element("div", { class: "scroll" }, [
    element("table", {}, [element("thead", {}, [element("tr", {}, heads)]), body])
  ])
}

const traderName = ({ id, type }: ReportTrader): Node => {
  const dot = element("span", { class: "dot" }, [])
  dot.style.background = colour(type === "machine" ? "--machine" : "--human")
  return element("span", {}, [dot, id])
}

export const tradersTable = (traders: ReadonlyArray<ReportTrader>): HTMLElement =>
  table(traders, [
    { name: "Trader", of: ({ id }) => id, show: traderName, isText: true },
    { name: "Class", of: ({ type }) => type, isText: true },
    { name: "Commitments", of: ({ commitments }) => commitments },
    { name: "Refused", of: ({ refusals }) => refusals },
    { name: "Wins", of: ({ wins }) => wins },
    { name: "Profit", of: ({ profit }) => profit, show: ({ profit }) => signed(profit) },
    { name: "Yield", of: ({ yields }) => yields, show: ({ yields }) => money(yields) },
    { name: "Collateral, most", of: ({ peak }) => peak, show: ({ peak }) => money(peak) },
    { name: "Collateral, all", of: ({ collateral }) => collateral, show: ({ collateral }) => money(collateral) },
    { name: "Balance", of: ({ change }) => change, show: ({ change }) => signed(change) }
  ])

const priced = (value: number | null): string => (value === null ? "–" : money(value))

export const ordersTable = (orders: ReadonlyArray<ReportOrder>): HTMLElement =>
  table(orders, [
    { name: "Order", of: ({ order }) => order },
    { name: "Asset", of: ({ asset }) => asset, isText: true },
    { name: "Type", of: ({ type }) => type, isText: true },
    { name: "Commitments", of: ({ commitments }) => commitments },
    { name: "Owners", of: ({ owners }) => owners },
    { name: "Entry", of: ({ entry }) => entry, show: ({ entry }) => money(entry) },
    { name: "Reference", of: ({ reference }) => reference, show: ({ reference }) => priced(reference) },
    { name: "Clearing", of: ({ clearing }) => clearing, show: ({ clearing }) => priced(clearing) },
    { name: "Settled", of: ({ settled }) => settled, show: ({ settled }) => priced(settled) },
    { name: "Winner", of: ({ winner }) => winner, isText: true },
    { name: "Profit", of: ({ profit }) => profit, show: ({ profit }) => signed(profit) },
    { name: "Yield", of: ({ yields }) => yields, show: ({ yields }) => money(yields) },
    { name: "End", of: ({ status, voided }) => voided ?? status, isText: true }
  ])
