/** The refusals of all contexts that a simulation plays, as the code has them. */

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
import * as Metadata from "../../metadata/Metadata.ts"
import * as PaymentError from "../../payments/PaymentError.ts"
import * as SubscriptionError from "../../subscriptions/SubscriptionError.ts"
import * as TransferError from "../../transfers/TransferError.ts"
import { isRefusal, type Refusal } from "../../wire/Refusal.ts"

type Exports = Readonly<Record<string, unknown>>

/** The refusals of traders and of bots: their answers tell them by their tags alone. */
const TAGGED_CONTEXTS: Readonly<Record<string, Exports>> = {
  arena: { ...ArenaError, ...CommitmentHalting },
  bots: { ...BotLifecycle, ...BotLifeDecision, ...BotWorld, ...EvaluationCreditsDecision, ...Strategy }
}

/** The refusals of companies: their answers tell them with their context. */
const COMPANY_CONTEXTS: Readonly<Record<string, Exports>> = {
  commerce: { ...PurchaseOrderError, ...Metadata },
  credit: { ...CreditApplication, ...CreditDecision },
  payments: PaymentError,
  subscriptions: SubscriptionError,
  transfers: TransferError
}

/** Whether something that a module exports is a class of refusals. */
export const isRefusalClass = (exported: unknown): exported is Function =>
  typeof exported === "function" && isRefusal(exported.prototype)

const namesIn = (contexts: Readonly<Record<string, Exports>>): ReadonlyMap<unknown, string> =>
  new Map(
    Object.entries(contexts).flatMap(([context, exports]) =>
      Object.entries(exports).flatMap(([name, exported]) =>
        isRefusalClass(exported) ? [[exported, `${context}/${name}`] as const] : []
      )
    )
  )

const TAGGED = namesIn(TAGGED_CONTEXTS)
const OF_COMPANIES = namesIn(COMPANY_CONTEXTS)

/** Every refusal by its name, such as `transfers/QuoteGone`, in the order of the names. */
export const REFUSALS: ReadonlyArray<string> = [...TAGGED.values(), ...OF_COMPANIES.values()].toSorted()

/** The refusals that traders and bots' owners are told by their tags alone: their names by their tags. */
export const TAGGED_REFUSALS: ReadonlyMap<string, string> = new Map(
  Array.from(TAGGED.values(), (name) => [name.slice(name.indexOf("/") + 1), name])
)

/** The name of a refusal of companies; of one that no context here has, its tag alone. */
export const nameOfRefusal = (error: Refusal): string =>
  OF_COMPANIES.get(error.constructor) ?? ("_tag" in error ? String(error._tag) : error.name)

/** Whether the catalogue has a class of refusals. */
export const isCatalogued = (refusal: Function): boolean => TAGGED.has(refusal) || OF_COMPANIES.has(refusal)
