import { Data } from "effect"
import type { CurrencyPair } from "../../engine/fx/CurrencyPair.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { QuoteError, TransferError } from "../../engine/transfers/TransferError.ts"
import type { MoneyGateClosed } from "../identity/MoneyGate.ts"

/** access_denied: the money is another owner's. */
export class NotTheOwner extends Data.TaggedError("NotTheOwner")<{ readonly owner: string }> {}

/** not_found: no user, or no beneficiary of the sender, has this id. */
export class RecipientNotFound extends Data.TaggedError("RecipientNotFound")<{ readonly to: string }> {}

/** unprocessable: the recipient's account is suspended or was rejected. */
export class RecipientBarred extends Data.TaggedError("RecipientBarred")<{ readonly to: string }> {}

/** conflict: the sender made another transfer under this id. */
export class IdUsed extends Data.TaggedError("IdUsed")<{ readonly id: string }> {}

/** unprocessable: the owner has too little of the asset that nothing reserves. */
export class TooLittle extends Data.TaggedError("TooLittle")<{
  readonly asset: string
  readonly available: Amount
  readonly needed: Amount
}> {}

/** unavailable: there is no price now that the desk would exchange at. */
export class NoRate extends Data.TaggedError("NoRate")<{ readonly pair: CurrencyPair }> {}

/** unavailable: the desk has too little of the asset. */
export class DeskEmpty extends Data.TaggedError("DeskEmpty")<{ readonly asset: string }> {}

/** unavailable: the ledger failed its check, so no money moves until an operator has looked. */
export class MoneyHalted extends Data.TaggedError("MoneyHalted")<Record<never, never>> {}

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
