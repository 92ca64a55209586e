import { describe, expect, it } from "bun:test"
import { PriceBoard, type QuotedPrice } from "../../../engine/arena/PriceBoard.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"

const GOLD: QuotedPrice = { asset: "XAU", price: usd("4000") }
const EURO: QuotedPrice = { asset: "EUR/USD", price: usd("1.1") }
const CHIP: QuotedPrice = { asset: "H100-SXM", price: usd("2") }
const ALL = [GOLD, EURO, CHIP]

const recorded = (board: PriceBoard, quotes: ReadonlyArray<QuotedPrice>, now: number) => {
  const { medians, problems } = board.judge(quotes, now)
  for (const { median } of medians) board.add(median)
  return { medians: medians.map(({ median }) => median), problems }
}

describe("PriceBoard", () => {
  it("judges what somebody has priced, and misses nothing else", () => {
    const board = new PriceBoard()
    const { medians, problems } = recorded(board, ALL, 1_000)
    expect([medians.length, medians.every(({ safe }) => safe), problems]).toEqual([3, true, []])
    expect(board.latest("XAU")).toEqual({ asset: "XAU", at: 1_000, price: GOLD.price, safe: true })
    expect(board.latest("XAG")).toBeUndefined()
  })

  it("finds a type missing of which nothing has a price, and what was priced before stale", () => {
    const board = new PriceBoard()
    recorded(board, ALL, 1_000)
    expect(recorded(board, [EURO, CHIP], 2_000).problems).toEqual([
      { scope: "commodity", reason: "missing_price" },
      { scope: "options", reason: "missing_price" },
      { scope: "commodity", reason: "stale_price" },
      { scope: "options", reason: "stale_price" }
    ])
  })

  it("records a price outside its band as unsafe", () => {
    const board = new PriceBoard()
    recorded(board, ALL, 1_000)
    const { medians, problems } = recorded(board, [GOLD, { ...EURO, price: usd("1.2") }, CHIP], 2_000)
    expect(medians.flatMap(({ asset, safe }) => (safe ? [] : [asset]))).toEqual(["EUR/USD"])
    expect(problems).toEqual([{ scope: "fx", reason: "price_outside_band" }])
  })

  it("has nothing before it is added, and one median a moment", () => {
    const board = new PriceBoard()
    board.judge(ALL, 1_000)
    expect(board.latest("XAU")).toBeUndefined()
    recorded(board, ALL, 1_000)
    expect(board.judge(ALL, 1_000).medians).toEqual([])
    expect(board.judge(ALL, 500).medians).toEqual([])
    expect(board.judge(ALL, 1_001).medians.length).toBe(3)
  })

  it("compares with the last five minutes alone", () => {
    const board = new PriceBoard()
    recorded(board, ALL, 1_000)
    recorded(board, [GOLD, EURO, CHIP], 301_001)
    expect(recorded(board, [GOLD, { ...EURO, price: usd("1.2") }, CHIP], 301_002).problems.length).toBe(1)
    recorded(board, [GOLD, { ...EURO, price: usd("1.2") }, CHIP], 700_000)
    expect(recorded(board, [GOLD, { ...EURO, price: usd("1.2") }, CHIP], 700_001).problems).toEqual([])
  })
})
