import { type Amount, format } from "../../../engine/money/Amount.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** The USD are no whole number of cents above 0, or too many. */
export class NotWholeCents extends refusal(
  "NotWholeCents",
  "unprocessable",
  ({ most }: { readonly most: number }) =>
    `payload.dollar_amount: Expected whole cents, more than 0 and at most ${most}`
) {}

/** The account has less than the credits cost. */
export class UsdMissing extends refusal(
  "UsdMissing",
  "unprocessable",
  ({ available, needed }: { readonly available: Amount; readonly needed: Amount }) =>
    `The account has ${format(available)} USD of the ${format(needed)} that the credits cost: add funds.`
) {}
