import { Schema } from "effect"
import { Amount } from "../money/Amount.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** The posting of a mint. */
export const MintPosting = Schema.Struct({
  /** The mint's id, from which the ledger's ids of its transfers are made. */
  id: Schema.String,
  /** Whether it came out of what the owner may mint by itself. */
  limited: Schema.Boolean
})
export type MintPosting = typeof MintPosting.Type

/** Money came in from outside, or was made for a sandbox owner. */
export const FundsMinted = Schema.TaggedStruct("FundsMinted", {
  at: Schema.Int,
  fundId: Schema.String,
  owner: Schema.String,
  asset: Schema.String,
  amount: Amount,
  /** What the money stands for outside; null in the sandbox. */
  externalReference: Schema.NullOr(Schema.String),
  /** How the ledger took it. The earliest events do not say. */
  posting: Schema.optionalKey(MintPosting)
})
export type FundsMinted = typeof FundsMinted.Type

/** One of the platform's own parties was given its working capital. */
export const CapitalFunded = Schema.TaggedStruct("CapitalFunded", {
  at: Schema.Int,
  account: Schema.String,
  asset: Schema.String,
  amount: Amount
})
export type CapitalFunded = typeof CapitalFunded.Type

/** A machine trader may lose this much. */
export const AllowanceGranted = Schema.TaggedStruct("AllowanceGranted", {
  at: Schema.Int,
  traderId: Schema.String,
  amount: Amount
})
export type AllowanceGranted = typeof AllowanceGranted.Type

/** Money that moves outside the arena. */
export const FundsEvent = Schema.Union([FundsMinted, CapitalFunded, AllowanceGranted])
export type FundsEvent = typeof FundsEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeFundsEvent = eventDecoder(FundsEvent)
