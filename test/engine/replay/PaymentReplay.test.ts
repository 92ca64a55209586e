import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { paymentStream } from "../../../engine/payments/Payment.ts"
import type { PaymentEvent } from "../../../engine/payments/PaymentEvent.ts"
import { decodePaymentEvent } from "../../../engine/payments/PaymentEvent.ts"
import { PaymentReplay } from "../../../engine/replay/PaymentReplay.ts"
import { paymentRow, refundRow } from "../../../engine/payments/PaymentRows.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { keyOf, STATE_COLUMNS, type StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { paymentSteps, playAll } from "../../lib/PaymentCommands.ts"
import { property } from "../../lib/Property.ts"

const stored = (event: PlatformEvent, stream: string): StoredEvent => ({
  seq: 1,
  stream,
  version: 1,
  type: event._tag,
  data: encodeEvent(event),
  hash: ""
})

const streamOf = (event: PaymentEvent): string =>
  paymentStream(event._tag === "PaymentCreated" ? event.plan.paymentId : event.paymentId)

const isPayment = (event: PlatformEvent): event is PaymentEvent => event._tag.startsWith("Payment")

const replayed = (history: boolean) => {
  const rows: Array<StateRow> = []
  const replay = new PaymentReplay({ history, put: (row) => void rows.push(row) })
  const take = (event: PlatformEvent) => {
    if (!isPayment(event)) {
      replay.hear(event, stored(event, ""))
      return true
    }
    const at = stored(event, streamOf(event))
    const decided = replay.decide(decodePaymentEvent(at.data), at)
    if (Result.isSuccess(decided)) replay.evolve(event, at)
    return Result.isSuccess(decided)
  }
  return { replay, rows, take }
}

const byKey = (rows: ReadonlyArray<StateRow>) => new Map(rows.map((row) => [`${row.table} ${keyOf(row)}`, row]))

describe("PaymentReplay", () => {
  it("takes whatever was decided, and ends with the rows that it left, with history and without", () => {
    fc.assert(
      fc.property(paymentSteps, (steps) => {
        const game = playAll(steps)
        game.settle()
        const [once, all] = [replayed(false), replayed(true)]
        for (const event of game.log) expect([once.take(event), all.take(event)]).toEqual([true, true])
        once.replay.finish()
        all.replay.finish()
        const rows = byKey(once.rows)
        expect(rows).toEqual(byKey(all.rows))
        expect(once.rows).toHaveLength(rows.size)
        for (const [id, state] of game.payments) {
          const found = rows.get(`payments ${id}`)
          const changedAt = found?.values[STATE_COLUMNS.payments.indexOf("changed_at")]
          expect(found).toEqual(paymentRow(state, Number(changedAt)))
          for (const refund of state.refunds.values()) {
            expect(rows.get(`payment_refunds ${refund.refundId}`)).toEqual(refundRow(id, refund))
          }
        }
      }),
      property()
    )
  })

  it("finds an event that comes twice, and one in another stream", () => {
    const game = playAll([{ act: "create", provider: "wallet", capture: "automatic" }])
    game.settle()
    for (const [index, event] of game.log.entries()) {
      if (!isPayment(event)) continue
      const { replay, take } = replayed(false)
      for (const before of game.log.slice(0, index + 1)) take(before)
      expect(take(event)).toBe(false)
      expect(replay.decide(event, stored(event, "payment/pay_else"))).toEqual(
        Result.fail(`belongs in the stream ${streamOf(event)} and stands in another`)
      )
    }
  })
})
