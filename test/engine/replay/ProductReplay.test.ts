import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { list, revise } from "../../../engine/commerce/ProductDecision.ts"
import { listed } from "../../../engine/commerce/Product.ts"
import type { ProductEvent } from "../../../engine/commerce/ProductEvent.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { ProductReplay } from "../../../engine/replay/ProductReplay.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"

const facts = {
  name: "Bolt",
  description: "M8",
  price: fromUnits(2n * ONE),
  type: "Commodity",
  insurable: false,
  bidable: true,
  isContract: false
} as const

const merchant = { userId: "usr_1", companyId: "cmp_1", at: 5 }
const listing = list({ productId: "prd_1", facts, pieces: 4 }, merchant)
const revision = revise(listed(listing.event), 4, { facts: { name: "Screw" }, available: 1 }, { ...merchant, at: 9 })!
const stored = (stream: string): StoredEvent => ({ seq: 1, stream, version: 1, type: "", data: "", hash: "" })

const replayed = (history: boolean) => {
  const rows: Array<StateRow> = []
  const replay = new ProductReplay({ history, put: (row) => void rows.push(row) })
  const taken = (event: ProductEvent, stream = "product/prd_1") => {
    const decided = replay.decide(event, stored(stream))
    if (Result.isSuccess(decided)) replay.evolve(event, stored(stream))
    return decided
  }
  return { replay, rows, taken }
}

describe("ProductReplay", () => {
  it("asks of the ledger what the decision asked, and puts the row once", () => {
    const { replay, rows, taken } = replayed(false)
    expect(taken(listing.event)).toEqual(Result.succeed(listing.commands))
    expect(taken(revision.event)).toEqual(Result.succeed(revision.commands))
    expect(rows).toEqual([])
    replay.finish()
    const row = "prd_1 cmp_1 usr_1 Screw M8 2000000 Commodity false true false 2 cmp_1/PRODUCT:prd_1/stock 5 9 {}"
    expect(rows.map(({ values }) => values.join(" "))).toEqual([row])
  })

  it("puts each state where history is wanted", () => {
    const { replay, rows, taken } = replayed(true)
    for (const event of [listing.event, revision.event]) taken(event)
    replay.finish()
    expect(rows.map(({ values }) => values[3])).toEqual(["Bolt", "Screw"])
  })

  it("refuses what stands elsewhere, comes too early or twice, and what another company did", () => {
    const { taken } = replayed(false)
    expect(Result.isFailure(taken(revision.event))).toBe(true)
    expect(Result.isFailure(taken(listing.event, "product/prd_2"))).toBe(true)
    expect(Result.isSuccess(taken(listing.event))).toBe(true)
    expect(Result.isFailure(taken(listing.event))).toBe(true)
    expect(Result.isFailure(taken({ ...revision.event, companyId: "cmp_2" }))).toBe(true)
  })
})
