import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { tellingPayments, TOTAL } from "../../lib/PaymentFixture.ts"

const { changeOf, fixture, tests } = tellingPayments()

const APPROVE = "4242424242424242"

describe("the test cards", () => {
  const failing = [
    ["4000000000000002", "card_declined"],
    ["4000000000009995", "insufficient_funds"],
    ["4000000000000341", "authorization_expired"]
  ] as const
  for (const [number, failure] of failing) {
    tests(`decline with ${failure}, and the order can be paid otherwise`, () =>
      Effect.gen(function* () {
        const order = yield* fixture().order()
        const { json } = yield* fixture().card(order.id, number)
        expect(json).toMatchObject({ status: "failed", failure, captured: 0 })
        expect((yield* fixture().issued(json.id))["capture"]).toBeUndefined()
        expect((yield* fixture().card(order.id, APPROVE)).json.status).toBe("captured")
      })
    )
  }

  for (const number of ["4000000000007007", "4000000000007106"]) {
    tests(`${number} times out at each step, and is charged once`, () =>
      Effect.gen(function* () {
        const order = yield* fixture().order()
        const { json } = yield* fixture().card(order.id, number)
        expect(json.status).toBe("processing")
        for (let wait = 0; wait < 3; wait++) yield* fixture().work(2_000)
        expect((yield* fixture().get(json.id)).json).toMatchObject({ status: "captured", applied: TOTAL })
        yield* fixture().market.act(order, "cancel", fixture().buyer)
        for (let wait = 0; wait < 3; wait++) yield* fixture().work(2_000)
        expect((yield* fixture().get(json.id)).json).toMatchObject({ status: "refunded", refunded: TOTAL })
        expect(yield* fixture().issued(json.id)).toEqual({ authorize: [6_002], capture: [6_002], refund: [6_002] })
      })
    )
  }

  tests("4000000000005126 declines refunds: the seller has the money again, and a cancelled order's is kept", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const { json } = yield* fixture().card(order.id, "4000000000005126")
      yield* fixture().market.act(order, "fulfil", fixture().ada)
      const change = yield* changeOf(fixture().refund(json.id, 10, fixture().ada))
      expect(change).toEqual([0, 0, 0])
      const after = (yield* fixture().get(json.id)).json
      expect(after.refunds.map(({ status }) => status)).toEqual(["failed"])
      const other = yield* fixture().order()
      const paid = (yield* fixture().card(other.id, "4000000000005126")).json
      yield* fixture().market.act(other, "cancel", fixture().buyer)
      yield* fixture().work(1)
      yield* fixture().work(3_600_000)
      expect((yield* fixture().get(paid.id)).json).toMatchObject({ status: "captured", refunded: 0, applied: 0 })
      expect(yield* fixture().kept(paid.id)).toBe(60_020_000n)
      for (let day = 0; day < 30; day++) yield* fixture().work(24 * 3_600_000)
      const later = (yield* fixture().get(paid.id)).json
      expect(later).toMatchObject({ status: "captured", refunded: 0 })
      expect(later.refunds).toMatchObject([{ status: "failed", failure: "refund_declined", attempts: 32 }] as never)
      expect(yield* fixture().kept(paid.id)).toBe(60_020_000n)
    })
  )

  tests("4000000000000259 is disputed and lost: the sellers pay as far as they can", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const { json } = yield* fixture().card(order.id, "4000000000000259")
      yield* fixture().market.act(order, "fulfil", fixture().ada)
      yield* fixture().work(61_000)
      expect((yield* fixture().get(json.id)).json.dispute).toBe("open")
      expect((yield* fixture().refund(json.id, 1, fixture().ada)).json).toMatchObject({ code: "conflict" })
      const change = yield* changeOf(fixture().work(61_000))
      expect((yield* fixture().get(json.id)).json.dispute).toBe("lost")
      expect(change).toEqual([0, -3_001, -3_001])
    })
  )

  tests("4000000000002685 is disputed and won: nothing moves", () =>
    Effect.gen(function* () {
      const order = yield* fixture().order()
      const { json } = yield* fixture().card(order.id, "4000000000002685")
      const change = yield* changeOf(Effect.andThen(fixture().work(61_000), fixture().work(61_000)))
      expect((yield* fixture().get(json.id)).json.dispute).toBe("won")
      expect(change).toEqual([0, 0, 0])
    })
  )
})

describe("after all of that", () => {
  tests("the ledger adds up, and every row follows from its events", () =>
    Effect.gen(function* () {
      expect(yield* fixture().market.faults).toEqual([])
    })
  )
})
