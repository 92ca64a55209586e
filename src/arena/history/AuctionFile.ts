import type { HistoryFileName } from "../../api/ArenaHistory.ts"
import { OrderCommitment, OrderDetail } from "../../api/Arena.ts"
import { csvRow } from "../../http/Csv.ts"
import type { PublicOrder } from "../OrderPages.ts"

type Value =
  | PublicOrder[keyof PublicOrder]
  | PublicOrder["commitments"][number][keyof PublicOrder["commitments"][number]]

const ORDER_FIELDS = Object.keys(OrderDetail.fields).filter((name) => name !== "commitments") as ReadonlyArray<
  Exclude<keyof PublicOrder, "commitments">
>

const COMMITMENT_FIELDS = Object.keys(OrderCommitment.fields) as ReadonlyArray<keyof PublicOrder["commitments"][number]>

const PREFIX = "commitment_"

/** The columns of an order, and those of a commitment, which all begin alike. */
export const AUCTION_COLUMNS: ReadonlyArray<string> = [
  ...ORDER_FIELDS,
  ...COMMITMENT_FIELDS.map((name) => (name.startsWith(PREFIX) ? name : `${PREFIX}${name}`))
]

/** Nothing for null, and JSON for what is no text, number or flag. */
const cellOf = (value: Value): string => {
  if (value === null) return ""
  return typeof value === "string" ? value : JSON.stringify(value)
}

const NO_COMMITMENT = COMMITMENT_FIELDS.map(() => "")

const rowsOf = (order: PublicOrder): string => {
  const own = ORDER_FIELDS.map((name) => cellOf(order[name]))
  const others =
    order.commitments.length === 0
      ? [NO_COMMITMENT]
      : order.commitments.map((commitment) => COMMITMENT_FIELDS.map((name) => cellOf(commitment[name])))
  return others.map((cells) => csvRow([...own, ...cells])).join("")
}

interface Form {
  /** What stands before all auctions. */
  readonly head: string
  readonly linesOf: (order: PublicOrder) => string
}

const FORMS: Readonly<Record<HistoryFileName, Form>> = {
  "auctions.jsonl": { head: "", linesOf: (order) => `${JSON.stringify(order)}\n` },
  "auctions.csv": { head: csvRow(AUCTION_COLUMNS), linesOf: rowsOf }
}

/** The beginning of a file. */
export const headOf = (name: HistoryFileName): string => FORMS[name].head

/** The lines of some auctions in a file. */
export const linesOf = (name: HistoryFileName, orders: ReadonlyArray<PublicOrder>): string =>
  orders.map(FORMS[name].linesOf).join("")
