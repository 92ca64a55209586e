/** The refusals of the contexts that companies use, as the code has them. */

import * as PurchaseOrderError from "../../commerce/PurchaseOrderError.ts"
import { InvalidApplication } from "../../credit/CreditApplication.ts"
import { TooManyAssessments } from "../../credit/CreditDecision.ts"
import * as PaymentError from "../../payments/PaymentError.ts"
import * as SubscriptionError from "../../subscriptions/SubscriptionError.ts"
import * as TransferError from "../../transfers/TransferError.ts"
import type { Refusal } from "../../wire/Refusal.ts"

const CONTEXTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  commerce: PurchaseOrderError,
  credit: { InvalidApplication, TooManyAssessments },
  payments: PaymentError,
  subscriptions: SubscriptionError,
  transfers: TransferError
}

const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(CONTEXTS).flatMap(([context, errors]) =>
    Object.entries(errors).flatMap(([name, error]) =>
      typeof error === "function" ? [[error, `${context}/${name}`] as const] : []
    )
  )
)

/** Every refusal by its name, such as `transfers/QuoteGone`, in the order of the names. */
export const REFUSALS: ReadonlyArray<string> = [...NAMES.values()].toSorted()

/** The name of a refusal; of one that no context here has, its tag alone. */
export const nameOfRefusal = (error: Refusal): string =>
  NAMES.get(error.constructor) ?? ("_tag" in error ? String(error._tag) : error.name)
