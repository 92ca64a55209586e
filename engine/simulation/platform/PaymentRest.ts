import { nextStep, type PaymentStep } from "../../payments/PaymentStep.ts"
import type { PaymentSituation } from "../../payments/PaymentWorld.ts"
import type { CardFate } from "./CardFate.ts"

/** Cards whose network never gives back some of what it took, whoever asks. */
const KEEPING: ReadonlySet<CardFate> = new Set(["declines_refund", "disputes_and_loses", "disputes_and_wins"])

/** Steps of giving back: what is declined is asked for again, ever later. */
const GIVING_BACK: ReadonlySet<PaymentStep["_tag"]> = new Set(["RequestRefund", "Refund"])

/**
 * What is left to do about a payment before everybody can rest: a step that is neither a look for disputes nor one that
 * its card, if any, declines for ever.
 */
export const unfinishedStep = (
  { state, takes }: Pick<PaymentSituation, "state" | "takes">,
  fate: CardFate | undefined
): PaymentStep | undefined => {
  const step = nextStep(state, takes)
  if (step === undefined || step._tag === "LookForDispute") return undefined
  return fate !== undefined && KEEPING.has(fate) && GIVING_BACK.has(step._tag) ? undefined : step
}
