import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { columnNames, rowValues } from "../../../engine/replay/RowColumns.ts"
import { property } from "../../lib/Property.ts"

const COLUMNS = {
  id: ({ id }: { readonly id: string }) => id,
  length: ({ id }: { readonly id: string }) => `${id.length}`,
  nothing: () => null
}

describe("RowColumns", () => {
  it("have a value for each name, in its order, the key first", () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        const values = rowValues(COLUMNS, { id })
        expect(columnNames(COLUMNS).map((name, index) => [name, values[index]])).toEqual([
          ["id", id],
          ["length", String(id.length)],
          ["nothing", null]
        ])
      }),
      property()
    )
  })
})
