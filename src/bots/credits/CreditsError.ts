import { Data } from "effect"
import type { Amount } from "../../../engine/money/Amount.ts"

/** unprocessable: the USD are no whole number of cents above 0, or too many. */
export class NotWholeCents extends Data.TaggedError("NotWholeCents")<{ readonly most: number }> {}

/** unprocessable: the account has less than the credits cost. */
export class UsdMissing extends Data.TaggedError("UsdMissing")<{
  readonly available: Amount
  readonly needed: Amount
}> {}
