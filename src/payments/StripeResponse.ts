import { Predicate } from "effect"
import type { Stripe } from "stripe"
import { DISPUTED, type ProviderOutcome } from "../../engine/payments/PaymentProvider.ts"

const WORD = /^[a-z0-9_]{1,64}$/

const wordOf = (...candidates: ReadonlyArray<unknown>): string | undefined =>
  candidates.find((word): word is string => typeof word === "string" && WORD.test(word))

const approved = (reference: string): ProviderOutcome => ({ _tag: "Approved", reference })
const declined = (reason: string): ProviderOutcome => ({ _tag: "Declined", reason })
const unknown = (reason: string): ProviderOutcome => ({ _tag: "Unknown", reason })

/** Codes of a request that says how the intent is: the intent itself tells what became of it. */
export const UNEXPECTED_STATE = "payment_intent_unexpected_state"

/** Codes that mean a refund has to wait for the payer's bank, or comes too late for it. */
const CONTESTED = new Set(["charge_disputed", "refund_disputed_payment"])

/** Failures that say that the request was not, and will not be, carried out as it is. */
const REFUSALS = new Set(["StripeCardError", "StripeInvalidRequestError"])

/**
 * What a failure means for the charge. Only a refusal by the card's issuer or of the request as it is declines; all
 * else (no answer, 5xx, 429, a key that is still in use, a wrong API key) leaves open what became of it.
 */
export const outcomeOfFailure = (failure: unknown): ProviderOutcome => {
  const field = (name: string): unknown => (Predicate.hasProperty(failure, name) ? failure[name] : undefined)
  const type = field("type")
  if (typeof type !== "string" || !REFUSALS.has(type)) {
    return unknown(`Stripe gave no answer (${wordOf(field("rawType"), field("code")) ?? "no connection"})`)
  }
  const code = wordOf(field("code"))
  if (code !== undefined && CONTESTED.has(code)) return declined(DISPUTED)
  return declined(wordOf(field("decline_code"), code) ?? "card_declined")
}

/** The code of a failure, where it has one. */
export const codeOf = (failure: unknown): string | undefined =>
  Predicate.hasProperty(failure, "code") ? wordOf(failure.code) : undefined

/** What an intent says of its authorization. */
export const outcomeOfIntent = ({ id, last_payment_error, status }: Stripe.PaymentIntent): ProviderOutcome => {
  switch (status) {
    case "requires_capture":
    case "succeeded":
      return approved(id)
    case "requires_payment_method":
      return declined(wordOf(last_payment_error?.decline_code, last_payment_error?.code) ?? "card_declined")
    case "requires_action":
    case "requires_confirmation":
      return declined("authentication_required")
    case "canceled":
      return declined("authorization_expired")
    default:
      return unknown(`Stripe is at work on it (${status})`)
  }
}

/** What an intent says of its capture. */
export const outcomeOfCapture = (intent: Stripe.PaymentIntent): ProviderOutcome => {
  switch (intent.status) {
    case "succeeded":
      return approved(intent.id)
    case "canceled":
      return declined("authorization_expired")
    default:
      return unknown(`Stripe has not captured it (${intent.status})`)
  }
}

/** What an intent says of its cancellation: what it does not keep any more is let go. */
export const outcomeOfVoid = ({ id, status }: Stripe.PaymentIntent): ProviderOutcome => {
  switch (status) {
    case "canceled":
      return approved(id)
    case "succeeded":
      return declined("already_captured")
    default:
      return unknown(`Stripe has not cancelled it (${status})`)
  }
}

/** What a refund says of itself: `pending` ones are on their way, as card networks take days. */
export const outcomeOfRefund = ({ failure_reason, id, status }: Stripe.Refund): ProviderOutcome => {
  switch (status) {
    case "succeeded":
    case "pending":
      return approved(id)
    case "failed":
    case "canceled":
      return declined(wordOf(failure_reason) ?? "refund_declined")
    default:
      return unknown("Stripe is at work on the refund")
  }
}
