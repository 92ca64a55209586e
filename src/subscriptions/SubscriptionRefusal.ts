import { Effect } from "effect"
import { format } from "../../engine/money/Amount.ts"
import type {
  IllegalSubscriptionAct,
  InvalidSubscription,
  NotAllowed
} from "../../engine/subscriptions/SubscriptionError.ts"
import { ApiError, type Code } from "../api/ApiError.ts"
import type { MoneyGateClosed } from "../identity/MoneyGate.ts"
import type * as Refusal from "./SubscriptionError.ts"

const told = <C extends Code>(code: C, message: string) => Effect.fail(new ApiError(code, message))

const BECAUSE: Readonly<Record<IllegalSubscriptionAct["because"], string>> = {
  ended: "The subscription has ended: make another one.",
  ends: "The subscription ends with its period already.",
  ahead: "The coming period is paid already: wait until it begins.",
  not_started: "The subscription has not started: wait until its start."
}

/** How it is answered that a period cannot be charged, for `Effect.catchTags`. */
export const chargeAnswers = {
  MoneyGateClosed: ({ message }: MoneyGateClosed) => told("access_denied", message),
  PriceNotCovered: ({ available, needed }: Refusal.PriceNotCovered) =>
    told(
      "unprocessable",
      `A period costs ${format(needed)} USD and ${format(available)} are available: add funds first.`
    ),
  PiecesMissing: ({ left }: Refusal.PiecesMissing) =>
    told("conflict", `The seller has ${left} pieces left: ask for at most that many, or later.`)
}

export const creationAnswers = {
  NotOwnCompany: () => told("access_denied", "You subscribe for your own company: send its id as company_id."),
  NoSuchProduct: ({ productId }: Refusal.NoSuchProduct) =>
    told("unprocessable", `payload.product_id: Expected a product; there is no ${productId}.`),
  InvalidSubscription: ({ expected, field }: InvalidSubscription) =>
    told("unprocessable", `payload.${field}: Expected ${expected}`)
}

export const subscriptionAnswers = {
  SubscriptionNotFound: ({ id }: Refusal.SubscriptionNotFound) =>
    told("not_found", `There is no subscription ${id} of yours.`),
  IllegalSubscriptionAct: ({ because }: IllegalSubscriptionAct) => told("conflict", BECAUSE[because]),
  NotAllowed: ({ act }: NotAllowed) =>
    told(
      "access_denied",
      act === "renew"
        ? "Only the user whose wallet pays renews a subscription."
        : "Only users of its buyer and its seller cancel a subscription."
    )
}
