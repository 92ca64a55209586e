import { describe, expect, it } from "bun:test"
import { fromUnits } from "../../../../engine/money/Amount.ts"
import { ProjectedRows, RowRefused } from "../../../../engine/simulation/platform/ProjectedRows.ts"

const facts = {
  name: "a",
  description: "",
  price: fromUnits(1n),
  type: "Commodity",
  insurable: false,
  bidable: false,
  isContract: false
} as const
const listed = { _tag: "ProductListed", at: 1, userId: "u", companyId: "c", productId: "p", facts, pieces: 0 } as const
const place = { seq: 1, stream: "product/p", version: 1, hash: "" }

describe("ProjectedRows", () => {
  it("has the rows as the mappings make them, changed by later events", () => {
    const tables = new ProjectedRows()
    tables.take({ ...place, event: listed })
    const changes = { price: fromUnits(9n) }
    const revised = {
      _tag: "ProductRevised",
      at: 2,
      userId: "u",
      companyId: "c",
      productId: "p",
      changes,
      stock: null
    } as const
    tables.take({ ...place, seq: 2, version: 2, event: revised })
    expect(tables.find("products", "p")?.values).toContain("9")
    expect([...tables.rows].length).toBe(1)
  })

  it("refuses a row that is there already", () => {
    const tables = new ProjectedRows()
    const withdrawn = {
      _tag: "MoneyWithdrawn",
      at: 1,
      withdrawalId: "w",
      owner: "o",
      fundId: "f",
      asset: "USD",
      quantity: fromUnits(1n)
    } as const
    tables.take({ ...place, event: withdrawn })
    expect(() => tables.take({ ...place, seq: 2, event: withdrawn })).toThrow(RowRefused)
  })
})
