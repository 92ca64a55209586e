import { describe, expect, it } from "bun:test"
import type { JournalRow } from "../../../engine/journal/JournalRow.ts"
import { UnconfirmedRows } from "../../../engine/journal/UnconfirmedRows.ts"

const row = (firstSeq: number, body = ""): JournalRow => ({
  firstSeq,
  count: 2,
  term: 1n,
  recordedAt: 0,
  body,
  hash: new Uint8Array(32),
  answersDigest: new Uint8Array(32),
  answers: null
})

describe("Rows that were sent", () => {
  it("are told of once, when the journal has them", () => {
    const rows = new UnconfirmedRows()
    rows.sent([row(1), row(3)])
    rows.sent([row(5)])
    rows.sent([])
    expect(rows.confirm(0)).toEqual([])
    expect(rows.confirm(4)).toEqual([row(1), row(3)])
    expect(rows.confirm(4)).toEqual([])
    expect(rows.confirm(6)).toEqual([row(5)])
  })

  it("give way to what was sent in their place", () => {
    const rows = new UnconfirmedRows()
    rows.sent([row(1)])
    rows.sent([row(3, "lost"), row(5, "lost")])
    rows.sent([row(3, "found")])
    expect(rows.confirm(6)).toEqual([row(1), row(3, "found")])
  })
})
