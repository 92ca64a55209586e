import { Schema } from "effect"
import { CurrencyPair } from "../fx/CurrencyPair.ts"
import { Metadata } from "../metadata/Metadata.ts"
import { Amount } from "../money/Amount.ts"
import { Rate } from "../money/Rate.ts"
import { SIDES } from "../fx/FxDesk.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

export const TRANSFER_MODES = ["local", "international"] as const

/** local: the base moves as it is. international: the base is exchanged with the quote on the way. Specification 2.10. */
export type TransferMode = (typeof TRANSFER_MODES)[number]

/** What a sender says of a transfer, and nothing follows from. Specification 2.10. */
export const Particulars = Schema.Struct({
  country: Schema.String,
  description: Schema.String,
  createdDate: Schema.Int,
  metadata: Schema.optionalKey(Metadata)
})
export type Particulars = typeof Particulars.Type

/** Money has a new owner, or left for a beneficiary. */
export const MoneyTransferred = Schema.TaggedStruct("MoneyTransferred", {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  /** Unique among the sender's. */
  transferId: Schema.String,
  sender: Schema.String,
  recipient: Schema.String,
  /** Whether the recipient is a beneficiary outside. */
  payout: Schema.Boolean,
  pair: CurrencyPair,
  mode: Schema.Literals(TRANSFER_MODES),
  /** Sell: the sender gives the base. Buy: the recipient gets it. Where nothing is exchanged that is the same: Sell. */
  side: Schema.Literals(SIDES),
  /** Of the base. */
  quantity: Amount,
  /** The worst rate that the sender accepted. */
  worst: Schema.NullOr(Rate),
  /** The rate that was held for it. */
  quoteId: Schema.NullOr(Schema.String),
  /** Of the quote for one unit of the base; null where nothing was exchanged. */
  rate: Schema.NullOr(Rate),
  /** From the sender: of the base, or of the quote where it buys. */
  taken: Amount,
  /** By the recipient: of the quote where the base was sold, else of the base. */
  received: Amount,
  ...Particulars.fields
})
export type MoneyTransferred = typeof MoneyTransferred.Type

/** Money has left for the world outside. */
export const MoneyWithdrawn = Schema.TaggedStruct("MoneyWithdrawn", {
  at: Schema.Int,
  withdrawalId: Schema.String,
  owner: Schema.String,
  fundId: Schema.String,
  asset: Schema.String,
  quantity: Amount
})
export type MoneyWithdrawn = typeof MoneyWithdrawn.Type

/** A rate is held for its owner, for one exchange of one size. */
export const RateQuoted = Schema.TaggedStruct("RateQuoted", {
  at: Schema.Int,
  quoteId: Schema.String,
  owner: Schema.String,
  pair: CurrencyPair,
  side: Schema.Literals(SIDES),
  /** Of the base. */
  quantity: Amount,
  rate: Rate,
  /** Of the quote: what the owner gets for the base that it sells, or gives for the one that it buys. */
  value: Amount,
  /** From then on it no longer holds. */
  expiresAt: Schema.Int
})
export type RateQuoted = typeof RateQuoted.Type

export const TransferEvent = Schema.Union([MoneyTransferred, MoneyWithdrawn, RateQuoted])
export type TransferEvent = typeof TransferEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeTransferEvent = eventDecoder(TransferEvent)
