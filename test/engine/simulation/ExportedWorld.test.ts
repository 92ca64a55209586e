import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import {
  checkedWorld,
  type ExportedWorld,
  MAX_WORLD_TRADERS,
  readWorld,
  worldText
} from "../../../engine/simulation/ExportedWorld.ts"
import { simulatedExport, surveyed } from "../../lib/SimulatedExport.ts"

const world = surveyed(simulatedExport({ seed: 8, orders: 8, traders: 5, faults: false, bots: 2 }).events)

const read = (value: unknown) => readWorld(value)

/** What is wrong with the world's file once a part of it is another. */
const problemWith = (change: Readonly<Record<string, unknown>>): string | undefined => {
  const changed = read({ ...JSON.parse(worldText(world)), ...change })
  return Result.isFailure(changed) ? changed.failure : undefined
}

describe("A world that was made", () => {
  it("is taken where its file can be read again, and said to be none in one line where not", () => {
    expect(checkedWorld(world)).toEqual(Result.succeed(world))
    const price = Object.values(world.prices)[0]!
    const wrong = checkedWorld({ ...world, prices: { "X/Y": price } })
    expect(Result.isFailure(wrong) && wrong.failure).toMatch(
      /^has what no world can have: [^\n]*what the arena trades[^\n]*$/
    )
    expect(Result.isFailure(checkedWorld({ ...world, timing: { ...world.timing, slot: 0 } }))).toBe(true)
  })
})

describe("A world's file", () => {
  it("reads back as the same world, whose text is one alone", () => {
    const again = read(JSON.parse(worldText(world)))
    expect(again).toEqual(Result.succeed(world))
    expect(worldText(Result.getOrThrow(again))).toBe(worldText(world))
    const turned = JSON.parse(worldText(world))
    const other = Object.fromEntries(Object.entries(turned).toReversed())
    other["prices"] = Object.fromEntries(Object.entries(turned.prices).toReversed())
    expect(worldText(Result.getOrThrow(read(other)))).toBe(worldText(world))
  })

  it("has nobody's name", () => {
    expect(worldText(world)).not.toMatch(/usr_|cmp_|bot_|mtr_|ord_|0x/)
  })

  it("is refused in a sentence where it is another version, or none", () => {
    expect(problemWith({ emporion_world: 2 })).toBe(
      "is a world of version 2, and this program reads version 1: make it anew from the export with npm run sim -- world"
    )
    for (const value of [{}, null, [], 7, { events: [] }]) {
      expect(read(value)).toEqual(Result.fail("is neither an export nor a world"))
    }
  })

  it("is refused beyond its bounds, and says where", () => {
    const { bids, ...auction } = world.auctions[0]!
    const [bid = []] = bids
    const cases: ReadonlyArray<readonly [Partial<Record<keyof ExportedWorld, unknown>>, string]> = [
      [{ timing: { ...world.timing, slot: 0 } }, "slot"],
      [{ types: [] }, "types"],
      [{ types: ["fx", "fx"] }, "types"],
      [{ auctions: [{ ...auction, bids: [[999, ...bid.slice(1)]] }] }, "bids of its traders"],
      [{ auctions: [{ ...auction, bids: [[0, 1_000_000, 0, 0, 1, 0]] }] }, "auctions"],
      [{ companies: [] }, "bots of its companies"],
      [{ prices: { "X/Y": { last: "1", volatility: null } } }, "prices of what the arena trades"],
      [{ path: { assets: ["XAU"], prices: [["1", "2"]] } }, "a price of each asset at each step"],
      [{ house: { maker: "-1", yieldCapital: "1", insurance: "1", isVaultClosed: false } }, "an amount of at least 0"],
      [{ apy: 7 }, "apy"],
      [
        { traders: Array.from({ length: MAX_WORLD_TRADERS + 1 }, () => JSON.parse(worldText(world)).traders[0]) },
        "10000"
      ]
    ]
    for (const [change, named] of cases) {
      const problem = problemWith(change)
      expect(problem).toStartWith("is no world: ")
      expect(problem).toContain(named)
      expect(problem).not.toContain("\n")
    }
  })
})
