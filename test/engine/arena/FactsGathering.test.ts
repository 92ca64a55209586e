import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { type FactsWorld, gatherFacts, mayBeDue } from "../../../engine/arena/FactsGathering.ts"
import type { Median } from "../../../engine/arena/Median.ts"
import { commitment, human, machine, order, terms, usd } from "../../lib/ArenaArbitraries.ts"

const times = { openedAt: 0, expiryAt: 10_000, settlementAt: 20_000 }

const worldOf = (change: Partial<FactsWorld<never>> = {}) => {
  const asked: Array<unknown> = []
  const world: FactsWorld<never> = {
    rule: "weighted",
    medians: (asset, from) =>
      Effect.sync((): ReadonlyArray<Median> => {
        asked.push([asset, from])
        return [{ asset, at: from, price: usd("1"), safe: true }]
      }),
    priced: (_, median) => ({ ...median, price: usd("2") }),
    breakers: { wasHalted: (_, at) => at === 10_000, isLatched: () => true },
    machines: {
      activeOwners: (...span) => Effect.sync(() => new Set([String(span)])),
      capableCount: () => Effect.succeed(7),
      turnout: (_, until) => Effect.succeed(new Map([["cmp_1", { orders: until, committed: 1 }]]))
    },
    keys: { tieKey: (orderId) => `key of ${orderId}`, tieHash: (key, owner) => `${key}/${owner}` },
    accrual: () => () => usd("3"),
    ...change
  }
  return { asked, world }
}

describe("FactsGathering", () => {
  it("asks for what was so at expiry, at the order's own prices", () => {
    const { asked, world } = worldOf()
    const { asset, assetType, orderId } = terms()
    const facts = Effect.runSync(gatherFacts(world, order(times), 15_000))
    expect(asked).toEqual([[asset, 10_000]])
    expect(facts).toMatchObject({ now: 15_000, haltedAtExpiry: true, settlementsHalted: true })
    expect(facts.medians.map(({ at, price }) => [at, price])).toEqual([[10_000, usd("2")]])
    expect([...facts.machineOwners]).toEqual([`${assetType},0,10000`])
    expect(facts.tieHash("cmp_1")).toBe(`key of ${orderId}/cmp_1`)
  })

  it("counts each machine that committed once, and the turnout where the rule asks for it", () => {
    const state = order(times)
    for (const [index, trader] of [machine("cmp_1"), machine("cmp_1"), machine("cmp_2"), human("cmp_3")].entries()) {
      state.commitments.add(commitment(index, { trader }))
    }
    const of = (rule: FactsWorld<never>["rule"]) =>
      Effect.runSync(gatherFacts(worldOf({ rule }).world, state, 15_000)).register
    expect(of("quorum")).toMatchObject({ capable: 7, committed: 2, turnout: new Map() })
    expect(of("turnout").turnout).toEqual(new Map([["cmp_1", { orders: 10_000, committed: 1 }]]))
  })

  it("knows when no step can be due", () => {
    const state = order(times)
    expect([mayBeDue(state, 9_999), mayBeDue(state, 10_000)]).toEqual([false, true])
    state.status = "settled"
    expect(mayBeDue(state, 10_000)).toBe(false)
  })
})
