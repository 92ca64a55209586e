import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { inTurns, TURN } from "../../../src/database/InTurns.ts"
import { property } from "../../lib/Property.ts"

type Seen = number | "others"

/**
 * Does steps that take so many nanoseconds each. Others ask for a turn at the end of each part of the work, and take so many
 * for it.
 */
const played = async (costs: ReadonlyArray<bigint>, others = 0n) => {
  let now = 7n
  const seen: Array<Seen> = []
  const parts: Array<bigint> = []
  const steps = function* (): Generator<number> {
    for (const [index, cost] of costs.entries()) {
      now += cost
      seen.push(index)
      yield index
    }
  }
  const spent = (nanos: bigint): void => {
    parts.push(nanos)
    setImmediate(() => {
      now += others
      seen.push("others")
    })
  }
  const act = (index: number) => Effect.succeed(-index)
  const done = await Effect.runPromise(inTurns(steps(), { now: () => now, spent }, act))
  return { done, parts, seen: [...seen] }
}

/** What is seen, and the time of each part, by adding up. */
const expected = (costs: ReadonlyArray<bigint>, others: bigint) => {
  const seen: Array<Seen> = []
  const parts: Array<bigint> = []
  let part = 0n
  let turn = TURN
  for (const [index, cost] of costs.entries()) {
    seen.push(index)
    part += cost
    if (part < turn) continue
    seen.push("others")
    parts.push(part)
    part = 0n
    turn = others / 4n > TURN ? others / 4n : TURN
  }
  return { done: costs.map((_, index) => -index), parts: [...parts, part], seen }
}

describe("work in turns", () => {
  it("does every step in order, and lets others in once the steps since their last turn took long", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt({ min: 0n, max: 2n * TURN }), { maxLength: 12 }),
        fc.bigInt({ min: 0n, max: 20n * TURN }),
        async (costs, others) => expect(await played(costs, others)).toEqual(expected(costs, others))
      ),
      property()
    ))

  it("counts steps together that are short", async () => {
    const { seen } = await played([TURN, 0n, TURN - 1n, 1n, 5n])
    expect(seen).toEqual([0, "others", 1, 2, 3, "others", 4])
  })
})
