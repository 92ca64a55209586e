import { describe, expect, it } from "bun:test"
import { Effect, Result } from "effect"
import { type Precondition, StaleVersion } from "../../../engine/actor/Journal.ts"
import { MAX_ATTEMPTS } from "../../../engine/actor/StaleRetry.ts"
import { afterEvent, type ChargeStanding, CreditsGone } from "../../../engine/bots/EvaluationCreditsDecision.ts"
import { botStream } from "../../../engine/bots/BotEvent.ts"
import {
  type Buyer,
  chargeStanding,
  companyItself,
  dueBefore,
  goneOn,
  type Payer,
  preparedOn,
  purchase,
  purchaseFor,
  settle,
  settled
} from "../../../engine/bots/Charging.ts"
import { KeyedLock } from "../../../engine/actor/KeyedLock.ts"
import { AUTO_TOP_UP, EVALUATION_PRICE, priceOf } from "../../../engine/bots/EvaluationCredits.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { itEffect } from "../../lib/Effects.ts"

const CREDITS = "credits/cmp_1"

const AT = Date.UTC(2026, 10, 20)

const credits = (whole: number): Amount => fromUnits(BigInt(whole) * ONE)

const payer: Payer = {
  botId: "bot_1",
  companyId: "cmp_1",
  userId: "usr_1",
  creditBudget: credits(1_000),
  autoTopUp: true,
  version: 7
}

const standing = (of: Payer, monthly = 0): ChargeStanding =>
  chargeStanding(
    of,
    {
      credits: { version: 0, granted: null, free: ZERO, paid: ZERO },
      budget: { times: 0, set: ZERO, left: ZERO, toppedUp: ZERO }
    },
    credits(monthly),
    AT
  )

/** Keeps what is written, and refuses events of one kind. */
const world = (monthly: number, refused = "") => {
  const written: Array<string> = []
  const preconditions = new Set<Precondition>()
  return {
    written,
    preconditions,
    standing: (of: Payer) => Effect.succeed(standing(of, monthly)),
    write: (_: ChargeStanding, event: { readonly _tag: string }, on: ReadonlyArray<Precondition>) =>
      Effect.sync(() => {
        for (const precondition of on) preconditions.add(precondition)
        if (event._tag === refused) return false
        written.push(event._tag)
        return true
      })
  }
}

describe("settle", () => {
  itEffect("writes the month, the budget and the top-up, each on the bot as it was known", () =>
    Effect.gen(function* () {
      const taken = world(0)
      const settled = yield* settle(taken, payer, EVALUATION_PRICE, AT)
      expect(taken.written).toEqual(["CreditBudgetSet", "CreditsBought"])
      expect([...taken.preconditions].every(({ stream, version }) => stream === "bot/bot_1" && version === 7)).toBe(
        true
      )
      expect(taken.preconditions.size).toBeGreaterThan(0)
      expect(settled.credits.paid).toBe(AUTO_TOP_UP)
      expect(Result.getOrThrow(preparedOn(settled, "dec_1"))).toMatchObject({
        charge: { chargeId: "dec_1", free: ZERO, paid: EVALUATION_PRICE },
        precondition: { stream: "credits/cmp_1", version: 2 }
      })
    })
  )

  itEffect("says that the USD are gone where the top-up is refused, and is overtaken where another is", () =>
    Effect.gen(function* () {
      const poor = yield* Effect.flip(settle(world(0, "CreditsBought"), payer, EVALUATION_PRICE, AT))
      expect(poor).toEqual(new CreditsGone({ botId: "bot_1", cause: "usd" }))
      const overtaken = yield* Effect.flip(settle(world(2, "CreditsGranted"), payer, EVALUATION_PRICE, AT))
      expect(overtaken).toEqual(new StaleVersion({ stream: "credits/cmp_1", expected: 0, actual: 0 }))
    })
  )

  itEffect("writes for a company itself its month alone", () =>
    Effect.gen(function* () {
      const taken = world(2)
      yield* settle(taken, companyItself(payer), ZERO, AT)
      expect(taken.written).toEqual(["CreditsGranted"])
      expect(taken.preconditions.size).toBe(0)
    })
  )
})

/** Others of the company write so many times before this one does. */
const busy = (others: number) => {
  const taken = world(0)
  const tries = { count: 0, atOnce: 0, most: 0 }
  return {
    tries,
    written: taken.written,
    world: {
      ...taken,
      write: (on: ChargeStanding, event: { readonly _tag: string }, preconditions: ReadonlyArray<Precondition>) =>
        Effect.gen(function* () {
          tries.atOnce += 1
          tries.most = Math.max(tries.most, tries.atOnce)
          yield* Effect.yieldNow
          tries.atOnce -= 1
          tries.count += 1
          if (tries.count <= others) return yield* new StaleVersion({ stream: CREDITS, expected: 0, actual: 1 })
          return yield* taken.write(on, event, preconditions)
        })
    }
  }
}

describe("settled", () => {
  itEffect("decides anew while others of the company come first, one of it at a time", () =>
    Effect.gen(function* () {
      const { tries, world: taken, written } = busy(3)
      const locks = new KeyedLock()
      const one = settled(taken, locks, payer, EVALUATION_PRICE, AT)
      const [first, second] = yield* Effect.all([one, one], { concurrency: "unbounded" })
      expect([first.credits.paid, second.credits.paid]).toEqual([AUTO_TOP_UP, AUTO_TOP_UP])
      expect(written).toEqual(["CreditBudgetSet", "CreditsBought", "CreditBudgetSet", "CreditsBought"])
      expect([tries.most, locks.size]).toEqual([1, 0])
    })
  )

  itEffect("gives up after as many attempts as anybody, and where the bot is another at once", () =>
    Effect.gen(function* () {
      const { tries, world: taken } = busy(Number.MAX_SAFE_INTEGER)
      const late = yield* Effect.flip(settled(taken, new KeyedLock(), payer, EVALUATION_PRICE, AT))
      expect([late, tries.count]).toMatchObject([{ stream: CREDITS }, MAX_ATTEMPTS])
      const other = new StaleVersion({ stream: "bot/bot_1", expected: 7, actual: 8 })
      let writes = 0
      const write = () => Effect.suspend(() => ((writes += 1), Effect.fail(other)))
      const changed = settled({ ...world(0), write }, new KeyedLock(), payer, EVALUATION_PRICE, AT)
      expect([yield* Effect.flip(changed), writes]).toEqual([other, 1])
    })
  )

  itEffect("writes nothing where nothing is due", () =>
    Effect.gen(function* () {
      const { tries, world: taken } = busy(0)
      const { credits: of } = yield* settled(taken, new KeyedLock(), companyItself(payer), ZERO, AT)
      expect([of.paid, tries.count]).toEqual([ZERO, 0])
    })
  )
})

describe("purchase", () => {
  itEffect("settles the company's month, and names what is bought by its place", () =>
    Effect.gen(function* () {
      const taken = world(2)
      const bought = purchase(taken, new KeyedLock(), payer, priceOf(credits(5)), (on, event) =>
        Effect.succeed([on.credits.version, event.topUpId, event.credits])
      )
      expect(yield* bought).toEqual([1, "top_cmp_1_2", credits(5)])
      expect(taken.written).toEqual(["CreditsGranted"])
    })
  )

  itEffect("buys no part of a credit, and decides anew where another of the company came first", () =>
    Effect.gen(function* () {
      let tries = 0
      const write = () => {
        tries += 1
        return tries === 1
          ? Effect.fail(new StaleVersion({ stream: CREDITS, expected: 0, actual: 1 }))
          : Effect.succeed(true)
      }
      const buy = (usd: Amount) => purchase(world(0), new KeyedLock(), payer, usd, write)
      expect(yield* buy(fromUnits(1n))).toBeUndefined()
      expect(tries).toBe(0)
      expect(yield* buy(priceOf(credits(5)))).toBe(true)
      expect(tries).toBe(2)
    })
  )
})

describe("purchaseFor", () => {
  const bot = { ...payer, version: 1, isTerminated: false }

  itEffect("writes only where nobody wrote for the bot since, and buys nothing once it is terminated", () =>
    Effect.gen(function* () {
      let now: Buyer = bot
      const asked: Array<ReadonlyArray<Precondition>> = []
      const write = (_on: unknown, _event: unknown, preconditions: ReadonlyArray<Precondition>) => {
        asked.push(preconditions)
        now = { ...bot, version: 2, isTerminated: true }
        return Effect.fail(new StaleVersion({ stream: botStream(payer.botId), expected: 1, actual: 2 }))
      }
      const read = Effect.sync(() => now)
      const refused = yield* Effect.flip(purchaseFor(world(0), new KeyedLock(), read, priceOf(credits(5)), write))
      expect(refused).toMatchObject({ _tag: "BotEnded", botId: payer.botId, code: "conflict" })
      expect(asked).toEqual([[{ stream: botStream(payer.botId), version: 1 }]])
    })
  )
})

describe("goneOn", () => {
  it("counts what a top-up that is due would take of the user's USD", () => {
    const due = priceOf(AUTO_TOP_UP)
    expect(goneOn(standing(payer), AT, due)).toBeUndefined()
    expect(goneOn(standing(payer), AT, fromUnits(due - 1n))).toMatchObject({ cause: "usd" })
  })

  it("says what is missing where none is bought, and nothing where the month's credits come", () => {
    const plain = { ...payer, autoTopUp: false }
    expect(goneOn(standing(plain), AT, ZERO)).toMatchObject({ cause: "credits" })
    expect(goneOn(standing({ ...plain, creditBudget: ZERO }, 2), AT, ZERO)).toMatchObject({ cause: "budget" })
    expect(goneOn(standing(plain, 2), AT, ZERO)).toBeUndefined()
  })
})

describe("dueBefore", () => {
  it("names a top-up by its place in the company's stream", () => {
    const [budget, bought] = dueBefore(standing(payer), EVALUATION_PRICE, AT)
    expect(budget?._tag).toBe("CreditBudgetSet")
    expect(bought).toMatchObject({ _tag: "CreditsBought", topUpId: "top_cmp_1_1" })
    const next = budget === undefined ? standing(payer) : afterEvent(standing(payer), budget)
    expect(dueBefore(next, EVALUATION_PRICE, AT)[0]).toMatchObject({ topUpId: "top_cmp_1_2" })
  })
})
