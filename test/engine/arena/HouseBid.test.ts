import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { createHmac } from "node:crypto"
import { houseBid, houseDelay } from "../../../engine/arena/HouseBid.ts"
import { drawBelow } from "../../../engine/arena/KeyedHash.ts"
import { decideSubmission } from "../../../engine/arena/Submission.ts"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import { usd, anyTerms, human, machine, order, submission, terms } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

/** What the thing is worth, in thousandths of its entry price. */
const moved = fc.bigInt({ min: 800n, max: 1_200n })

const keyed =
  (key: string) =>
  (label: string): Uint8Array =>
    createHmac("sha256", key).update(label).digest()

const hash = keyed("house")

const orders = Array.from({ length: 400 }, (_, index) =>
  terms({ orderId: `ord_${index.toString(16).padStart(24, "0")}`, quantity: usd("1000"), entryPrice: usd("10") })
)

describe("HouseBid", () => {
  it("is what an order accepts, within its window, whatever the order", () => {
    fc.assert(
      fc.property(anyTerms, fc.constantFrom("human" as const, "machine" as const), moved, (offered, type, parts) => {
        const delay = houseDelay(hash, "house-1", offered)
        const bid = houseBid(hash, "house-1", type, offered, fromUnits((offered.entryPrice * parts) / 1_000n))
        if (bid === undefined || delay === undefined) return
        const at = offered.openedAt + delay
        expect(at).toBeGreaterThanOrEqual(offered.openedAt)
        expect(at).toBeLessThan(offered.expiryAt)
        const trader = type === "human" ? human("house") : machine("house")
        const decided = decideSubmission(order(offered), submission({ ...bid, trader }), at, null, 1, 0)
        expect(Result.isSuccess(decided)).toBe(true)
      }),
      property()
    )
  })

  it("is the same for the same key, trader and order, and another for another key", () => {
    const [offered = terms()] = orders
    const worth = usd("10.01")
    expect(houseBid(hash, "a", "human", offered, worth)).toEqual(houseBid(hash, "a", "human", offered, worth))
    const bids = orders.map((each) => houseBid(hash, "a", "human", each, worth)?.proposedPrice)
    const others = orders.map((each) => houseBid(keyed("other"), "a", "human", each, worth)?.proposedPrice)
    expect(others).not.toEqual(bids)
    expect(houseDelay(hash, "a", offered)).toBe(houseDelay(hash, "a", offered) ?? -1)
  })

  it("leaves out about one order in eight", () => {
    const left = orders.filter((offered) => houseDelay(hash, "a", offered) === undefined).length
    expect(left).toBeGreaterThan(25)
    expect(left).toBeLessThan(80)
  })

  it("is near what the thing is worth, and where that is below the entry price, the entry price in one of two", () => {
    const worth = usd("10.02")
    const near = orders.map((offered) => houseBid(hash, "a", "human", offered, worth)?.proposedPrice ?? ZERO)
    expect(near.every((price) => price >= usd("10.018") && price <= usd("10.022"))).toBe(true)
    const below = orders.map((offered) => houseBid(hash, "a", "human", offered, usd("9.9"))?.proposedPrice)
    const hopeful = below.filter((price) => price !== undefined)
    expect(new Set(hopeful)).toEqual(new Set([usd("10")]))
    expect(hopeful.length / orders.length).toBeGreaterThan(0.4)
    expect(hopeful.length / orders.length).toBeLessThan(0.6)
    expect(houseBid(hash, "a", "human", terms({ entryPrice: usd("10") }), usd("20"))?.proposedPrice).toBe(usd("11"))
  })

  /** Prices that wander as those of the sandbox do, in 10⁻⁶: by some 0.1 % from the opening to the choice. */
  const wander = (name: string, from: bigint): ReadonlyArray<bigint> => {
    const path = [from]
    for (let step = 0; step < 120; step++) {
      const draw = drawBelow(hash, `walk/${name}/${step}`, 1_001) - 500
      const last = path.at(-1) ?? from
      path.push(last + (last * BigInt(draw)) / 2_236_000n)
    }
    return path
  }

  it("wins about as much as it loses where prices wander, as far as a second price allows", () => {
    const profits = orders.flatMap((offered) => {
      const path = wander(offered.orderId, offered.entryPrice)
      const at = (step: number) => fromUnits(path[step] ?? 0n)
      const reference = at(61)
      const bids = ["1", "2", "3"].flatMap((name) => {
        const delay = houseDelay(hash, name, offered)
        if (delay === undefined) return []
        const step = Math.floor((60 * delay) / (offered.expiryAt - offered.openedAt))
        const bid = houseBid(hash, name, "machine", offered, at(step))
        return bid === undefined || bid.proposedPrice < reference ? [] : [bid]
      })
      const scores = bids.map(({ proposedPrice, quantity }) => ({
        quantity,
        score: (proposedPrice - reference) * quantity
      }))
      const [best, second] = scores.toSorted((one, other) => Number(other.score - one.score))
      if (best === undefined) return []
      const clearing = reference + (second === undefined ? 0n : second.score / best.quantity)
      const settled = path.slice(61).reduce((sum, price) => sum + price, 0n) / BigInt(path.length - 61)
      return [settled - clearing]
    })
    const gained = profits.filter((profit) => profit > 0n).length
    expect(profits.length).toBeGreaterThan(orders.length / 2)
    expect(gained / profits.length).toBeGreaterThan(0.25)
    expect(gained / profits.length).toBeLessThan(0.6)
  })

  it("is sized so that three machines hold three quarters against three humans in about half the orders", () => {
    const held = (type: "human" | "machine", offered: (typeof orders)[number]) =>
      ["1", "2", "3"].reduce(
        (sum, name) => sum + (houseBid(hash, `${type}-${name}`, type, offered, usd("10.01"))?.quantity ?? 0n),
        0n
      )
    const passing = orders.filter((offered) => {
      const machines = held("machine", offered)
      return 4n * machines >= 3n * (machines + held("human", offered))
    }).length
    expect(passing / orders.length).toBeGreaterThan(0.35)
    expect(passing / orders.length).toBeLessThan(0.7)
  })
})
