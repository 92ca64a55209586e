import type { CurrencyPair } from "../fx/CurrencyPair.ts"
import type { Side } from "../fx/FxDesk.ts"
import type { Amount } from "../money/Amount.ts"
import type { Rate } from "../money/Rate.ts"

export const TRANSFER_MODES = ["local", "international"] as const

/** local: the base moves as it is. international: the base is exchanged with the quote on the way. Specification 2.10. */
export type TransferMode = (typeof TRANSFER_MODES)[number]

/** What a sender says of a transfer, and nothing follows from. Specification 2.10. */
export interface Particulars {
  readonly country: string
  readonly description: string
  readonly createdDate: number
}

/** Money has a new owner, or left for a beneficiary. */
export interface MoneyTransferred extends Particulars {
  readonly _tag: "MoneyTransferred"
  /** Milliseconds since 1970. */
  readonly at: number
  /** Unique among the sender's. */
  readonly transferId: string
  readonly sender: string
  readonly recipient: string
  /** Whether the recipient is a beneficiary outside. */
  readonly payout: boolean
  readonly pair: CurrencyPair
  readonly mode: TransferMode
  /** Sell: the sender gives the base. Buy: the recipient gets it. Where nothing is exchanged that is the same: Sell. */
  readonly side: Side
  /** Of the base. */
  readonly quantity: Amount
  /** The worst rate that the sender accepted. */
  readonly worst: Rate | null
  /** The rate that was held for it. */
  readonly quoteId: string | null
  /** Of the quote for one unit of the base; null where nothing was exchanged. */
  readonly rate: Rate | null
  /** From the sender: of the base, or of the quote where it buys. */
  readonly taken: Amount
  /** By the recipient: of the quote where the base was sold, else of the base. */
  readonly received: Amount
}

/** Money has left for the world outside. */
export interface MoneyWithdrawn {
  readonly _tag: "MoneyWithdrawn"
  readonly at: number
  readonly withdrawalId: string
  readonly owner: string
  readonly fundId: string
  readonly asset: string
  readonly quantity: Amount
}

/** A rate is held for its owner, for one exchange of one size. */
export interface RateQuoted {
  readonly _tag: "RateQuoted"
  readonly at: number
  readonly quoteId: string
  readonly owner: string
  readonly pair: CurrencyPair
  readonly side: Side
  /** Of the base. */
  readonly quantity: Amount
  readonly rate: Rate
  /** Of the quote: what the owner gets for the base that it sells, or gives for the one that it buys. */
  readonly value: Amount
  /** From then on it no longer holds. */
  readonly expiresAt: number
}

export type TransferEvent = MoneyTransferred | MoneyWithdrawn | RateQuoted
