import { Effect } from "effect"
import type { Statement } from "effect/sql/Statement"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { type ContextProjection, each, type Statements } from "../database/Projection.ts"
import {
  type DisputeChange,
  type LastEvents,
  PaymentProjectionRepository,
  type RefundEnd,
  type StageChange
} from "./PaymentProjectionRepository.ts"

type Events = ReadonlyArray<Recorded<PlatformEvent>>

const STAGES = {
  PaymentAuthorized: "authorized",
  PaymentCaptureRequested: "capturing",
  PaymentVoidRequested: "voiding",
  PaymentCaptured: "captured",
  PaymentFailed: "failed",
  PaymentVoided: "voided"
} as const

const DISPUTES = { PaymentDisputed: "open", PaymentDisputeWon: "won", PaymentDisputeLost: "lost" } as const

const stagesOf = (events: Events): ReadonlyArray<StageChange> =>
  events.flatMap(({ event }) => {
    if (!isIn(STAGES, event)) return []
    const { _tag: tag, at, paymentId } = event
    return [{ paymentId, stage: STAGES[tag], failure: tag === "PaymentFailed" ? event.reason : null, at }]
  })

const disputesOf = (events: Events): ReadonlyArray<DisputeChange> =>
  events.flatMap(({ event }) =>
    isIn(DISPUTES, event) ? [{ paymentId: event.paymentId, state: DISPUTES[event._tag], at: event.at }] : []
  )

const endsOf = (events: Events): ReadonlyArray<RefundEnd> =>
  events.flatMap(({ event }) => {
    if (event._tag !== "PaymentRefunded" && event._tag !== "PaymentRefundFailed") return []
    const { at, paymentId, refundId } = event
    return [{ paymentId, refundId, failure: event._tag === "PaymentRefunded" ? null : event.reason, at }]
  })

const isIn = <T extends PlatformEvent["_tag"]>(
  tags: Readonly<Record<T, unknown>>,
  event: PlatformEvent
): event is Extract<PlatformEvent, { readonly _tag: T }> => event._tag in tags

const some = <A>(changes: ReadonlyArray<A>, write: (changes: ReadonlyArray<A>) => Statements): Statements =>
  changes.length === 0 ? [] : write(changes)

/** The last event of each of some payments: its own. */
const lastOfPayments = (events: Events): LastEvents =>
  new Map(
    events.flatMap(({ event, seq }) => {
      if (event._tag === "PaymentCreated") return [[event.plan.paymentId, seq] as const]
      return event._tag.startsWith("Payment") && "paymentId" in event ? [[event.paymentId, seq] as const] : []
    })
  )

/** The last event of each of some orders that may ask something of its payments. */
const lastOfOrders = (events: Events): LastEvents =>
  new Map(
    events.flatMap(({ event, seq }) =>
      event._tag === "PurchaseOrderPaid" || event._tag === "PurchaseOrderCancelled"
        ? [[event.orderId, seq] as const]
        : []
    )
  )

const noted = (last: LastEvents, note: (last: LastEvents) => Statement<unknown>): Statements =>
  last.size === 0 ? [] : [note(last)]

/** Writes the rows of payments for recorded events, within their transaction. */
export const paymentsProjection = Effect.map(PaymentProjectionRepository, (repository): ContextProjection => ({
  write: (events) => [
    ...each(events, "PaymentCreated", repository.created),
    ...some(stagesOf(events), repository.staged),
    ...each(events, "PurchaseOrderPaid", repository.orderPaid),
    ...each(events, "PurchaseOrderCancelled", repository.orderCancelled),
    ...each(events, "PaymentRefundRequested", repository.refundRequested),
    ...some(endsOf(events), repository.refundEnded),
    ...some(disputesOf(events), repository.disputed),
    ...noted(lastOfPayments(events), repository.heard),
    ...noted(lastOfOrders(events), repository.orderHeard)
  ],
  answers: {}
}))
