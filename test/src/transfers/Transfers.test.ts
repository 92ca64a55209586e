import { describe, expect } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { withLayer } from "../../lib/Effects.ts"
import { moneyCommands, playMoney } from "../../lib/MoneyCommands.ts"
import { Money } from "../../lib/MoneyFixture.ts"
import { runs } from "../../lib/Property.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"

const it = withLayer(Money.layer())

describe("Any sequence of transfers and withdrawals, concurrent ones included", () => {
  it("moves what was answered and nothing else, and enriches nobody", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const property = fc.asyncProperty(moneyCommands(6), (groups) => run(playMoney(fixture, groups)))
      yield* Effect.promise(() => fc.assert(property, { numRuns: Math.max(2, Math.floor(runs() / 40)) }))
      expect(yield* fixture.isBalanced).toBe(true)
      expect(yield* replayFindings(fixture.server)).toEqual(NO_FINDINGS)
    }))
})

describe("Fifty that race", () => {
  it("take exactly what there is, whoever they send it to", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "12.25" }), yield* fixture.owner()]
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => fixture.send(ada, bob, "0.5")),
        { concurrency: "unbounded" }
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(24)
      expect([yield* fixture.balance(ada, "USD"), yield* fixture.balance(bob, "USD")]).toEqual([250_000n, 12_000_000n])
    }))

  it("under one id make one transfer, and those that ask for another are refused", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "100" }), yield* fixture.owner()]
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, (_, index) => fixture.send(ada, bob, `${1 + (index % 2)}`, { id: "one" })),
        { concurrency: "unbounded" }
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(25)
      expect([1_000_000n, 2_000_000n]).toContain(yield* fixture.balance(bob, "USD"))
    }))
})
