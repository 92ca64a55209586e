import { describe, expect, it } from "bun:test"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { MemoryDatabase, Untrue } from "../../../engine/simulation/MemoryDatabase.ts"
import { MINT, settledGroup } from "../../lib/journal/SettledGroups.ts"

/** One with a row, under its first term. */
const written = () => {
  const database = new MemoryDatabase()
  const term = database.take(1)
  const first = settledGroup(database, [MINT, MINT])
  database.append(first, GENESIS, term)
  return { database, first: first.group, term }
}

describe("MemoryDatabase", () => {
  it("appends behind its end alone, under the last term", () => {
    const { database, first, term } = written()
    const second = settledGroup(database, [MINT], ["x"])
    expect(() => database.append(second, GENESIS, term)).toThrow(Untrue)
    expect(() => database.append(second, first.end.hash, term - 1n)).toThrow(Untrue)
    database.append(second, first.end.hash, term)
    expect([database.end.seq, database.isAppended(first.end)]).toEqual([3, true])
    database.cut(1)
    expect([database.end, database.isAppended(second.group.end)]).toEqual([first.end, false])
  })

  it("moves its tables once from where they stand, to a row that is there", () => {
    const { database, first, term } = written()
    expect(() => database.project([first], 0, { ...first.end, hash: GENESIS }, term)).toThrow(Untrue)
    expect(() => database.project([first], 0, first.end, term + 1n)).toThrow(Untrue)
    database.project([first], 0, first.end, term)
    expect(() => database.project([first], 0, first.end, term)).toThrow(Untrue)
    expect([database.tables.seq, database.tables.events.length]).toEqual([2, 2])
    database.prune(first.end.seq)
    expect([database.journal.length, database.isAppended(first.end), database.end]).toEqual([0, true, first.end])
  })

  it("lets whoever takes the term wait for a statement that has begun", () => {
    const { database } = written()
    const done: Array<string> = []
    const end = database.begin(() => void done.push("statement"))
    expect([database.take(2), database.holder, done]).toEqual([2n, 2, ["statement"]])
    end()
    expect(done.length).toBe(1)
  })
})
