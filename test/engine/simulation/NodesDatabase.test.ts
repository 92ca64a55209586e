import { describe, expect, it } from "bun:test"
import { Untrue } from "../../../engine/simulation/MemoryDatabase.ts"
import { NodesDatabase } from "../../../engine/simulation/NodesDatabase.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { MINT, settledGroup } from "../../lib/journal/SettledGroups.ts"

const heard = () => {
  const told: Array<string> = []
  const database = new NodesDatabase(link, {
    appending: ({ firstSeq }, { end }) => void told.push(`row ${firstSeq} behind ${end.seq}`),
    taken: (holder, { term }) => void told.push(`term ${term} of ${holder}`),
    projected: ({ tables }) => void told.push(`tables at ${tables.seq}`)
  })
  return { database, told }
}

describe("NodesDatabase", () => {
  it("tells at once what is done in it", () => {
    const { database, told } = heard()
    const term = database.take(1)
    const { group, rows } = settledGroup(database, [MINT], [])
    database.append({ group, rows }, database.end.hash, term)
    database.project([group], 0, group.end, term)
    expect(told).toEqual(["term 1 of 1", "row 1 behind 0", "tables at 1"])
  })

  it("knows who takes requests, until another one takes the term", () => {
    const { database } = heard()
    database.take(1)
    database.serve(2)
    expect(database.serving).toBe(0)
    database.serve(1)
    database.take(1)
    expect(database.serving).toBe(1)
    database.take(2)
    expect(database.serving).toBe(0)
  })

  it("keeps an answer once, under the last term alone", () => {
    const { database } = heard()
    const term = database.take(1)
    const kept = { seq: 0, fingerprint: "f", status: 422, body: "", at: 1 }
    database.keep("k", kept, term)
    database.keep("k", { ...kept, status: 200 }, term)
    expect(database.tables.kept("k")?.status).toBe(422)
    expect(() => database.keep("l", kept, term - 1n)).toThrow(Untrue)
  })
})
