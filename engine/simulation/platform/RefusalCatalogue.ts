/** What callers of all contexts that a simulation plays are refused by, as the code has it. */

import * as ArenaError from "../../arena/ArenaError.ts"
import * as CommitmentHalting from "../../arena/CommitmentHalting.ts"
import * as BotLifecycle from "../../bots/BotLifecycle.ts"
import * as BotLifeDecision from "../../bots/BotLifeDecision.ts"
import * as BotWorld from "../../bots/BotWorld.ts"
import * as EvaluationCreditsDecision from "../../bots/EvaluationCreditsDecision.ts"
import * as Strategy from "../../bots/Strategy.ts"
import * as PurchaseOrderError from "../../commerce/PurchaseOrderError.ts"
import * as CreditApplication from "../../credit/CreditApplication.ts"
import * as CreditDecision from "../../credit/CreditDecision.ts"
import { InsufficientFunds } from "../../ledger/Book.ts"
import * as Metadata from "../../metadata/Metadata.ts"
import * as PaymentError from "../../payments/PaymentError.ts"
import * as SubscriptionError from "../../subscriptions/SubscriptionError.ts"
import * as TransferError from "../../transfers/TransferError.ts"
import * as Delivery from "../../webhooks/Delivery.ts"
import * as WebhookDecision from "../../webhooks/WebhookDecision.ts"

type Exports = Readonly<Record<string, unknown>>

/** The refusals of traders and of bots: their answers tell them by their tags alone. */
const TAGGED_CONTEXTS: Readonly<Record<string, Exports>> = {
  arena: { ...ArenaError, ...CommitmentHalting },
  bots: { ...BotLifecycle, ...BotLifeDecision, ...BotWorld, ...EvaluationCreditsDecision, ...Strategy },
  ledger: { InsufficientFunds }
}

/** The refusals of companies: their answers tell them with their context. */
const COMPANY_CONTEXTS: Readonly<Record<string, Exports>> = {
  commerce: { ...PurchaseOrderError, ...Metadata },
  credit: { ...CreditApplication, ...CreditDecision },
  payments: PaymentError,
  subscriptions: SubscriptionError,
  transfers: TransferError,
  webhooks: { ...Delivery, ...WebhookDecision }
}

/**
 * Whether something that a module exports is a class of failures: of refusals, whose codes callers are told, or of other typed
 * errors, which a service words for them.
 */
export const isFailureClass = (exported: unknown): exported is Function =>
  typeof exported === "function" && exported.prototype instanceof Error

/** What the errors of a class are tagged by. */
const tagOf = (failure: Function): string => String(failure.prototype.name)

const namesIn = (contexts: Readonly<Record<string, Exports>>): ReadonlyMap<Function, string> =>
  new Map(
    Object.entries(contexts).flatMap(([context, exports]) =>
      Object.entries(exports).flatMap(([name, exported]) =>
        isFailureClass(exported) ? [[exported, `${context}/${name}`] as const] : []
      )
    )
  )

const TAGGED = namesIn(TAGGED_CONTEXTS)
const OF_COMPANIES = namesIn(COMPANY_CONTEXTS)

/** Every refusal by its name, such as `transfers/QuoteGone`, in the order of the names. */
export const REFUSALS: ReadonlyArray<string> = [...TAGGED.values(), ...OF_COMPANIES.values()].toSorted()

/** The refusals that traders and bots' owners are told by their tags alone: their names by their tags. */
export const TAGGED_REFUSALS: ReadonlyMap<string, string> = new Map(
  Array.from(TAGGED, ([refusal, name]) => [tagOf(refusal), name])
)

/** The name of a refusal of companies; of one that no context here has, its tag alone. */
export const nameOfRefusal = (error: Error): string => OF_COMPANIES.get(error.constructor) ?? error.name

/** Whether the catalogue has a class of failures. */
export const isCatalogued = (refusal: Function): boolean => TAGGED.has(refusal) || OF_COMPANIES.has(refusal)
