import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Result } from "effect"
import fc from "fast-check"
import {
  creditCommands,
  creditsOf,
  creditsStream,
  periodOf,
  priceOf
} from "../../../../engine/bots/EvaluationCredits.ts"
import type { CreditsGranted } from "../../../../engine/bots/EvaluationCreditsEvent.ts"
import { walletOf } from "../../../../engine/ledger/Funding.ts"
import { ZERO } from "../../../../engine/money/Amount.ts"
import { CompanyCredits } from "../../../../src/bots/credits/CompanyCredits.ts"
import type { Payer } from "../../../../engine/bots/Charging.ts"
import type { ListedMovement } from "../../../../src/bots/credits/CreditsRepository.ts"
import { writeEntry } from "../../../../src/database/EntryWriting.ts"
import { Funds } from "../../../../src/funds/Funds.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { runs } from "../../../lib/Property.ts"
import { NO_FINDINGS, replayFindings } from "../../../lib/RecordedState.ts"
import { credits, decideOnce, makeBot } from "../../../lib/CreditsFixture.ts"
import { TestServer } from "../../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const MONTH = 31 * 86_400_000

const ask = fc.record({
  bot: fc.nat(2),
  /** Credits that are bought; 0 evaluates. */
  bought: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 5 })),
  /** Whether it is decided in the next month, at once with the others. */
  late: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true))
})

const races = fc.record({
  free: fc.integer({ min: 1, max: 6 }),
  /** Whether the next month brings the credits of a plan. */
  isPaid: fc.boolean(),
  cents: fc.nat(30),
  bots: fc.array(fc.record({ budget: fc.nat(12), autoTopUp: fc.boolean() }), { minLength: 1, maxLength: 3 }),
  asked: fc.array(ask, { minLength: 1, maxLength: 25, size: "max" })
})

type Race = typeof races extends fc.Arbitrary<infer A> ? A : never

/** A company with so many free credits, its bots, and so many cents. */
const companyOf = Effect.fnUntraced(function* ({ bots, cents, free, isPaid }: Race) {
  const server = yield* Server
  const user = yield* server.user()
  const { companyId } = user
  if (cents > 0) yield* server.mint(user.id, priceOf(credits(cents)))
  const at = server.world.now
  const event: CreditsGranted = { _tag: "CreditsGranted", at, companyId, period: periodOf(at), credits: credits(free) }
  const entry = { commands: creditCommands(event), event }
  yield* server.run(writeEntry({ stream: creditsStream(companyId), version: 0, entry }))
  const as = yield* server.admin
  if (isPaid) yield* server.request("PUT", `/v1/companies/${companyId}/plan`, { plan: "pro" }, { as })
  const made = yield* Effect.forEach(bots, ({ autoTopUp, budget }) => makeBot(server, user, budget, autoTopUp))
  return { user, bots: made }
})

const anyOrder = Effect.gen(function* () {
  const server = yield* Server
  const path = "/api/arena/orders"
  const { json } = yield* server.get<{ readonly orders: ReadonlyArray<{ readonly order_id: string }> }>(
    path,
    yield* server.admin
  )
  return json.orders[0]?.order_id ?? ""
})

const sum = (movements: ReadonlyArray<ListedMovement>, of: "free" | "paid" | "usd"): bigint =>
  movements.reduce((total, movement) => total + movement[of], 0n)

/** Free credits are gone wherever paid ones were taken. */
const freeFirst = (movements: ReadonlyArray<ListedMovement>): void => {
  let free = 0n
  for (const movement of movements) {
    free += movement.free
    expect(free >= 0n).toBe(true)
    if (movement.kind === "charge" && movement.paid < 0n) expect(free).toBe(0n)
  }
}

/** What a bot used, and what it bought by itself, in each month. */
const withinBudget = ({ botId, creditBudget }: Payer, movements: ReadonlyArray<ListedMovement>): void => {
  const own = Map.groupBy(
    movements.filter((movement) => movement.botId === botId),
    ({ period }) => period
  )
  for (const month of own.values()) {
    const charges = month.filter(({ kind }) => kind === "charge")
    const automatic = month.filter(({ automatic }) => automatic)
    expect(-sum(charges, "free") - sum(charges, "paid") <= creditBudget).toBe(true)
    expect(sum(automatic, "paid") <= creditBudget).toBe(true)
  }
}

const race = Effect.fnUntraced(function* (given: Race, order: string) {
  const server = yield* Server
  const companyCredits = server.service(CompanyCredits)
  const { bots, user } = yield* companyOf(given)
  const now = server.world.now
  const answers = yield* Effect.forEach(
    given.asked,
    ({ bot: which, bought, late }, index) => {
      const bot = bots[which % bots.length]
      if (bot === undefined) return Effect.succeed("none" as const)
      if (bought > 0) {
        const topUp = companyCredits.topUp(bot, priceOf(credits(bought)), () => undefined)
        return Effect.map(Effect.result(topUp), (result) => (Result.isSuccess(result) ? "bought" : "refused"))
      }
      const decided = decideOnce(server, bot, order, `dec_${bot.botId}_${index}`, late ? now + MONTH : now)
      return Effect.map(decided, (event) => (event === undefined ? "gone" : "charged"))
    },
    { concurrency: "unbounded" }
  )
  const { movements: newest } = yield* companyCredits.movements(
    { companyId: user.companyId },
    { limit: 200, offset: 0 }
  )
  const movements = newest.toReversed()
  const accounts = [creditsOf(user.companyId, "free"), creditsOf(user.companyId, "paid"), walletOf(user.id, "USD")]
  const found = yield* server.service(Funds).accounts(accounts)
  const [free, paid, usd] = accounts.map((id) => found.get(id) ?? { balance: ZERO, held: ZERO })
  expect([free?.held, paid?.held]).toEqual([ZERO, ZERO])
  expect([sum(movements, "free"), sum(movements, "paid")]).toEqual([free?.balance ?? ZERO, paid?.balance ?? ZERO])
  expect(sum(movements, "usd")).toBe(priceOf(credits(given.cents)) - (usd?.balance ?? 0n))
  const charges = movements.filter(({ kind }) => kind === "charge")
  expect(charges).toHaveLength(answers.filter((answer) => answer === "charged").length)
  expect(new Set(charges.map(({ chargeId }) => chargeId)).size).toBe(charges.length)
  freeFirst(movements)
  for (const bot of bots) withinBudget(bot, movements)
})

describe("Credits of one company", () => {
  it(
    "are conserved, free ones first and within budgets, whoever asks for them at once, in whichever month",
    () =>
      Effect.gen(function* () {
        const server = yield* Server
        yield* server.tick()
        const order = yield* anyOrder
        for (const given of fc.sample(races, Math.ceil(runs() / 25))) yield* race(given, order)
        expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
      }),
    60_000
  )

  it("let 50 bots begin a month at once", () =>
    Effect.gen(function* () {
      const server = yield* Server
      yield* server.tick()
      const order = yield* anyOrder
      const { user } = yield* companyOf({ free: 6, isPaid: true, cents: 0, bots: [], asked: [] })
      const bots = yield* Effect.forEach(Array.from({ length: 50 }), () => makeBot(server, user, 10))
      const at = server.world.now + MONTH
      const decided = yield* Effect.forEach(bots, (bot) => decideOnce(server, bot, order, `dec_${bot.botId}`, at), {
        concurrency: "unbounded"
      })
      expect(decided.filter((event) => event?.charge?.free === credits(1))).toHaveLength(50)
    }))
})
