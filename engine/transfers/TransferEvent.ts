import type { CurrencyPair } from "../fx/CurrencyPair.ts"
import type { Amount } from "../money/Amount.ts"
import type { Rate } from "../money/Rate.ts"

export const TRANSFER_MODES = ["local", "international"] as const

/** local: the base moves as it is. international: the base is sold for the quote on the way. Specification 2.10. */
export type TransferMode = (typeof TRANSFER_MODES)[number]

/** Money has a new owner. */
export interface MoneyTransferred {
  readonly _tag: "MoneyTransferred"
  /** Milliseconds since 1970. */
  readonly at: number
  readonly transferId: string
  readonly sender: string
  readonly recipient: string
  readonly pair: CurrencyPair
  readonly mode: TransferMode
  /** Of the base, taken from the sender. */
  readonly quantity: Amount
  /** Of the quote for one unit of the base; null where nothing was exchanged. */
  readonly rate: Rate | null
  /** What the recipient got: of the quote where it was exchanged, else of the base. */
  readonly received: Amount
}

/** Money has left for the world outside. */
export interface MoneyWithdrawn {
  readonly _tag: "MoneyWithdrawn"
  readonly at: number
  readonly withdrawalId: string
  readonly owner: string
  readonly asset: string
  readonly quantity: Amount
}

export type TransferEvent = MoneyTransferred | MoneyWithdrawn
