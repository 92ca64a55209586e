import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { BenchPostgres } from "../../../scripts/bench/BenchPostgres.ts"
import { lagOf, untilProjected } from "../../../scripts/bench/ProjectionLag.ts"

/** A database whose tables show so many of 9 entries, one look after the other; none where they need not follow. */
const database = (shown: ReadonlyArray<number>): BenchPostgres => {
  const left = [...shown]
  const query = (_: string, statement: string) =>
    Effect.sync(() =>
      statement.includes("to_regclass")
        ? [{ found: shown.length > 0 }]
        : [{ head: "9", projected: String(left.length > 1 ? left.shift() : left[0]) }]
    )
  return { query } as Partial<BenchPostgres> as BenchPostgres
}

const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromise(effect)

describe("lagOf", () => {
  it("tells the last durable entry and the last that tables show", async () => {
    expect(await run(lagOf(database([7]), "any"))).toEqual({ head: 9, projected: 7 })
  })

  it("tells nothing where tables are written with the journal", async () => {
    expect(await run(lagOf(database([]), "any"))).toBeUndefined()
    expect(await run(untilProjected(database([]), "any"))).toBeUndefined()
  })
})

describe("untilProjected", () => {
  it("waits until what was durable is shown", async () => {
    const postgres = database([7, 8, 9])
    expect(await run(untilProjected(postgres, "any"))).toBeGreaterThan(0)
    expect(await run(lagOf(postgres, "any"))).toEqual({ head: 9, projected: 9 })
  })
})
