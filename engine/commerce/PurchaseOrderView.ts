import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { PurchaseOrderState } from "./PurchaseOrder.ts"
import type { OrderPayment, PurchaseOrderTerms } from "./PurchaseOrderTerms.ts"
import type { PurchaseOrderEvent } from "./PurchaseOrderEvent.ts"
import type { PurchaseRecord } from "./PurchaseRecord.ts"
import { sellerParts } from "./SellerSchedule.ts"

const sum = (amounts: ReadonlyArray<Amount>): Amount => fromUnits(amounts.reduce((total, one) => total + one, 0n))

/** Where a company's shares stand among those of all sellers. */
const placesOf = ({ sellers }: PurchaseOrderTerms, companyId: string): ReadonlyArray<number> =>
  sellers.flatMap(({ sellerId }, index) => (sellerId === companyId ? [index] : []))

const ownPayment = (payment: OrderPayment, places: ReadonlyArray<number>): OrderPayment => {
  const parts = places.map((index) => payment.parts[index] ?? ZERO)
  const to = places.flatMap((index) => payment.to[index] ?? [])
  return { ...payment, amount: sum(parts), parts, to }
}

const ownTerms = (terms: PurchaseOrderTerms, companyId: string): PurchaseOrderTerms => {
  const sellers = terms.sellers.filter(({ sellerId }) => sellerId === companyId)
  const total = sum(sellers.map(({ subtotal }) => subtotal))
  const parts = sellerParts(total, terms.paymentTerms)
  return {
    ...terms,
    lines: terms.lines.filter(({ sellerId }) => sellerId === companyId),
    sellers,
    total,
    schedule: terms.schedule.map((instalment, index) => ({ ...instalment, amount: parts[index] ?? ZERO }))
  }
}

/** The instalments that were found overdue and that a seller has a part of. Reminders are the buyer's alone. */
const ownOverdue = (foundOverdue: ReadonlySet<number>, { schedule }: PurchaseOrderTerms): Set<number> =>
  new Set(schedule.flatMap(({ amount, number }) => (amount > ZERO && foundOverdue.has(number) ? [number] : [])))

const ownState = (state: PurchaseOrderState, companyId: string): PurchaseOrderState => {
  const places = placesOf(state.terms, companyId)
  const { isCancelled, paidInstalments } = state
  const terms = ownTerms(state.terms, companyId)
  const foundOverdue = ownOverdue(state.foundOverdue, terms)
  const payments = state.payments.map((payment) => ownPayment(payment, places)).filter(({ amount }) => amount > ZERO)
  const fulfilledBy = new Set(state.fulfilledBy.has(companyId) ? [companyId] : [])
  const version = 1 + payments.length + fulfilledBy.size + foundOverdue.size + (isCancelled ? 1 : 0)
  const remindedOf = new Set<number>()
  return { terms, version, payments, paidInstalments, remindedOf, foundOverdue, fulfilledBy, isCancelled }
}

/**
 * An order as a company that takes part in it may see it: the buyer sees the whole, a seller what would be there if all
 * of it were bought of it alone. Nothing of a seller's view changes with what only another seller sells, delivers or is
 * paid; its amounts add up among themselves.
 */
export const viewFor = (order: PurchaseRecord, companyId: string): PurchaseRecord => {
  const { fulfilledAt, overdueAt, paidAt, state, updatedAt, userId } = order
  const { buyer, placedAt } = state.terms
  if (companyId === buyer.companyId) return order
  const own = ownState(state, companyId)
  const delivered = fulfilledAt.get(companyId)
  const paid = new Map(own.payments.map(({ paymentId }) => [paymentId, paidAt.get(paymentId) ?? placedAt]))
  const overdue = new Map(Array.from(own.foundOverdue, (number) => [number, overdueAt.get(number) ?? placedAt]))
  const times = [placedAt, ...paid.values(), ...overdue.values(), ...(delivered === undefined ? [] : [delivered])]
  return {
    state: own,
    userId,
    updatedAt: state.isCancelled ? updatedAt : times.reduce((latest, at) => (at > latest ? at : latest)),
    paidAt: paid,
    fulfilledAt: new Map(delivered === undefined ? [] : [[companyId, delivered]]),
    overdueAt: overdue
  }
}

/** One event of an order as a company that takes part in it may see it. */
export interface SeenEvent {
  readonly event: PurchaseOrderEvent
  /** Whether another seller did it, about whom nothing is told. */
  readonly isAnothers: boolean
}

/**
 * The events of an order that a company may see, with its own amounts; of another seller a cancellation alone. A seller sees
 * no reminder, and of what is overdue its own part.
 */
export const eventsFor = (
  events: ReadonlyArray<PurchaseOrderEvent>,
  order: PurchaseRecord,
  companyId: string
): ReadonlyArray<SeenEvent> => {
  const { buyer } = order.state.terms
  const { foundOverdue, payments, terms } = viewFor(order, companyId).state
  const isSeller = companyId !== buyer.companyId
  return events.flatMap((event): ReadonlyArray<SeenEvent> => {
    const isAnothers = isSeller && event.companyId !== companyId && event.companyId !== buyer.companyId
    switch (event._tag) {
      case "PurchaseOrderPlaced":
        return [{ event: { ...event, terms }, isAnothers }]
      case "PurchaseOrderPaid":
        return payments
          .filter(({ paymentId }) => paymentId === event.payment.paymentId)
          .map((payment) => ({ event: { ...event, payment }, isAnothers }))
      case "PurchaseOrderFulfilled":
        return isAnothers ? [] : [{ event, isAnothers }]
      case "PurchaseOrderCancelled":
        return [{ event, isAnothers }]
      case "PurchaseOrderPaymentDue":
        return isSeller ? [] : [{ event, isAnothers }]
      case "PurchaseOrderOverdue":
        return foundOverdue.has(event.instalment) ? [{ event, isAnothers }] : []
    }
  })
}
