import { describe, expect, it } from "bun:test"
import { readOrder } from "../../../engine/simulation/NaiveOrder.ts"
import { WorldRecord } from "../../../engine/simulation/WorldRecord.ts"
import { median, OPENING, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { wire } from "../../lib/AuditedChoices.ts"

const order = readOrder(wire(terms()))
const call = readOrder(
  wire(terms({ assetType: "options", details: { type: "call", strike: 100, underlying: "EUR/USD" } }))
)

const recordOf = () => {
  const broken: Array<string> = []
  return { broken, world: new WorldRecord((invariant) => void broken.push(invariant)) }
}

describe("WorldRecord", () => {
  it("tells an order's prices from a time on, as far as its actor has looked", () => {
    const { world } = recordOf()
    world.priced([median(1, "100"), median(2, "101")])
    expect(world.prices(order, 2).map(({ at }) => at)).toEqual([2])
    world.looked(order.id, "EUR/USD")
    world.priced([median(3, "102", false)])
    expect(world.prices(order, 0).map(({ at }) => at)).toEqual([1, 2])
  })

  it("takes an option's price between what it would pay now and all that it can pay", () => {
    const { world, broken } = recordOf()
    world.priced([median(1, "110")])
    for (const [price, expected] of [
      ["10", []],
      ["110", []],
      ["9.999999", ["price"]],
      ["110.000001", ["price"]]
    ] as const) {
      broken.length = 0
      world.quoted(call.id, { at: 1, price: usd(price) })
      expect(world.prices(call, 0)).toEqual([{ ...median(1, "110"), price: usd(price) }])
      expect(broken).toEqual([...expected])
    }
  })

  it("sees an option that was never priced", () => {
    const { world, broken } = recordOf()
    world.priced([median(1, "110")])
    world.prices(call, 0)
    expect(broken).toEqual(["price"])
  })

  it("knows whether a breaker was open at expiry: its own, or the global one", () => {
    const at = OPENING + 900_000
    for (const [transitions, expected] of [
      [[], false],
      [[{ scope: "fx", state: "open", reason: "stale_price", at }], true],
      [[{ scope: "fx", state: "open", reason: "stale_price", at: at + 1 }], false],
      [[{ scope: "gpu", state: "open", reason: "stale_price", at }], false],
      [[{ scope: "global", state: "open", reason: "order_overdue", at: at - 9 }], true],
      [
        [
          { scope: "fx", state: "open", reason: "stale_price", at: at - 9 },
          { scope: "fx", state: "half_open", reason: "clean", at: at - 5 }
        ],
        false
      ]
    ] as const) {
      const { world } = recordOf()
      world.turned(transitions)
      expect(world.haltedAtExpiry(order)).toBe(expected)
    }
  })
})
