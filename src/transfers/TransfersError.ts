import { type CurrencyPair, formatPair } from "../../engine/fx/CurrencyPair.ts"
import { type Amount, format } from "../../engine/money/Amount.ts"
import type { QuoteError, TransferError } from "../../engine/transfers/TransferError.ts"
import type { MoneyGateClosed } from "../identity/MoneyGate.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** Seconds after which a price or the desk's money may be there. */
const RETRY_SOON = 5

/** Seconds after which an operator may have looked. */
const RETRY_LATER = 60

/** The money is another owner's. */
export class NotTheOwner extends refusal<"NotTheOwner", "access_denied", { readonly owner: string }>(
  "NotTheOwner",
  "access_denied",
  () => "Only its owner sends money: name your own user id as `from`."
) {}

/** No user, or no beneficiary of the sender, has this id. */
export class RecipientNotFound extends refusal(
  "RecipientNotFound",
  "not_found",
  ({ to }: { readonly to: string }) =>
    `There is no user and no beneficiary of yours ${to}: load one with POST /v1/transfers/to.`
) {}

/** The recipient's account is suspended or was rejected. */
export class RecipientBarred extends refusal(
  "RecipientBarred",
  "unprocessable",
  ({ to }: { readonly to: string }) => `The account ${to} takes no money now.`
) {}

/** The sender made another transfer under this id. */
export class IdUsed extends refusal(
  "IdUsed",
  "conflict",
  ({ id }: { readonly id: string }) => `The id ${id} was used for another transfer: choose another one.`
) {}

/** The owner has too little of the asset that nothing reserves. */
export class TooLittle extends refusal(
  "TooLittle",
  "unprocessable",
  ({ asset, available, needed }: { readonly asset: string; readonly available: Amount; readonly needed: Amount }) =>
    `${format(needed)} ${asset} are needed and ${format(available)} available: add funds or ask for less.`
) {}

/** There is no price now that the desk would exchange at. */
export class NoRate extends refusal(
  "NoRate",
  "unavailable",
  ({ pair }: { readonly pair: CurrencyPair }) => `There is no rate of ${formatPair(pair)} now.`,
  { retryAfterSeconds: RETRY_SOON }
) {}

/** The desk has too little of the asset. */
export class DeskEmpty extends refusal(
  "DeskEmpty",
  "unavailable",
  ({ asset }: { readonly asset: string }) => `The desk has too little ${asset} now.`,
  { retryAfterSeconds: RETRY_SOON }
) {}

/** The ledger failed its check, so no money moves until an operator has looked. */
export class MoneyHalted extends refusal(
  "MoneyHalted",
  "unavailable",
  () => "No money moves until an operator has looked at the ledger.",
  { retryAfterSeconds: RETRY_LATER }
) {}

/** Every reason to refuse a transfer. */
export type TransferRefused =
  | TransferError
  | QuoteError
  | MoneyGateClosed
  | NotTheOwner
  | RecipientNotFound
  | RecipientBarred
  | IdUsed
  | TooLittle
  | NoRate
  | DeskEmpty
  | MoneyHalted
