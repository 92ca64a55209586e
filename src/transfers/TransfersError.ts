import type { SendingError } from "../../engine/transfers/TransferError.ts"
import type { MoneyGateClosed } from "../identity/MoneyGate.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

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

/** The ledger failed its check, so no money moves until an operator has looked. */
export class MoneyHalted extends refusal(
  "MoneyHalted",
  "unavailable",
  () => "No money moves until an operator has looked at the ledger.",
  { retryAfterSeconds: RETRY_LATER }
) {}

/** Every reason to refuse a transfer. */
export type TransferRefused =
  | SendingError
  | MoneyGateClosed
  | NotTheOwner
  | RecipientNotFound
  | RecipientBarred
  | MoneyHalted
