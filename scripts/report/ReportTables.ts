import { colour, element, money } from "./PageElements.ts"
import { signed, table } from "./PageTable.ts"
import type { ReportOrder, ReportTrader } from "./ReportData.ts"

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
