import type { Amount } from "../money/Amount.ts"

/** Money came in from outside, or was made for a sandbox owner. */
export interface FundsMinted {
  readonly _tag: "FundsMinted"
  readonly at: number
  readonly fundId: string
  readonly owner: string
  readonly asset: string
  readonly amount: Amount
  /** What the money stands for outside; null in the sandbox. */
  readonly externalReference: string | null
  /** How the ledger took it. The earliest events do not say. */
  readonly posting?: MintPosting
}

/** The posting of a mint. */
export interface MintPosting {
  /** The mint's id, from which the ledger's ids of its transfers are made. */
  readonly id: string
  /** Whether it came out of what the owner may mint by itself. */
  readonly limited: boolean
}

/** One of the platform's own parties was given its working capital. */
export interface CapitalFunded {
  readonly _tag: "CapitalFunded"
  readonly at: number
  readonly account: string
  readonly asset: string
  readonly amount: Amount
}

/** A machine trader may lose this much. */
export interface AllowanceGranted {
  readonly _tag: "AllowanceGranted"
  readonly at: number
  readonly traderId: string
  readonly amount: Amount
}

/** Money that moves outside the arena. */
export type FundsEvent = FundsMinted | CapitalFunded | AllowanceGranted
