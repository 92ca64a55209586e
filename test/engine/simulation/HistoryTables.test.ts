import { describe, expect, it } from "bun:test"
import { KEY_RETENTION } from "../../../engine/journal/KeyFilter.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { HistoryTables } from "../../../engine/simulation/HistoryTables.ts"
import { MemoryDatabase } from "../../../engine/simulation/MemoryDatabase.ts"
import { Rejected } from "../../../engine/simulation/MemoryTables.ts"
import { MINT, settledGroup } from "../../lib/journal/SettledGroups.ts"

const placed: Array<string> = []
const { group } = settledGroup(
  new MemoryDatabase(),
  [MINT, { ...MINT, stream: 1 }, { ...MINT, act: "hold" }, { ...MINT, act: "release", of: 2 }],
  placed
)
const hold = placed[2] ?? ""

const written = () => {
  const tables = new HistoryTables()
  tables.write([group])
  return tables
}

/** The same group as if its events came later. */
const later = { ...group, settled: { ...group.settled, recorded: [] } }

describe("HistoryTables", () => {
  it("keep nothing of a transfer but that there was one", () => {
    const tables = written()
    expect(tables.transfers.size).toBe(0)
    expect(() => tables.write([later])).toThrow(Rejected)
    expect(() => tables.write([later])).toThrow("ledger_transfers has")
  })

  it("give up a stream and what was held for it, and place that never again", () => {
    const tables = written()
    const before = tables.stream("s/0").length
    expect(tables.holds.get(hold)?.resolvedBy).toBe(4)
    expect(tables.retire("s/0", before - 1, [[hold]])).toBeUndefined()
    expect(tables.retire("s/0", before, [[hold], ["other"]])?.map((some) => some.map(({ id }) => id))).toEqual([
      [hold],
      []
    ])
    expect([tables.stream("s/0").length, tables.stream("s/1").length, tables.holds.size]).toEqual([0, 1, 0])
    expect(tables.events.filter(({ data }) => data !== "").length).toBe(4 - before)
    const again = { ...later, settled: { ...later.settled, book: new Book([]) } }
    expect(() => tables.write([again])).toThrow(`${hold} is placed already`)
  })

  it("keep what is held for an order until it is resolved", () => {
    const tables = new HistoryTables()
    const pending = settledGroup(new MemoryDatabase(), [MINT, { ...MINT, act: "hold" }], placed).group
    tables.write([pending])
    const id = placed.at(-1) ?? ""
    expect(tables.retire("s/0", 2, [[id]])).toBeUndefined()
    expect([tables.stream("s/0").length, tables.holds.has(id)]).toEqual([2, true])
  })

  it("forget answers that are given no more", () => {
    const tables = new HistoryTables()
    const answer = { fingerprint: "f", status: 200, body: "" }
    tables.keep({ ...answer, key: "a", seq: 1 }, 0)
    tables.keep({ ...answer, key: "b", seq: 2 }, 1)
    tables.keep({ ...answer, key: "a", seq: 3 }, KEY_RETENTION)
    expect([...tables.keys.keys()]).toEqual(["b", "a"])
    tables.keep({ ...answer, key: "c", seq: 4 }, KEY_RETENTION + 1)
    expect([...tables.keys.keys()]).toEqual(["a", "c"])
  })
})
