import { describe, expect, it } from "bun:test"
import { NodesAudit } from "../../../engine/simulation/NodesAudit.ts"
import { NodesDatabase } from "../../../engine/simulation/NodesDatabase.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { MINT, settledGroup } from "../../lib/journal/SettledGroups.ts"

/** A world in which process 1 writes, and what is judged of it. */
const judged = () => {
  const audit = new NodesAudit(link, () => 0)
  const database = new NodesDatabase(link, audit)
  const placed: Array<string> = []
  database.take(1)
  audit.writes(1, 0)
  const append = () => {
    const given = settledGroup(database, [MINT], placed)
    database.insert(given.rows.map((row) => ({ ...row, term: database.term })))
    const [recorded] = given.group.settled.recorded
    if (recorded === undefined) throw new Error("nothing was recorded")
    return { ...given, recorded, body: `${recorded.seq} ${recorded.hash}` }
  }
  return { append, audit, database, placed, invariant: () => audit.violation?.invariant }
}

const found = (act: (world: ReturnType<typeof judged>) => void): string | undefined => {
  const world = judged()
  act(world)
  return world.invariant()
}

const done = (body: string) => ({ status: 200, body })
const REFUSED = { status: 422, body: "" }

describe("NodesAudit", () => {
  it("finds a row of an older term, and one that was altered", () => {
    expect(
      found(({ append, database, placed }) => {
        append()
        const { rows } = settledGroup(database, [MINT], placed)
        database.take(2)
        database.insert(rows)
      })
    ).toBe("fence")
    expect(
      found(({ database }) => {
        const { rows } = settledGroup(database, [MINT], [])
        database.insert(rows.map((row) => ({ ...row, term: database.term, hash: new Uint8Array(32) })))
      })
    ).toBe("journal")
  })

  it("finds who takes the term again after another, and who ends without need", () => {
    expect(
      found(({ database }) => {
        database.take(2)
        database.take(1)
      })
    ).toBe("deposed")
    expect(found(({ audit }) => audit.isDeposed(1))).toBe("deposed")
    expect(
      found(({ audit, database }) => {
        database.take(2)
        audit.isDeposed(1)
      })
    ).toBeUndefined()
  })

  it("finds what is told that is not there, twice or out of turn", () => {
    const tell = (change: (hash: string) => string, times: number, seq = 1) =>
      found(({ append, audit, database }) => {
        const { recorded } = append()
        for (let time = 0; time < times; time++) {
          audit.told(1, [{ ...recorded, seq, hash: change(recorded.hash) }], database)
        }
      })
    expect([tell((hash) => hash, 1), tell(() => "", 1), tell((hash) => hash, 2), tell((hash) => hash, 1, 2)]).toEqual([
      undefined,
      "told",
      "told",
      "told"
    ])
  })

  it("finds a follower that tells another row than the next", () => {
    const follow = (times: number, change: object = {}) =>
      found(({ append, audit }) => {
        const { rows } = append()
        audit.follows(2, 0)
        for (let time = 0; time < times; time++) for (const row of rows) audit.followed(2, { ...row, ...change })
      })
    expect([follow(1), follow(2), follow(1, { body: "" })]).toEqual([undefined, "follower", "follower"])
  })

  it("finds acknowledgements before their time, of nothing and of another request", () => {
    const answer = (isTold: boolean, id: string, change = (body: string) => body) =>
      found(({ append, audit, database }) => {
        const { body, recorded } = append()
        if (isTold) audit.told(1, [recorded], database)
        audit.answered(1, id, done(change(body)), database)
      })
    expect(answer(true, "mint0")).toBeUndefined()
    expect(answer(false, "mint0")).toBe("acknowledged")
    expect(answer(true, "mint1")).toBe("acknowledged")
    expect(answer(true, "mint0", () => "1 x")).toBe("acknowledged")
  })

  it("finds a refusal that is there, and an answer that changes", () => {
    expect(
      found(({ append, audit, database }) => {
        append()
        audit.received("mint0", REFUSED, database)
      })
    ).toBe("refused")
    expect(
      found(({ append, audit, database }) => {
        audit.received("mint0", REFUSED, database)
        append()
      })
    ).toBe("refused")
    expect(
      found(({ append, audit, database }) => {
        audit.received("mint0", done(append().body), database)
        audit.received("mint0", REFUSED, database)
      })
    ).toBe("replay")
  })

  it("finds tables that end before the journal, at the end", () => {
    expect(
      found(({ append, audit, database }) => {
        append()
        audit.end(database)
      })
    ).toBe("tables")
  })
})
