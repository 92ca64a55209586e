import type { Recorded } from "../actor/Journal.ts"
import { add, put, set, type TableRow } from "../journal/TableRow.ts"
import { metadataText } from "../metadata/Metadata.ts"
import type { StateRow } from "../replay/StateTable.ts"
import type { MoneyTransferred, MoneyWithdrawn, RateQuoted } from "./TransferEvent.ts"

/** The key of a transfer: its sender chooses the id. */
export const keyOf = (sender: string, transferId: string): string => `${sender}/${transferId}`

/** A held rate, and the transfer that used it. */
export const quoteRow = (quote: RateQuoted, usedBy: string | null): StateRow => {
  const { at, expiresAt, owner, pair, quantity, quoteId, rate, side, value } = quote
  const amounts = [quantity, rate, value].map(String)
  return {
    table: "fx_quotes",
    values: [quoteId, owner, pair.base, pair.quote, side, ...amounts, `${at}`, `${expiresAt}`, usedBy]
  }
}

const textOf = (value: bigint | null): string | null => (value === null ? null : `${value}`)

/** A transfer. */
export const transferRow = (event: MoneyTransferred, seq: number): StateRow => {
  const { mode, pair, payout, recipient, sender, side, transferId } = event
  return {
    table: "transfers",
    values: [
      keyOf(sender, transferId),
      transferId,
      sender,
      recipient,
      `${payout}`,
      pair.base,
      pair.quote,
      mode,
      side,
      `${event.quantity}`,
      textOf(event.rate),
      textOf(event.worst),
      `${event.taken}`,
      `${event.received}`,
      event.quoteId,
      event.country,
      event.description,
      `${event.createdDate}`,
      `${event.at}`,
      `${seq}`,
      metadataText(event.metadata)
    ]
  }
}

/** Money that its owner took out. */
export const withdrawalRow = (event: MoneyWithdrawn, seq: number): StateRow => {
  const { asset, at, fundId, owner, quantity, withdrawalId } = event
  return { table: "withdrawals", values: [withdrawalId, owner, fundId, asset, `${quantity}`, `${at}`, `${seq}`] }
}

export const quotedRows = ({ event }: Recorded<RateQuoted>): ReadonlyArray<TableRow> => [put(quoteRow(event, null))]

export const transferredRows = ({ event, seq }: Recorded<MoneyTransferred>): ReadonlyArray<TableRow> => [
  add(transferRow(event, seq)),
  ...(event.quoteId === null
    ? []
    : [set("fx_quotes", event.quoteId, { used_by: keyOf(event.sender, event.transferId) })])
]

export const withdrawnRows = ({ event, seq }: Recorded<MoneyWithdrawn>): ReadonlyArray<TableRow> => [
  add(withdrawalRow(event, seq))
]
