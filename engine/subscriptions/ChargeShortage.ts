/** What it means that a period could not be charged. */

import { countOf } from "../commerce/Stock.ts"
import { accountParts } from "../ledger/Account.ts"
import type { InsufficientFunds } from "../ledger/Book.ts"
import { PiecesMissing, PriceNotCovered } from "./SubscriptionError.ts"
import type { FailureReason } from "./SubscriptionEvent.ts"

const isStock = ({ account }: Pick<InsufficientFunds, "account">): boolean => accountParts(account).kind === "stock"

/** What whoever asked for the charge is told: money is missing, or pieces. */
export const chargeShortage = (short: InsufficientFunds): PriceNotCovered | PiecesMissing => {
  const { available, needed } = short
  return isStock(short) ? new PiecesMissing({ left: countOf(available) }) : new PriceNotCovered({ available, needed })
}

/** What is recorded where the charge came due by itself. */
export const failureReasonOf = (short: Pick<InsufficientFunds, "account">): FailureReason =>
  isStock(short) ? "out_of_stock" : "insufficient_funds"
