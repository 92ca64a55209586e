import { describe, expect, it } from "bun:test"
import { FoldedDatabase, LEDGER_TABLES } from "../../../engine/simulation/FoldedDatabase.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { MINT, settledGroup } from "../../lib/journal/SettledGroups.ts"

const written = () => {
  const database = new FoldedDatabase(link, LEDGER_TABLES)
  const term = database.take(1)
  const { group, rows } = settledGroup(database, [MINT, { ...MINT, act: "hold" }], [])
  database.append({ group, rows }, database.end.hash, term)
  return { database, project: () => database.project([group], 0, group.end, term) }
}

describe("FoldedDatabase", () => {
  it("finds that its tables are what the journal leaves, as far as they are", () => {
    const { database, project } = written()
    expect(database.problem()).toBeUndefined()
    project()
    expect([database.tables.seq, database.problem()]).toEqual([2, undefined])
  })

  it("says what differs", () => {
    const { database, project } = written()
    project()
    database.tables.claims.set("another", 1)
    expect(database.problem()).toContain("another")
    database.tables.seq = 1
    expect(database.problem()).toBe("the tables stand at 1, within a row or before another")
    database.tables.seq = 9
    expect(database.problem()).toContain("behind the journal's end 2")
  })

  it("leaves the tables as they were where a step fails, and goes back to an older copy", () => {
    const { database, project } = written()
    project()
    const failing = () =>
      database.transact((tables) => {
        tables.seq = 7
        throw new Error("no")
      })
    expect(failing).toThrow("no")
    expect(database.tables.seq).toBe(2)
    database.revert(1)
    expect([database.end.seq, database.tables.seq, database.problem()]).toEqual([0, 0, undefined])
  })
})
