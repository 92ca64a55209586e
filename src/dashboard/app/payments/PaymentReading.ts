import type { PaymentStatus } from "../../../../engine/payments/Payment.ts"

/** A payment, as far as it says what is to be done. Amounts are in USD. */
export interface ReadPayment {
  readonly status: PaymentStatus
  readonly failure: string | null
  readonly dispute: "open" | "won" | "lost" | null
  /** What is on its way back to the instrument. */
  readonly refunding: number
}

/** What a person should know of a payment, and do about it. */
export interface Advice {
  readonly tone: "info" | "wait" | "bad"
  readonly title: string
  readonly text: string
}

/** `payer`: the company that pays. `seller`: one that is paid. */
export type Side = "payer" | "seller"

const REASONS: Readonly<Record<string, string>> = {
  card_declined: "The bank declined the card.",
  insufficient_funds: "The account that pays has too little money.",
  authorization_expired: "The bank no longer kept the money when it was to be taken.",
  authentication_required: "The bank wants its holder to confirm, which a payment from here cannot do.",
  refund_declined: "The bank declined to take the money back."
}

/** Why something failed, in a sentence; a reason that is not known is given as it is. */
export const reasonOf = (failure: string): string => REASONS[failure] ?? `The provider said: ${failure}.`

const disputed = (dispute: "open" | "won" | "lost", side: Side): Advice => {
  switch (dispute) {
    case "open":
      return {
        tone: "wait",
        title: "The card's holder disputes this payment",
        text:
          side === "payer"
            ? "Your bank decides who has the money. Nothing can be refunded until then: if it was a mistake, tell your bank."
            : "The holder's bank decides who has the money. Nothing can be refunded until then. Keep the proof that you delivered, and the amount in your USD fund: if the dispute is lost, it is taken from there."
      }
    case "lost":
      return {
        tone: "bad",
        title: "The dispute was lost",
        text:
          side === "payer"
            ? "Your bank has the money back from the sellers."
            : "What you still had of this payment was taken from the fund that was paid. What was not there is owed. Do not refund it a second time."
      }
    case "won":
      return { tone: "info", title: "The dispute was won", text: "Nothing moved. The payment stands as it was." }
  }
}

const pending: Advice = {
  tone: "wait",
  title: "The provider has not answered yet",
  text: "It is asked again by itself, under the same key, so that nothing is charged twice. You need not do anything."
}

const refunding: Advice = {
  tone: "wait",
  title: "A refund is on its way",
  text: "The provider is asked until it has the money. Nothing is refunded twice."
}

/** The one thing to know first of a payment; undefined where there is nothing to do or to wait for. */
export const adviceOf = (payment: ReadPayment, side: Side): Advice | undefined => {
  if (payment.dispute !== null) return disputed(payment.dispute, side)
  if (payment.refunding > 0) return refunding
  switch (payment.status) {
    case "processing":
      return pending
    case "authorized":
      return {
        tone: "info",
        title: "The money is kept, not taken",
        text:
          side === "payer"
            ? "Take it and the order is paid, or let it go and nothing happened."
            : "The buyer takes it, and then the order is paid."
      }
    case "failed":
      return {
        tone: "bad",
        title: "The payment failed",
        text: `${payment.failure === null ? "" : `${reasonOf(payment.failure)} `}Nothing was taken.`
      }
    default:
      return undefined
  }
}

/** What a company can do with a payment now. The server decides, this only offers. */
export interface PaymentActs {
  readonly canConclude: boolean
  readonly canRefund: boolean
  /** Whether the order is still to be paid after a payment that came to nothing. */
  readonly canPayAnew: boolean
}

/** @param hasDelivered - whether anything of the order is fulfilled: before, it is cancelled and not refunded */
export const openPaymentActs = (payment: ReadPayment, side: Side, hasDelivered: boolean): PaymentActs => {
  const isTaken = payment.status === "captured" || payment.status === "partially_refunded"
  const isFree = payment.dispute === null || payment.dispute === "won"
  return {
    canConclude: side === "payer" && payment.status === "authorized",
    canRefund: side === "seller" && isTaken && isFree && hasDelivered,
    canPayAnew: side === "payer" && (payment.status === "failed" || payment.status === "voided")
  }
}
