import { describe, expect, it } from "bun:test"
import {
  type BotCommitment,
  byAssetType,
  coverageOf,
  earnedOver,
  MOST_DRAWN,
  OLDER_FROM,
  olderOffsets,
  PAGE,
  together
} from "../../../../../src/dashboard/app/bots/BotPerformance.ts"

const commitment = (second: number, change: Partial<BotCommitment>): BotCommitment => ({
  commitment_id: `com_${second}`,
  order_id: "ord_1",
  asset_type: "fx",
  trader_type: "machine",
  bot_id: "bot_1",
  proposed_entry_price: 1,
  expected_exit_price: 2,
  quantity: 1,
  collateral: 1,
  status: "settled",
  profit: 0,
  yield_earned: 0,
  loss_reason: null,
  created_at: new Date(second * 1_000).toISOString(),
  ...change
})

const NEWEST_FIRST = [
  commitment(4, { status: "active" }),
  commitment(3, { profit: -1.5 }),
  commitment(2, { status: "lost", loss_reason: "outbid", yield_earned: 0.1, asset_type: "gpu" }),
  commitment(1, { profit: 2.2 }),
  commitment(0, { status: "lost", loss_reason: "void", asset_type: "gpu" })
]

describe("earnedOver", () => {
  it("ends at what was made in all, from what was made before", () => {
    expect(earnedOver(NEWEST_FIRST, 10.8)).toEqual([
      { time: 0, value: 10 },
      { time: 1_000, value: 12.2 },
      { time: 2_000, value: 12.3 },
      { time: 3_000, value: 10.8 }
    ])
    expect(earnedOver([], 3)).toEqual([])
  })
})

describe("byAssetType", () => {
  it("counts what was decided, the best first", () => {
    expect(byAssetType(NEWEST_FIRST)).toEqual([
      { assetType: "fx", decided: 2, won: 2, profit: 0.7 },
      { assetType: "gpu", decided: 1, won: 0, profit: 0.1 }
    ])
  })
})

describe("together", () => {
  it("has all of a bot's commitments once, whatever came while older ones were read, up to the limit", () => {
    for (const total of [0, 1, PAGE, PAGE + 1, 777, MOST_DRAWN, MOST_DRAWN + 500]) {
      for (const meanwhile of [0, 1, OLDER_FROM]) {
        const then = Array.from({ length: total }, (_, index) => commitment(total - 1 - index, {}))
        const older = olderOffsets(total).flatMap((offset) => then.slice(offset, offset + PAGE))
        const now = [
          ...Array.from({ length: meanwhile }, (_, index) => commitment(total + meanwhile - 1 - index, {})),
          ...then
        ]
        const rows = together(now.slice(0, PAGE), total > PAGE ? older : [])
        const expected = total > PAGE ? Math.min(now.length, MOST_DRAWN) : Math.min(now.length, PAGE)
        expect(rows).toEqual(now.slice(0, expected))
      }
    }
  })

  it("says what it covers", () => {
    expect(coverageOf([], 0)).toEqual({ shown: 0, isAll: true, first: undefined })
    expect(coverageOf(NEWEST_FIRST, 6)).toEqual({ shown: 5, isAll: false, first: new Date(0).toISOString() })
  })
})
