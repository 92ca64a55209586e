import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { createHmac } from "node:crypto"
import { bidPricing } from "../../../engine/arena/BidPricing.ts"
import { houseBid, houseDelay } from "../../../engine/arena/HouseBid.ts"
import { decideSubmission, NOTHING_EARLIER } from "../../../engine/arena/Submission.ts"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import { usd, anyTerms, human, machine, order, submission, terms } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

const keyed =
  (key: string) =>
  (label: string): Uint8Array =>
    createHmac("sha256", key).update(label).digest()

const hash = keyed("house")

const orders = Array.from({ length: 400 }, (_, index) =>
  terms({
    orderId: `ord_${index.toString(16).padStart(24, "0")}`,
    quantity: usd("1000"),
    makerDiscount: fromUnits(500n)
  })
)

describe("HouseBid", () => {
  it("is what an order accepts, within its window, whatever the order", () => {
    fc.assert(
      fc.property(anyTerms, fc.constantFrom("human" as const, "machine" as const), (offered, type) => {
        const delay = houseDelay(hash, "house-1", offered)
        const bid = houseBid(hash, "house-1", type, offered)
        if (delay === undefined) return
        const at = offered.openedAt + delay
        expect(at).toBeGreaterThanOrEqual(offered.openedAt)
        expect(at).toBeLessThan(offered.expiryAt)
        const trader = type === "human" ? human("house") : machine("house")
        const decided = decideSubmission(order(offered), submission({ ...bid, trader }), at, null, 1, NOTHING_EARLIER)
        expect(Result.isSuccess(decided)).toBe(true)
      }),
      property()
    )
  })

  it("is the same for the same key, trader and order, and another for another key", () => {
    const [offered = terms()] = orders
    expect(houseBid(hash, "a", "human", offered)).toEqual(houseBid(hash, "a", "human", offered))
    const bids = orders.map((each) => houseBid(hash, "a", "human", each).proposedPrice)
    const others = orders.map((each) => houseBid(keyed("other"), "a", "human", each).proposedPrice)
    expect(others).not.toEqual(bids)
    expect(houseDelay(hash, "a", offered)).toBe(houseDelay(hash, "a", offered) ?? -1)
  })

  it("leaves out about one order in eight", () => {
    const left = orders.filter((offered) => houseDelay(hash, "a", offered) === undefined).length
    expect(left).toBeGreaterThan(25)
    expect(left).toBeLessThan(80)
  })

  it("reaches the reserve wherever the price went within its tolerance, and is never above the price", () => {
    fc.assert(
      fc.property(anyTerms, fc.bigInt({ min: 500n, max: 1_019n }), (offered, parts) => {
        const { entryPrice, makerDiscount = ZERO } = offered
        const reference = fromUnits((entryPrice * parts) / 1_000n || 1n)
        const bid = houseBid(hash, "a", "human", offered)
        const pricing = bidPricing({ entryPrice, makerDiscount }, reference)
        expect(bid.proposedPrice <= entryPrice).toBe(true)
        // Where a unit of 10⁻⁶ is more than the tenth of the discount that it leaves, rounding decides.
        if (entryPrice * makerDiscount > usd("100000000") || makerDiscount === 0n) {
          expect(pricing.offered(bid) >= pricing.reserve).toBe(true)
        }
      }),
      property()
    )
  })

  it("is sized so that three machines hold three quarters against three humans in about half the orders", () => {
    const held = (type: "human" | "machine", offered: (typeof orders)[number]) =>
      ["1", "2", "3"].reduce((sum, name) => sum + houseBid(hash, `${type}-${name}`, type, offered).quantity, 0n)
    const passing = orders.filter((offered) => {
      const machines = held("machine", offered)
      return 4n * machines >= 3n * (machines + held("human", offered))
    }).length
    expect(passing / orders.length).toBeGreaterThan(0.35)
    expect(passing / orders.length).toBeLessThan(0.7)
  })
})
