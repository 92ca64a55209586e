import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { dueStep } from "../../../engine/commerce/OverdueDecision.ts"
import { creditLimitOf, placed } from "../../../engine/commerce/PurchaseOrder.ts"
import { commandsOf } from "../../../engine/commerce/PurchaseOrderCommands.ts"
import { pay, place } from "../../../engine/commerce/PurchaseOrderDecision.ts"
import type { PurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { decodePurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { PurchaseReplay } from "../../../engine/replay/PurchaseReplay.ts"
import { keyOf, type StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"

const stored = (event: PurchaseOrderEvent, stream = "purchase/pur_1"): StoredEvent => ({
  seq: 1,
  stream,
  version: 1,
  type: event._tag,
  data: encodeEvent(event),
  hash: ""
})

const replayed = (history: boolean) => {
  const rows: Array<StateRow> = []
  const replay = new PurchaseReplay({ history, put: (row) => void rows.push(row) })
  const taken = (event: PurchaseOrderEvent, at = stored(event)) => {
    const decided = replay.decide(decodePurchaseOrderEvent(at.data), at)
    if (Result.isSuccess(decided)) replay.evolve(event, at)
    return decided
  }
  return { replay, rows, taken }
}

describe("PurchaseReplay", () => {
  it("decides every event again to the same commands, and ends with the same rows with history and without", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const [once, all] = [replayed(false), replayed(true)]
        for (const { before, event } of stages) {
          expect(once.taken(event)).toEqual(Result.succeed(commandsOf(before, event)))
          all.taken(event)
        }
        once.replay.finish()
        all.replay.finish()
        const last = new Map(all.rows.map((row) => [`${row.table} ${keyOf(row)}`, row]))
        expect(new Map(once.rows.map((row) => [`${row.table} ${keyOf(row)}`, row]))).toEqual(last)
        expect(once.rows).toHaveLength(last.size)
      }),
      property()
    )
  })

  it("finds any event that the rules do not decide", () => {
    fc.assert(
      fc.property(anyPurchase, fc.nat(), (stages, pick) => {
        const { taken } = replayed(false)
        const at = pick % stages.length
        for (const { event } of stages.slice(0, at)) taken(event)
        const event = stages[at]?.event
        if (event === undefined) return
        expect(Result.isFailure(taken(event, stored(event, "purchase/pur_2")))).toBe(true)
        const changed = encodeEvent(event).replace(/"companyId":"\w+"/, '"companyId":"nobody"')
        if (event._tag !== "PurchaseOrderPlaced") {
          expect(Result.isFailure(taken(event, { ...stored(event), data: changed }))).toBe(true)
        } else {
          const cheaper = encodeEvent(event).replace(/"total":"\d+"/, '"total":"1"')
          expect(Result.isFailure(taken(event, { ...stored(event), data: cheaper }))).toBe(true)
        }
        expect(Result.isSuccess(taken(event))).toBe(true)
        if (event._tag === "PurchaseOrderPlaced") expect(Result.isFailure(taken(event))).toBe(true)
      }),
      property()
    )
  })

  it("finds an order on credit beside what is overdue, of the company that buys or of the limit that is used", () => {
    const DAY = 86_400_000
    const placing = (orderId: string, companyId: string, userId: string, type: "net_30" | "prepaid" = "net_30") =>
      Result.getOrThrow(
        place(
          {
            orderId,
            buyer: { companyId, creditLimit: creditLimitOf(userId) },
            lines: [
              {
                productId: "prd_1",
                sellerId: "bob",
                wallet: walletOf("usr_bob", "USD"),
                quantity: 1,
                unitPrice: fromUnits(ONE)
              }
            ],
            paymentTerms: { type }
          },
          { userId, companyId, at: 31 * DAY }
        )
      ).event
    const at = (event: PurchaseOrderEvent, orderId: string) => stored(event, `purchase/${orderId}`)
    const { taken } = replayed(false)
    const first = { ...placing("pur_1", "ada", "usr_1") }
    const early = Result.getOrThrow(place(first.terms, { userId: "usr_1", companyId: "ada", at: 0 })).event
    const take = (event: PurchaseOrderEvent, orderId: string) => Result.isSuccess(taken(event, at(event, orderId)))
    expect(take(early, "pur_1")).toBe(true)
    expect(take(placing("pur_2", "ada", "usr_1"), "pur_2")).toBe(true)
    const overdue = dueStep(placed(early.terms), 31 * DAY)
    expect(overdue !== undefined && take(overdue.event, "pur_1")).toBe(true)
    expect(take(placing("pur_3", "ada", "usr_2"), "pur_3")).toBe(false)
    expect(take(placing("pur_3", "shell", "usr_1"), "pur_3")).toBe(false)
    expect(take(placing("pur_3", "ada", "usr_1", "prepaid"), "pur_3")).toBe(true)
    expect(take(placing("pur_4", "cyd", "usr_3"), "pur_4")).toBe(true)
    const state = placed(early.terms)
    const payment = { paymentId: "pay_1", from: walletOf("usr_1", "USD"), extent: "all" } as const
    const paid = Result.getOrThrow(pay(state, payment, { userId: "usr_1", companyId: "ada", at: 32 * DAY })).event
    expect(take(paid, "pur_1")).toBe(true)
    expect(take(placing("pur_5", "ada", "usr_1"), "pur_5")).toBe(true)
  })
})
