import { type Amount, format } from "../money/Amount.ts"
import type { SubscriptionStatus } from "./Subscription.ts"
import { refusal } from "../wire/Refusal.ts"

/** The terms cannot be agreed on. */
export class InvalidSubscription extends refusal(
  "InvalidSubscription",
  "unprocessable",
  ({
    expected,
    field
  }: {
    readonly field: "product_id" | "quantity" | "periods" | "start"
    readonly expected: string
  }) => `payload.${field}: Expected ${expected}`
) {}

/** The caller has no part in this act. */
export class NotAllowed extends refusal(
  "NotAllowed",
  "access_denied",
  ({ act }: { readonly act: "renew" | "cancel" }) =>
    act === "renew"
      ? "Only the user whose wallet pays renews a subscription."
      : "Only users of its buyer and its seller cancel a subscription."
) {}

const BECAUSE = {
  ended: "The subscription has ended: make another one.",
  ends: "The subscription ends with its period already.",
  ahead: "The coming period is paid already: wait until it begins.",
  not_started: "The subscription has not started: wait until its start."
} as const

/** A subscription in this state does not take the act. */
export class IllegalSubscriptionAct extends refusal(
  "IllegalSubscriptionAct",
  "conflict",
  ({
    because
  }: {
    readonly act: "renew" | "cancel"
    readonly status: SubscriptionStatus
    /** Why, where the status alone does not say it. */
    readonly because: "ended" | "ends" | "ahead" | "not_started"
  }) => BECAUSE[because]
) {}

/** The wallet has less than a period costs. */
export class PriceNotCovered extends refusal(
  "PriceNotCovered",
  "unprocessable",
  ({ available, needed }: { readonly available: Amount; readonly needed: Amount }) =>
    `A period costs ${format(needed)} USD and ${format(available)} are available: add funds first.`
) {}

/** The seller has fewer pieces than a period takes. */
export class PiecesMissing extends refusal(
  "PiecesMissing",
  "conflict",
  ({ left }: { readonly left: number }) => `The seller has ${left} pieces left: ask for at most that many, or later.`
) {}
