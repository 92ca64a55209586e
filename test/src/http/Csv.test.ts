import { parse } from "csv-parse/sync"
import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { csvRow } from "../../../src/http/Csv.ts"
import { property } from "../../lib/Property.ts"

const rows = fc.array(fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 5
})

const shown = (text: string): string => (/^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text)

describe("csvRow", () => {
  it("is read back as it was, but for what would be a formula", () => {
    fc.assert(
      fc.property(rows, (cells) => {
        const read = parse(cells.map(csvRow).join(""), { relax_column_count: true }) as unknown as Array<Array<string>>
        expect(read).toEqual(cells.map((row) => row.map(shown)))
      }),
      property()
    )
  })

  it("leaves negative numbers as they are", () => {
    expect(csvRow(["-12.5", "-x", "=1+1"])).toBe("-12.5,'-x,'=1+1\r\n")
  })
})
