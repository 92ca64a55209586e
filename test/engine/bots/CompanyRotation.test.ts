import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { CompanyRotation } from "../../../engine/bots/CompanyRotation.ts"
import { itEffect } from "../../lib/Effects.ts"

/** How many work at the same time at most. */
const most = (companies: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const turns = new CompanyRotation()
    const count = { now: 0, most: 0 }
    const work = Effect.gen(function* () {
      count.now += 1
      count.most = Math.max(count.most, count.now)
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      count.now -= 1
    })
    yield* Effect.forEach(companies, (companyId) => turns.take(companyId, work), { concurrency: "unbounded" })
    expect(turns.size).toBe(0)
    return count.most
  })

describe("CompanyRotation", () => {
  itEffect("lets one at a time into each company, and keeps nothing of those that are empty", () =>
    Effect.gen(function* () {
      expect(yield* most(["one", "one", "one"])).toBe(1)
      expect(yield* most(["one", "two", "three"])).toBe(3)
    })
  )

  itEffect("goes on after one that failed", () =>
    Effect.gen(function* () {
      const turns = new CompanyRotation()
      expect((yield* Effect.exit(turns.take("one", Effect.fail("no"))))._tag).toBe("Failure")
      expect(yield* turns.take("one", Effect.succeed("yes"))).toBe("yes")
    })
  )
})
