import { fromUnits as amountOf } from "../../engine/money/Amount.ts"
import { fromUnits as rateOf, type Rate } from "../../engine/money/Rate.ts"
import { assetsOf } from "../../engine/transfers/TransferDecision.ts"
import type { MoneyTransferred } from "../../engine/transfers/TransferEvent.ts"
import { metadataColumn } from "../../engine/metadata/Metadata.ts"
import type { TransferAnswer, TransferReceipt } from "../api/Transfers.ts"

/** A transfer as it was made. */
export type Transfer = Omit<MoneyTransferred, "_tag">

/** A transfer's row in the database. */
export interface TransferRow {
  readonly id: string
  readonly sender: string
  readonly recipient: string
  readonly payout: boolean
  readonly base: string
  readonly quote: string
  readonly mode: Transfer["mode"]
  readonly side: Transfer["side"]
  readonly quantity: string
  readonly rate: string | null
  readonly worst: string | null
  readonly taken: string
  readonly received: string
  readonly quote_id: string | null
  readonly country: string
  readonly description: string
  readonly created_date: number
  readonly at: bigint
  readonly metadata: string
}

const rate = (text: string | null): Rate | null => (text === null ? null : rateOf(BigInt(text)))

export const toTransfer = (row: TransferRow): Transfer => ({
  at: Number(row.at),
  transferId: row.id,
  sender: row.sender,
  recipient: row.recipient,
  payout: row.payout,
  pair: { base: row.base, quote: row.quote },
  mode: row.mode,
  side: row.side,
  quantity: amountOf(BigInt(row.quantity)),
  worst: rate(row.worst),
  quoteId: row.quote_id,
  rate: rate(row.rate),
  taken: amountOf(BigInt(row.taken)),
  received: amountOf(BigInt(row.received)),
  country: row.country,
  description: row.description,
  createdDate: row.created_date,
  ...metadataColumn(row)
})

/**
 * The transfer under the names of the contract, as one of its two owners may see it: what the sender gave for it and on
 * which terms is the sender's own.
 */
export const toAnswer = (transfer: Transfer, viewer: string): typeof TransferAnswer.Type => {
  const { given, got } = assetsOf(transfer)
  const isSender = transfer.sender === viewer
  return {
    pair: transfer.pair,
    quantity: transfer.quantity,
    from: transfer.sender,
    to: transfer.recipient,
    country: transfer.country,
    description: transfer.description,
    createdDate: transfer.createdDate,
    id: transfer.transferId,
    ...(transfer.worst === null || !isSender ? {} : { fxQuote: transfer.worst }),
    mode: transfer.mode,
    direction: isSender ? "sent" : "received",
    rate: isSender ? transfer.rate : null,
    taken: isSender ? transfer.taken : null,
    taken_type: isSender ? given : null,
    received: transfer.received,
    received_type: got,
    quote_id: isSender ? transfer.quoteId : null,
    metadata: isSender ? (transfer.metadata ?? {}) : {},
    created_at: transfer.at
  }
}

type Sent = Pick<Transfer, "recipient" | "sender" | "quantity" | "transferId">

/** What the creation of a transfer answers. */
export const toReceipt = ({ quantity, recipient, sender, transferId }: Sent): typeof TransferReceipt.Type => ({
  to: recipient,
  from: sender,
  quantity,
  id: transferId
})
