/** Decides what a date does to an order on credit by itself: a reminder before it, and that it has passed. */

import type { Entry } from "../actor/Journal.ts"
import { isOnCredit } from "./PaymentTerms.ts"
import type { PurchaseOrderState } from "./PurchaseOrder.ts"
import { commandsOf } from "./PurchaseOrderCommands.ts"
import type { FoundEvent, PurchaseOrderOverdue, PurchaseOrderPaymentDue } from "./PurchaseOrderEvent.ts"

/** How long before an instalment is due its buyer is reminded, in milliseconds: three days. */
export const REMINDER_LEAD = 3 * 86_400_000

/**
 * What is to be recorded of an order at a time by itself, if anything: the longest due first, one instalment after another.
 * Nobody is reminded of what is overdue, nor told anything of what is paid.
 *
 * @param now - milliseconds since 1970. What is paid at its due date to the millisecond is paid in time
 */
export const dueStep = (state: PurchaseOrderState, now: number): Entry<FoundEvent> | undefined => {
  const { foundOverdue, isCancelled, paidInstalments, remindedOf, terms } = state
  if (isCancelled || !isOnCredit(terms.paymentTerms)) return undefined
  for (const { dueAt, number } of terms.schedule) {
    if (paidInstalments.has(number) || foundOverdue.has(number)) continue
    if (now > dueAt) return overdue(state, number, now)
    if (now >= dueAt - REMINDER_LEAD && !remindedOf.has(number)) return reminder(state, number, now)
  }
  return undefined
}

/** From when on there is a step to be taken of an order, in milliseconds since 1970, unless something happens to it; null: never. */
export const nextDueOf = ({
  foundOverdue,
  isCancelled,
  paidInstalments,
  remindedOf,
  terms
}: PurchaseOrderState): number | null => {
  if (isCancelled || !isOnCredit(terms.paymentTerms)) return null
  const times = terms.schedule
    .filter(({ number }) => !paidInstalments.has(number) && !foundOverdue.has(number))
    .map(({ dueAt, number }) => (remindedOf.has(number) ? dueAt + 1 : dueAt - REMINDER_LEAD))
  return times.length === 0 ? null : Math.min(...times)
}

const foundOf = ({ terms: { buyer, orderId } }: PurchaseOrderState, instalment: number, at: number) => ({
  at,
  userId: null,
  companyId: buyer.companyId,
  orderId,
  instalment
})

const reminder = (state: PurchaseOrderState, number: number, at: number): Entry<PurchaseOrderPaymentDue> => {
  const event: PurchaseOrderPaymentDue = { _tag: "PurchaseOrderPaymentDue", ...foundOf(state, number, at) }
  return { commands: commandsOf(state, event), event }
}

const overdue = (state: PurchaseOrderState, number: number, at: number): Entry<PurchaseOrderOverdue> => {
  const event: PurchaseOrderOverdue = { _tag: "PurchaseOrderOverdue", ...foundOf(state, number, at) }
  return { commands: commandsOf(state, event), event }
}
