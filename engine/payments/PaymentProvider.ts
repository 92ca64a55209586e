import type { Effect, Result } from "effect"
import type { Amount } from "../money/Amount.ts"
import type { PaymentProviderName } from "./PaymentPlan.ts"

/**
 * What became of a request. `Unknown`: no answer came, or none that says it; whether anything was charged is open until
 * the same request is answered.
 */
export type ProviderOutcome =
  | {
      readonly _tag: "Approved"
      /** The provider's own name of the charge; null where it has none. */
      readonly reference: string | null
    }
  | {
      readonly _tag: "Declined"
      /** A word of at most 64 characters, such as `insufficient_funds`. */
      readonly reason: string
    }
  | { readonly _tag: "Unknown"; readonly reason: string }

/** Why a card's money cannot go back while the payer's bank decides about it. */
export const DISPUTED = "disputed"

/** A request's key: the payment and its step. Asked again with the same key, a provider does nothing twice. */
export type RequestKey = string

export interface Authorization {
  readonly key: RequestKey
  readonly paymentId: string
  readonly amount: Amount
  /** As {@link PaymentProvider.instrument} named it. */
  readonly instrument: string | null
}

/** A step on a charge. */
export interface ChargeStep {
  readonly key: RequestKey
  readonly paymentId: string
  /** As the authorization's approval named it. */
  readonly reference: string | null
  readonly amount: Amount
}

export type StepKind = "authorize" | "capture" | "void" | "refund"

/** What the payer's bank says of a captured charge. */
export interface ProviderDispute {
  readonly disputeId: string
  readonly amount: Amount
  readonly state: "open" | "won" | "lost"
}

/** Why an instrument is not taken, as the end of the sentence "Expected …". It repeats nothing of what was sent. */
export interface InstrumentRefused {
  readonly expected: string
}

/** Somebody who moves a payer's money. No request fails: what went wrong is an outcome. */
export interface PaymentProvider {
  readonly name: PaymentProviderName
  /** The name under which an instrument is kept and shown: never a card's number. */
  readonly instrument: (given: string | undefined) => Result.Result<string | null, InstrumentRefused>
  /** Whether it can charge this: cards pay whole cents. */
  readonly takes: (amount: Amount) => boolean
  readonly authorize: (request: Authorization) => Effect.Effect<ProviderOutcome>
  /** Takes all that was authorized. */
  readonly capture: (step: ChargeStep) => Effect.Effect<ProviderOutcome>
  /** Lets go what was authorized. What it does not keep any more is let go. */
  readonly void: (step: ChargeStep) => Effect.Effect<ProviderOutcome>
  /** Gives back a part of what was captured, to the instrument that paid. */
  readonly refund: (step: ChargeStep) => Effect.Effect<ProviderOutcome>
  /** What became of a request that was asked before; undefined where the provider never heard of it. */
  readonly find: (kind: StepKind, step: ChargeStep) => Effect.Effect<ProviderOutcome | undefined>
  /** What the payer's bank says of a captured charge; undefined where it says nothing, or cannot be asked now. */
  readonly dispute: (reference: string | null) => Effect.Effect<ProviderDispute | undefined>
}

/** A cent in 10⁻⁶. */
export const CENT = 10_000n

export const isWholeCents = (amount: Amount): boolean => amount % CENT === 0n
