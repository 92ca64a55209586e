import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  archivedEvents,
  type ArchivedRow,
  decodeArchived,
  encodeArchived
} from "../../../engine/journal/ArchivedJournal.ts"
import { property } from "../../lib/Property.ts"

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

const hex = bytes.map((hash) => Buffer.from(hash).toString("hex"))

const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((some) => some.replace(/[\t\n]/g, ""))

const entry = fc.record({
  stream: text.map((name) => `s/${name}`),
  data: text,
  version: fc.nat(9),
  type: text,
  hash: hex
})

const archived: fc.Arbitrary<ArchivedRow> = fc
  .record({
    firstSeq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 10 }),
    term: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    recordedAt: fc.nat(),
    hash: bytes,
    answersDigest: bytes,
    entries: fc.array(entry, { minLength: 1, maxLength: 5 })
  })
  .map(({ entries, ...row }) => ({
    row: {
      ...row,
      count: entries.length,
      body: entries.map(({ data, stream }) => `${stream}\t\t\t${data}`).join("\n"),
      answers: null
    },
    events: entries.map(({ hash, type, version }) => ({ hash, type, version }))
  }))

describe("ArchivedJournal", () => {
  it("is read as it was written, and its events as they were stored", () => {
    fc.assert(
      fc.property(archived, (one) => {
        const read = decodeArchived(encodeArchived(one))
        expect(read).toEqual(one)
        const events = archivedEvents(one)
        expect(events.map(({ seq }) => seq)).toEqual(one.events.map((_, index) => one.row.firstSeq + index))
        expect(events.map(({ hash, type, version }) => ({ hash, type, version }))).toEqual([...one.events])
        expect(events.map(({ data, stream }) => `${stream}\t\t\t${data}`).join("\n")).toBe(one.row.body)
      }),
      property()
    )
  })

  it("is read of no other bytes", () => {
    fc.assert(
      fc.property(archived, fc.nat(), fc.constantFrom("0", " ", "]", ""), (one, at, put) => {
        const line = encodeArchived(one)
        const index = at % line.length
        const other = `${line.slice(0, index)}${put}${line.slice(index + 1)}`
        const read = decodeArchived(other)
        if (read !== undefined) expect(encodeArchived(read)).toBe(other)
        for (const wrong of ["", "[]", "{}", "null", `${line}\n`, ` ${line}`]) {
          expect(decodeArchived(wrong)).toBeUndefined()
        }
      }),
      property()
    )
  })
})
