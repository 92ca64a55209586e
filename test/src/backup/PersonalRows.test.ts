import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import * as fc from "fast-check"
import { openedLine, ownedLine, sealedLine } from "../../../src/backup/PersonalRows.ts"

const COLUMNS = ["id", "email", "at", "name"]
const CELLS = { table: "people", subject: "id", columns: { name: null, email: "{subject}@erased.invalid" } }
const ROWS = { table: "people", subject: "id" }

const cell = fc.option(fc.string())
const row = fc.tuple(fc.constant("usr_1"), cell, cell, cell)
const key = fc.uint8Array({ minLength: 32, maxLength: 32 })

const sealed = (table: typeof CELLS | typeof ROWS, cells: ReadonlyArray<string | null>, under: Uint8Array) =>
  sealedLine(table, COLUMNS, { cells, subject: "usr_1" }, () => under)

describe("sealedLine", () => {
  it("is opened to the row as it was, and is the same for the same row", () => {
    fc.assert(
      fc.property(row, key, fc.constantFrom(CELLS, ROWS), (cells, under, table) => {
        const line = sealed(table, cells, under)
        expect(sealed(table, cells, under)).toBe(line)
        expect(openedLine(table, COLUMNS, line, () => under)).toEqual(Result.succeed(JSON.stringify(cells)))
      })
    )
  })

  it("tells nothing of what it seals, and leaves what identifies nobody by itself", () => {
    const [id, email, at, name] = ["usr_1", "zelda@example.com", "1700000000000", "Zelda"]
    const under = new Uint8Array(32).fill(7)
    const line = sealed(CELLS, [id, email, at, name], under)
    expect([line.includes(email), line.includes(name), line.includes(at)]).toEqual([false, false, true])
    expect(sealed(ROWS, [id, email, at, name], under)).not.toContain(at)
  })

  it("is the plain row where it is about nobody", () => {
    const line = sealedLine(ROWS, COLUMNS, ownedLine('["a","b",null,"c",null]'), () => new Uint8Array(32))
    expect(line).toBe('["a","b",null,"c"]')
  })
})

describe("openedLine", () => {
  const under = new Uint8Array(32).fill(9)
  const cells = ["usr_1", "zelda@example.com", "5", "Zelda"]

  it("without the key is the row with what takes its place, or no row", () => {
    const gone = () => undefined
    expect(openedLine(CELLS, COLUMNS, sealed(CELLS, cells, under), gone)).toEqual(
      Result.succeed('["usr_1","usr_1@erased.invalid","5",null]')
    )
    const nameless = ["usr_1", null, "5", null]
    expect(openedLine(CELLS, COLUMNS, sealed(CELLS, nameless, under), gone)).toEqual(
      Result.succeed(JSON.stringify(nameless))
    )
    expect(openedLine(ROWS, COLUMNS, sealed(ROWS, cells, under), gone)).toEqual(Result.succeed(undefined))
  })

  it("fails under another key, and for another table", () => {
    const line = sealed(CELLS, cells, under)
    expect(Result.isFailure(openedLine(CELLS, COLUMNS, line, () => new Uint8Array(32)))).toBe(true)
    expect(Result.isFailure(openedLine({ ...CELLS, table: "others" }, COLUMNS, line, () => under))).toBe(true)
  })
})
