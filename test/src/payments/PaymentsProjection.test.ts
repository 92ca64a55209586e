import { Effect, Layer } from "effect"
import { purchaseOrderStream } from "../../../engine/commerce/PurchaseOrder.ts"
import { paymentStream } from "../../../engine/payments/Payment.ts"
import { orderPayments } from "../../../engine/payments/PaymentRows.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { ProjectedStreams } from "../../../src/database/ProjectedStreams.ts"
import { RowWriter } from "../../../src/database/RowWriter.ts"
import { PaymentRepository } from "../../../src/payments/PaymentRepository.ts"
import { paymentsProjection } from "../../../src/payments/PaymentsProjection.ts"
import { rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { withLayer } from "../../lib/Effects.ts"
import { playAll } from "../../lib/PaymentCommands.ts"
import { PRICE, SELLERS } from "../../lib/PaymentScenario.ts"
import { inStreams, projectedAnew } from "../../lib/ProjectedAnew.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(
  Layer.mergeAll(PaymentRepository.layer, ProjectedStreams.layer, RowWriter.layer).pipe(
    Layer.provideMerge(TestDatabase.layer)
  )
)

const streamOf = (event: PlatformEvent): string => {
  if (event._tag === "PaymentCreated") return paymentStream(event.plan.paymentId)
  return "paymentId" in event ? paymentStream(event.paymentId) : purchaseOrderStream("pur_1")
}

const card = { act: "create", provider: "sandbox-card", capture: "automatic" } as const
const clear = { act: "step", payment: 0, weather: "clear" } as const

it("goes on from the tables and streams, whichever of an order's payments an event is about", () =>
  Effect.suspend(() => {
    const game = playAll([
      card,
      card,
      ...Array.from({ length: 5 }, () => clear),
      { act: "refund", payment: 0, seller: SELLERS[0], amount: PRICE },
      clear,
      { act: "dispute", payment: 0 },
      { act: "cancelOrder" }
    ])
    game.settle()
    const events = inStreams(game.log, streamOf)
    const rows = rowsOfAggregate(orderPayments, events)
    return projectedAnew(paymentsProjection, events, rows, ["payments", "payment_refunds"])
  }))
