import type { Report } from "../LedgerAudit.ts"
import { capturedOf, type PaymentState } from "../../payments/Payment.ts"
import type { Charge } from "./CardNetwork.ts"

/** A payment as the companies read it, and its charge at the cards' network; each undefined where there is none. */
interface CardPayment {
  readonly paymentId: string
  readonly state: PaymentState | undefined
  readonly charge: Pick<Charge, "captured" | "refunded" | "isVoided"> | undefined
}

/**
 * Whether the cards' network did what a payment says, each step once: what is asked and not answered yet may have been
 * done or not, whole, and nothing else. Payments without a charge and charges without a payment are told as well.
 */
export const auditCard = ({ charge, paymentId, state }: CardPayment, report: Report): void => {
  const wrong = (detail: string): void => report("cards", `${paymentId} ${detail}`)
  if (state === undefined) return wrong("has a charge, and nobody recorded it")
  const { plan, refunds, stage } = state
  if (charge === undefined) {
    if (stage !== "created" && stage !== "failed") wrong(`is ${stage}, and its card knows nothing of it`)
    return
  }
  const { captured, isVoided, refunded } = charge
  const isTaken = stage === "capturing" && captured === plan.amount
  if (captured !== capturedOf(state) && !isTaken) {
    wrong(`has ${capturedOf(state)} captured, and its card ${captured}`)
  }
  if (isVoided !== (stage === "voided") && stage !== "voiding") {
    wrong(`is ${stage}, and its card ${isVoided ? "has" : "has not"} let it go`)
  }
  let back = 0n
  let asked = 0n
  for (const { amount, state: of } of refunds.values()) {
    if (of === "succeeded") back += amount
    // One is asked for after the other.
    if (of === "pending" && asked === 0n) asked = amount
  }
  if (refunded !== back && refunded !== back + asked) {
    wrong(`has ${back} given back and ${asked} asked for, and its card gave ${refunded}`)
  }
}
