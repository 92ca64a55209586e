import { type AUCTION_FILES } from "../../api/ArenaHistory.ts"
import { OrderCommitment, OrderDetail } from "../../api/Arena.ts"
import { csvRow } from "../../http/Csv.ts"
import type { PublicOrder } from "../OrderPages.ts"
import { cellOf, type FileForm, jsonLines } from "./FileForm.ts"

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

const NO_COMMITMENT = COMMITMENT_FIELDS.map(() => "")

const rowsOf = (order: PublicOrder): string => {
  const own = ORDER_FIELDS.map((name) => cellOf(order[name]))
  const others =
    order.commitments.length === 0
      ? [NO_COMMITMENT]
      : order.commitments.map((commitment) => COMMITMENT_FIELDS.map((name) => cellOf(commitment[name])))
  return others.map((cells) => csvRow([...own, ...cells])).join("")
}

/** The files of auctions. */
export const AUCTION_FORMS: Readonly<Record<(typeof AUCTION_FILES)[number], FileForm<PublicOrder>>> = {
  "auctions.jsonl": jsonLines((order) => order),
  "auctions.csv": { head: csvRow(AUCTION_COLUMNS), linesOf: (orders) => orders.map(rowsOf).join("") }
}
