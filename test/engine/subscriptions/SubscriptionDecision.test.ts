import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { INTERVALS } from "../../../engine/subscriptions/Period.ts"
import { dueAt, priceOf } from "../../../engine/subscriptions/Subscription.ts"
import { cancel, commandsOf, create, LONGEST_AHEAD, renew } from "../../../engine/subscriptions/SubscriptionDecision.ts"
import { property } from "../../lib/Property.ts"
import { BUYER, DAY, SELLER, START, SubscriptionScenario, TERMS } from "../../lib/SubscriptionScenario.ts"

const faultOf = (change: object, at = START) => {
  const decided = create({ ...TERMS, ...change }, at)
  return Result.isFailure(decided) ? decided.failure.field : undefined
}
const tagsOf = (play: SubscriptionScenario) => play.events.map(({ _tag }) => _tag.replace("Subscription", ""))
const daysOf = (play: SubscriptionScenario) =>
  play.events.filter(({ _tag }) => _tag === "SubscriptionPaymentFailed").map(({ at }) => (at - START) / DAY)

describe("A subscription", () => {
  it("charges its first period when it is made, and each other on its day", () => {
    const play = new SubscriptionScenario()
    expect(play.create()).toBe(true)
    expect([play.wallet, play.takings, play.stock]).toEqual([975n * ONE, 25n * ONE, 990n * ONE])
    play.pass(27)
    expect(play.charged).toEqual([1])
    play.pass(1)
    expect(play.charged).toEqual([1, 2])
    play.pass(31)
    expect(play.charged).toEqual([1, 2, 3])
    expect(play.state).toMatchObject({ status: "active", nextAt: Date.UTC(2026, 3, 30, 9) })
  })

  it("waits for its start", () => {
    const play = new SubscriptionScenario({ startAt: START + 10 * DAY })
    play.create()
    expect(play.charged).toEqual([])
    play.pass(9)
    expect(play.renew()).toBe(false)
    play.pass(1)
    expect(play.charged).toEqual([1])
  })

  it("is complete after its last period", () => {
    const play = new SubscriptionScenario({ periods: 2, every: "week" })
    play.create()
    play.pass(30)
    expect(play.charged).toEqual([1, 2])
    expect(play.state).toMatchObject({ status: "completed", nextAt: null })
    expect([play.renew(), play.cancel()]).toEqual([false, false])
    const single = new SubscriptionScenario({ periods: 1 })
    single.create()
    expect(single.state?.status).toBe("completed")
  })

  it("keeps its price", () => {
    expect(priceOf(TERMS)).toBe(fromUnits(25n * ONE))
  })

  it("charges every period that was missed, each once, when nobody looked for long", () => {
    const play = new SubscriptionScenario()
    play.create()
    play.now = Date.UTC(2026, 5, 1)
    play.work()
    expect(play.charged).toEqual([1, 2, 3, 4, 5])
    play.work()
    expect(play.takings).toBe(125n * ONE)
  })
})

describe("A failed payment", () => {
  it("is tried again after 1, 3 and 5 days, and then the subscription ends", () => {
    const play = new SubscriptionScenario({ every: "week" }, 25)
    play.create()
    play.pass(20)
    expect(daysOf(play)).toEqual([7, 8, 10, 12])
    expect(tagsOf(play).at(-1)).toBe("Cancelled")
    expect(play.state).toMatchObject({ status: "cancelled", endReason: "payment_failed", nextAt: null })
    expect([play.wallet, play.takings]).toEqual([0n, 25n * ONE])
    play.pay(100)
    play.pass(20)
    expect(play.charged).toEqual([1])
  })

  it("is made good by a later try, and the days stay as they were", () => {
    const play = new SubscriptionScenario({ every: "week" }, 25)
    play.create()
    play.pass(9)
    expect(play.state?.status).toBe("past_due")
    play.pay(100)
    play.pass(1)
    expect(play.charged).toEqual([1, 2])
    expect(play.state).toMatchObject({ status: "active", failures: 0, nextAt: START + 14 * DAY })
  })

  it("is made good by the buyer at any time", () => {
    const play = new SubscriptionScenario({ every: "week" }, 25)
    play.create()
    play.pass(7)
    expect(play.renew()).toBe(false)
    play.pay(25)
    expect(play.renew()).toBe(true)
    expect(play.state).toMatchObject({ status: "active", paidPeriods: 2, failures: 0 })
  })

  it("says whether money, pieces or the account are missing, and moves nothing", () => {
    const play = new SubscriptionScenario({ every: "week" }, 1_000, 10)
    play.create()
    play.pass(7)
    expect(play.events.at(-1)).toMatchObject({ reason: "out_of_stock", failures: 1, period: 2 })
    expect(play.wallet).toBe(975n * ONE)
    play.restock(10)
    play.pass(1, false)
    expect(play.events.at(-1)).toMatchObject({ reason: "account_not_active", failures: 2 })
    play.pass(2)
    expect(play.charged).toEqual([1, 2])
    play.restock(100)
    play.empty()
    play.pass(7)
    expect(play.events.at(-1)).toMatchObject({ reason: "insufficient_funds", period: 3 })
  })
})

describe("cancel", () => {
  it("ends at once, or with the period that was paid", () => {
    const now = new SubscriptionScenario()
    now.create()
    expect(now.cancel()).toBe(true)
    expect(now.state).toMatchObject({ status: "cancelled", endReason: "requested" })
    const later = new SubscriptionScenario()
    later.create()
    expect(later.cancel(true)).toBe(true)
    expect(later.state).toMatchObject({ status: "active", endsAt: Date.UTC(2026, 1, 28, 9) })
    expect([later.cancel(true), later.renew()]).toEqual([false, false])
    later.pass(27)
    expect(later.state?.status).toBe("active")
    later.pass(1)
    expect(later.state).toMatchObject({ status: "cancelled", endReason: "period_end" })
    expect(later.charged).toEqual([1])
  })

  it("ends at once what was not paid, whatever is asked", () => {
    const waiting = new SubscriptionScenario({ startAt: START + DAY })
    waiting.create()
    waiting.cancel(true)
    expect(waiting.state?.status).toBe("cancelled")
    const owed = new SubscriptionScenario({ every: "week" }, 25)
    owed.create()
    owed.pass(8)
    owed.cancel(true)
    expect(owed.state?.status).toBe("cancelled")
  })

  it("is for both sides, and for nobody else", () => {
    const play = new SubscriptionScenario()
    play.create()
    const by = (actor: object) => cancel(play.state!, false, { ...BUYER, at: START, ...actor })
    expect(Result.isSuccess(by(SELLER))).toBe(true)
    expect(by({ companyId: "cmp_other" })).toMatchObject({ failure: { _tag: "NotAllowed" } })
  })
})

describe("renew", () => {
  it("charges the coming period before it is due, and no further", () => {
    const play = new SubscriptionScenario()
    play.create()
    expect(play.renew()).toBe(true)
    expect(play.state?.nextAt).toBe(Date.UTC(2026, 2, 31, 9))
    expect(play.renew()).toBe(false)
    play.pass(28)
    expect(play.charged).toEqual([1, 2])
    expect(play.renew()).toBe(true)
    expect(play.charged).toEqual([1, 2, 3])
  })

  it("is for the one whose wallet pays", () => {
    const play = new SubscriptionScenario()
    play.create()
    expect(renew(play.state!, { userId: "usr_colleague", companyId: BUYER.companyId, at: START })).toMatchObject({
      failure: { _tag: "NotAllowed" }
    })
  })
})

describe("create", () => {
  it("refuses what cannot be agreed on", () => {
    expect(faultOf({})).toBeUndefined()
    expect(faultOf({ seller: BUYER })).toBe("product_id")
    for (const quantity of [0, -1, 1.5, 1_000_001]) expect(faultOf({ quantity })).toBe("quantity")
    expect(faultOf({ quantity: 1_000_000, unitPrice: fromUnits(8_001n * ONE) })).toBe("quantity")
    expect(faultOf({ periods: 0 })).toBe("periods")
    expect(faultOf({ periods: 121 })).toBe("periods")
    expect(faultOf({ periods: 520, every: "week" })).toBeUndefined()
    expect(faultOf({ startAt: START - 1 })).toBe("start")
    expect(faultOf({ startAt: START + LONGEST_AHEAD + 1 })).toBe("start")
  })

  it("needs the first period's money and pieces", () => {
    expect(new SubscriptionScenario({}, 24).create()).toBe(false)
    expect(new SubscriptionScenario({}, 25, 9).create()).toBe(false)
    expect(new SubscriptionScenario({}, 25, 10).create()).toBe(true)
  })
})

const anyAct = fc.oneof(
  fc.record({ act: fc.constant("pass" as const), days: fc.integer({ min: 1, max: 40 }), isActive: fc.boolean() }),
  fc.record({ act: fc.constant("renew" as const) }),
  fc.record({ act: fc.constant("pay" as const), dollars: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ act: fc.constant("restock" as const), pieces: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ act: fc.constant("cancel" as const), atEnd: fc.constantFrom(true, true, false) })
)

describe("Whatever happens", () => {
  it("each period is charged at most once and in turn, and no cent or piece is lost", () => {
    const anyTerms = fc.record({
      every: fc.constantFrom(...INTERVALS),
      periods: fc.option(fc.integer({ min: 1, max: 6 })),
      startAt: fc.integer({ min: 0, max: 20 }).map((days) => START + days * DAY)
    })
    fc.assert(
      fc.property(anyTerms, fc.array(anyAct, { maxLength: 30, size: "max" }), (terms, acts) => {
        const play = new SubscriptionScenario(terms, 60, 25)
        play.create()
        let [dollars, pieces] = [60n, 25n]
        for (const one of acts) {
          if (one.act === "pass") play.pass(one.days, one.isActive)
          if (one.act === "renew") play.renew()
          if (one.act === "cancel") play.cancel(one.atEnd)
          if (one.act === "pay") {
            play.pay(one.dollars)
            dollars += BigInt(one.dollars)
          }
          if (one.act === "restock") {
            play.restock(one.pieces)
            pieces += BigInt(one.pieces)
          }
        }
        const { charged } = play
        expect(charged).toEqual(charged.map((_, index) => index + 1))
        if (terms.periods !== null) expect(charged.length).toBeLessThanOrEqual(terms.periods)
        expect(play.takings).toBe(BigInt(charged.length) * 25n * ONE)
        expect(play.wallet + play.takings).toBe(dollars * ONE)
        expect(play.stock).toBe((pieces - 10n * BigInt(charged.length)) * ONE)
        for (const event of play.events) {
          if (event._tag === "SubscriptionRenewed" && event.userId === null) {
            expect(event.at).toBeGreaterThanOrEqual(dueAt(play.terms, event.period))
          }
        }
      }),
      property()
    )
  })

  it("an event's commands are those of its decision", () => {
    const play = new SubscriptionScenario()
    const made = Result.getOrThrow(create(play.terms, START))
    expect(commandsOf(undefined, made.event)).toEqual(made.commands)
    play.create()
    const renewed = Result.getOrThrow(renew(play.state!, { ...BUYER, at: START }))
    expect(commandsOf(play.state, renewed.event)).toEqual(renewed.commands)
  })
})
