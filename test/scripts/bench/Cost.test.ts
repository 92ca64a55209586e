import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { BenchPostgres } from "../../../scripts/bench/BenchPostgres.ts"
import { costRows, loggedRows, wholeRows, withCost } from "../../../scripts/bench/Cost.ts"

/** A server with connections of this process, whose log grows by 1,000 bytes from look to look. */
const server = (connections: ReadonlyArray<ReadonlyArray<number>>): BenchPostgres => {
  const looks = connections.map((pids, look) => pids.map((pid) => ({ pid, logged: String(look * 1_000) })))
  return { query: () => Effect.sync(() => looks.shift() ?? []) } as Partial<BenchPostgres> as BenchPostgres
}

const side = { pid: process.pid, database: "any" }

const measured = (connections: ReadonlyArray<ReadonlyArray<number>>) =>
  Effect.runPromise(withCost(server(connections), side, Effect.succeed({ answered: 10 })))

describe("withCost", () => {
  it("tells what one of the things took, and what PostgreSQL wrote for it", async () => {
    const { answered, logged, postgres, program } = await measured([[process.pid], [process.pid]])
    expect(answered).toBe(10)
    expect(logged).toBe(100)
    for (const micros of [program, postgres]) expect(micros >= 0 || Number.isNaN(micros)).toBe(true)
  })

  it("counts all of a connection that comes meanwhile, and nothing of one that is gone", async () => {
    const { postgres: come } = await measured([[2 ** 30], [process.pid, 2 ** 30]])
    const { postgres: stayed } = await measured([
      [process.pid, 2 ** 30],
      [process.pid, 2 ** 30]
    ])
    expect(come > stayed || (Number.isNaN(come) && Number.isNaN(stayed))).toBe(true)
  })
})

describe("the rows of costs", () => {
  const cost = { answered: 1, program: 100, postgres: 30, logged: 700 }
  const target = { bound: 110, at: "most" } as const

  it("tell both sides, with targets where there are some", () => {
    const targets = { program: target, postgres: target }
    const rows = costRows({ key: "b", program: "server", targets }, [cost], [{ ...cost, postgres: 90 }])
    expect(rows.map(({ ours, peer }) => [ours.median, peer?.median])).toEqual([
      [100, 100],
      [30, 90]
    ])
    expect(rows.map((row) => row.target)).toEqual([target, target])
    expect(loggedRows("b", [cost], [cost])[0]).toMatchObject({ unit: "B", ours: { median: 700 } })
  })

  it("judge all that one takes by each round's own ratio, what runs beside the process among it", () => {
    const ours = [
      { ...cost, beside: 26 },
      { ...cost, program: 200, beside: 30 },
      { ...cost, beside: 0 }
    ]
    const peer = [cost, { ...cost, program: 170 }, { ...cost, program: 70 }]
    const [row] = wholeRows("v", ours, peer, target)
    expect([row?.ours.median, row?.peer?.median, row?.ratio?.median]).toEqual([156, 130, 1.3])
    expect(row?.target).toEqual(target)
  })

  it("are none where the system tells no processor time", () => {
    const unknown = { ...cost, program: Number.NaN, postgres: Number.NaN }
    expect(wholeRows("v", [unknown], [cost], target)).toEqual([])
    expect(costRows({ key: "b", program: "server" }, [unknown], [unknown])).toEqual([])
  })
})
