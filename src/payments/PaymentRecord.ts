import { Effect } from "effect"
import { type PaymentState, paymentStream } from "../../engine/payments/Payment.ts"
import { decide } from "../../engine/payments/PaymentDecision.ts"
import type { PaymentEvent } from "../../engine/payments/PaymentEvent.ts"
import { writeEntry } from "../database/EntryWriting.ts"

/**
 * Decides an event on a payment's state and writes it: fails with why the payment or the ledger refuses it.
 *
 * @param claims - names that it takes for good
 */
export const record = Effect.fnUntraced(function* (
  state: PaymentState | undefined,
  event: PaymentEvent,
  claims: ReadonlyArray<string> = []
) {
  const entry = yield* Effect.fromResult(decide(state, event))
  const paymentId = event._tag === "PaymentCreated" ? event.plan.paymentId : event.paymentId
  yield* writeEntry({ stream: paymentStream(paymentId), version: state?.version ?? 0, claims, entry })
})
