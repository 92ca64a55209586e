import { describe, expect } from "bun:test"
import { Deferred, Effect, Exit } from "effect"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { ONE } from "../../../engine/money/Rate.ts"
import { Owners } from "../../../src/identity/users/Owners.ts"
import { type Begun, type Sending, Transfers } from "../../../src/transfers/Transfers.ts"
import { withLayer } from "../../lib/Effects.ts"
import { moneyCommands, playMoney } from "../../lib/MoneyCommands.ts"
import { Money, type MoneyFixture, particulars } from "../../lib/MoneyFixture.ts"
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

const sending = (userId: string, to: string, change: Partial<Sending> = {}): Sending => ({
  userId,
  from: userId,
  to,
  pair: { base: "USD", quote: "USD" },
  quantity: fromUnits(1_000_000n),
  mode: "local",
  worst: null,
  quoteId: null,
  id: undefined,
  ...particulars,
  ...change
})

/** What becomes of a transfer that is to begin without a fiber; undefined where it does not. */
const begun = (fixture: MoneyFixture, wanted: Sending) =>
  Effect.suspend(() => {
    const done = Deferred.makeUnsafe<Begun>()
    const { begin } = fixture.server.service(Transfers)
    return begin(wanted, (outcome) => Deferred.doneUnsafe(done, Exit.succeed(outcome())))
      ? Effect.exit(Effect.flatten(Deferred.await(done)))
      : Effect.undefined
  })

describe("A transfer that is to begin without a fiber", () => {
  it("does, of two owners who are known, with what its sender has; and records its text sealed", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "3" }), yield* fixture.owner({ USD: "3" })]
      yield* fixture.send(bob, ada, "1")
      yield* fixture.send(ada, bob, "1")
      const sent = yield* begun(fixture, sending(ada, bob))
      expect(sent).toMatchObject({ value: { transfer: { sender: ada, recipient: bob, received: 1_000_000n } } })
      expect(JSON.stringify(sent, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain(
        particulars.description
      )
      expect(yield* begun(fixture, sending(ada, bob, { quantity: fromUnits(9_000_000n) }))).toMatchObject(
        Exit.fail({ _tag: "TooLittle", asset: "USD", available: 2_000_000n })
      )
      expect(yield* fixture.balance(bob, "USD")).toBe(4_000_000n)
    }))

  it("answers under its sender's own id what was made first, and sends it once", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "3" }), yield* fixture.owner({ USD: "3" })]
      yield* fixture.send(bob, ada, "1")
      yield* fixture.send(ada, bob, "1")
      const mine = sending(ada, bob, { id: "mine" })
      const answers = yield* Effect.all([begun(fixture, mine), begun(fixture, mine)], { concurrency: "unbounded" })
      expect(answers).toMatchObject([{ value: { repeated: false } }, { value: { repeated: true } }])
      expect(yield* begun(fixture, { ...mine, quantity: fromUnits(2n) })).toMatchObject(
        Exit.fail({ _tag: "IdUsed", id: "mine" })
      )
      // Whatever has changed since.
      const whole = sending(ada, bob, { id: "whole", quantity: fromUnits(2_000_000n) })
      for (const repeated of [false, true]) expect(yield* begun(fixture, whole)).toMatchObject({ value: { repeated } })
      expect([yield* fixture.balance(ada, "USD"), yield* fixture.balance(bob, "USD")]).toEqual([0n, 6_000_000n])
    }))

  it("waits for a fiber, and does nothing, where somebody has to be asked or it is refused", () =>
    Effect.gen(function* () {
      const fixture = yield* Money
      const [ada, bob] = [yield* fixture.owner({ USD: "3" }), yield* fixture.owner({ USD: "3" })]
      yield* fixture.send(bob, ada, "1")
      yield* fixture.send(ada, bob, "1")
      expect(yield* begun(fixture, sending(ada, bob))).toBeDefined()
      const others: ReadonlyArray<Partial<Sending>> = [
        { id: "trf_mine" },
        { from: bob },
        { to: `usr_${"0".repeat(24)}` },
        { to: "ben_1" },
        { to: ada },
        { quoteId: "fxq_1" },
        { mode: "international", pair: { base: "USD", quote: "EUR" } },
        { quantity: fromUnits(0n) },
        { worst: ONE }
      ]
      for (const change of others) {
        expect([change, yield* begun(fixture, sending(ada, bob, change))]).toEqual([change, undefined])
      }
      yield* fixture.server.service(Owners).forget(bob)
      expect(yield* begun(fixture, sending(ada, bob))).toBeUndefined()
      expect(yield* fixture.balance(bob, "USD")).toBe(4_000_000n)
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
