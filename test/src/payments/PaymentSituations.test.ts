import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { placed } from "../../../engine/commerce/PurchaseOrder.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { PurchaseOrders } from "../../../src/commerce/PurchaseOrders.ts"
import { StreamRepository } from "../../../src/database/StreamRepository.ts"
import { PaymentRepository } from "../../../src/payments/PaymentRepository.ts"
import { PaymentSituations } from "../../../src/payments/PaymentSituations.ts"
import { itEffect } from "../../lib/Effects.ts"
import { PaymentScenario } from "../../lib/PaymentScenario.ts"

/** What is found of a payment of a played order. */
const found = (play: PaymentScenario, paymentId: string) =>
  Effect.flatMap(PaymentSituations, ({ find }) => find(paymentId)).pipe(
    Effect.provide(
      PaymentSituations.layer.pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.succeed(StreamRepository, {
              read: (stream) => Effect.succeed(stream === "payment/pay_1" ? play.events : [])
            }),
            Layer.succeed(PaymentRepository, {
              find: (id: string) =>
                Effect.succeed(
                  id === "pay_direct"
                    ? {
                        extent: null,
                        orderId: "pur_1",
                        payer: "usr_buyer",
                        companyId: "cmp_buyer",
                        amount: fromUnits(5n),
                        createdAt: 1
                      }
                    : undefined
                )
            } as unknown as PaymentRepository["Service"]),
            Layer.succeed(PurchaseOrders, {
              find: () => Effect.succeed({ as: "cmp_buyer", order: { state: play.order } })
            } as unknown as PurchaseOrders["Service"])
          )
        )
      )
    )
  )

describe("a payment's situation", () => {
  itEffect("is what its events and its order make it", () =>
    Effect.gen(function* () {
      const play = new PaymentScenario()
      play.create("sandbox-card", "automatic")
      const before = yield* found(play, "pay_1")
      expect(before).toMatchObject({ takes: play.order.terms.total, state: { stage: "created", taken: null } })
      play.settle()
      const after = yield* found(play, "pay_1")
      expect(after?.state).toEqual(play.payments.get("pay_1")!)
      expect(after?.takes).toBe(fromUnits(0n))
      play.cancelOrder()
      expect((yield* found(play, "pay_1"))?.state.isReturned).toBe(true)
    })
  )

  itEffect("of a wallet that paid at once begins with the order's event", () =>
    Effect.gen(function* () {
      const play = new PaymentScenario()
      play.payOrder("usr_buyer/USD/wallet", "pay_direct")
      expect(yield* found(play, "pay_direct")).toMatchObject({
        state: { isDirect: true, stage: "captured", version: 0, taken: play.order.terms.total }
      })
      expect(placed(play.order.terms).payments).toEqual([])
    })
  )

  itEffect("is none where there is no payment", () =>
    Effect.gen(function* () {
      expect(yield* found(new PaymentScenario(), "pay_none")).toBeUndefined()
    })
  )
})
