import { describe, expect, it } from "bun:test"
import { JournalFold } from "../../../engine/simulation/JournalFold.ts"
import { LEDGER_TABLES } from "../../../engine/simulation/FoldedDatabase.ts"
import { MemoryDatabase } from "../../../engine/simulation/MemoryDatabase.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { MINT, settledGroup } from "../../lib/journal/SettledGroups.ts"

const { group, rows } = settledGroup(new MemoryDatabase(), [MINT, { ...MINT, act: "hold" }], [])

describe("JournalFold", () => {
  it("has what a journal leaves, entry by entry", () => {
    const fold = new JournalFold(link, LEDGER_TABLES)
    for (const row of rows) fold.take(row)
    expect(fold.tables.seq).toBe(2)
    expect(fold.tables.accounts.get("ann/USD/wallet")).toMatchObject({ balance: 10n, held: 3n })
    expect(fold.hashes.slice(1)).toEqual(group.settled.recorded.map(({ hash }) => hash))
  })

  it("refuses a row that comes again", () => {
    const fold = new JournalFold(link, LEDGER_TABLES)
    for (const row of rows) fold.take(row)
    expect(() => rows.forEach((row) => fold.take(row))).toThrow("comes behind 2")
  })
})
