import { evolve, placed, type PurchaseOrderState } from "./PurchaseOrder.ts"
import type { PurchaseOrderEvent, PurchaseOrderPlaced } from "./PurchaseOrderEvent.ts"

/** An order with who did it and when, which its state does not need. */
export interface PurchaseRecord {
  readonly state: PurchaseOrderState
  /** Who placed it. */
  readonly userId: string
  /** The latest time of its events. */
  updatedAt: number
  /** When each payment was made, by its id. */
  readonly paidAt: Map<string, number>
  /** When each seller delivered. */
  readonly fulfilledAt: Map<string, number>
  /** When each instalment was found overdue. */
  readonly overdueAt: Map<number, number>
}

/** An order as it was placed. */
export const begun = ({ at, terms, userId }: PurchaseOrderPlaced): PurchaseRecord => ({
  state: placed(terms),
  userId,
  updatedAt: at,
  paidAt: new Map(),
  fulfilledAt: new Map(),
  overdueAt: new Map()
})

/** Another record of the same, which changes alone. */
export const copied = ({
  fulfilledAt,
  overdueAt,
  paidAt,
  state,
  updatedAt,
  userId
}: PurchaseRecord): PurchaseRecord => ({
  state: {
    ...state,
    payments: [...state.payments],
    paidInstalments: new Set(state.paidInstalments),
    remindedOf: new Set(state.remindedOf),
    foundOverdue: new Set(state.foundOverdue),
    fulfilledBy: new Set(state.fulfilledBy)
  },
  userId,
  updatedAt,
  paidAt: new Map(paidAt),
  fulfilledAt: new Map(fulfilledAt),
  overdueAt: new Map(overdueAt)
})

/** Applies one later event to a record, in place. */
export const record = (order: PurchaseRecord, event: PurchaseOrderEvent): void => {
  evolve(order.state, event)
  order.updatedAt = event.at > order.updatedAt ? event.at : order.updatedAt
  if (event._tag === "PurchaseOrderPaid") order.paidAt.set(event.payment.paymentId, event.at)
  if (event._tag === "PurchaseOrderFulfilled") order.fulfilledAt.set(event.companyId, event.at)
  if (event._tag === "PurchaseOrderOverdue") order.overdueAt.set(event.instalment, event.at)
}

/** An order from all its events; undefined where the first is no placement. */
export const recordOf = ([first, ...later]: ReadonlyArray<PurchaseOrderEvent>): PurchaseRecord | undefined => {
  if (first?._tag !== "PurchaseOrderPlaced") return undefined
  const order = begun(first)
  for (const event of later) record(order, event)
  return order
}
