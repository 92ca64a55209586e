import { describe, expect, it } from "bun:test"
import type { CreditsLapsed, EvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { type Amount, ONE } from "../../../engine/money/Amount.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { asked, BotCase, budgeted, FEBRUARY, granted, lifecycle, made, moved, CASE_BOT } from "../../lib/BotCases.ts"

const of = { at: FEBRUARY, companyId: "cmp_1", period: "2027-02" }

const bought = (credits: Amount, cost: Amount, automatic: boolean): EvaluationCreditsEvent => ({
  ...of,
  _tag: "CreditsBought",
  topUpId: "top_1",
  botId: CASE_BOT,
  userId: "usr_1",
  usd: cost,
  credits,
  automatic
})

const botCase = () => new BotCase().tell(made, lifecycle("BotStarted")).count(granted, budgeted)

describe("CreditsAudit", () => {
  it("finds nothing in free credits that go before paid ones, within a budget", () => {
    const told = botCase()
      .tell(asked("one", ONE, 0n), asked("two", ONE, 0n))
      .count(bought(usd("1"), usd("0.01"), true))
      .tell(asked("three", 0n, ONE))
    expect(told.found).toEqual([])
    expect(told.credits.balance("cmp_1/CREDITS/credits_free")).toBe(0n)
    expect(told.credits.balance("cmp_1/CREDITS/credits_paid")).toBe(0n)
    expect(told.credits.balance("cmp_1/USD/wallet")).toBeUndefined()
  })

  it("sees paid credits that are taken before free ones, and a charge that is not one credit", () => {
    expect(botCase().tell(asked("one", 0n, ONE)).found).toContain("free_first")
    expect(botCase().tell(asked("one", ONE, ONE)).found).toContain("charge")
    expect(botCase().tell({ ...asked("one", ONE, 0n), charge: null }).found).toContain("charge")
  })

  it("sees a charge that is taken twice", () => {
    const one = asked("one", ONE, 0n)
    expect(botCase().tell(one, { ...asked("two", ONE, 0n), charge: one.charge }).found).toContain("charge")
  })

  it("sees what goes beyond a budget", () => {
    const paid = botCase().count(bought(usd("9"), usd("0.09"), false))
    expect(paid.tell(asked("a", ONE, 0n), asked("b", ONE, 0n), asked("c", 0n, ONE)).found).toEqual([])
    expect(paid.tell(asked("d", 0n, ONE)).found).toContain("budget")
  })

  it("sees a second grant in a month, another amount, and credits that outlive their month", () => {
    expect(botCase().count(granted).found).toContain("grant")
    expect(new BotCase().count({ ...granted, credits: usd("3") }).found).toContain("grant")
    const march = { at: FEBRUARY + 28 * 86_400_000, companyId: "cmp_1", period: "2027-03" }
    expect(botCase().count({ ...granted, ...march }).found).toContain("lapse")
    expect(botCase().tell(asked("one", ONE, 0n, march.at)).found).toContain("lapse")
    const lapsed: CreditsLapsed = { ...of, at: march.at, _tag: "CreditsLapsed", credits: usd("2") }
    expect(botCase().count(lapsed, { ...granted, ...march }).found).toEqual([])
    expect(botCase().count({ ...lapsed, credits: usd("1") }).found).toContain("lapse")
    expect(botCase().count({ ...lapsed, at: march.at - 1 }).found).toContain("lapse")
  })

  it("sees top-ups at another price, without need or beyond the budget", () => {
    expect(botCase().count(bought(usd("2"), usd("0.01"), false)).found).toContain("topup")
    expect(botCase().count(bought(usd("1"), usd("0.01"), true)).found).toContain("topup")
    const ended = botCase().tell(moved("BotTerminated", 2, usd("1000")))
    expect(ended.count(bought(usd("1"), usd("0.01"), false)).found).toEqual(["topup"])
    const used = botCase().tell(asked("one", ONE, 0n), asked("two", ONE, 0n))
    expect(used.count(bought(usd("2"), usd("0.02"), true)).found).toContain("budget")
  })

  it("sees a budget that is not what its owner said", () => {
    expect(new BotCase().tell(made).count({ ...budgeted, after: usd("4") }).found).toContain("budget")
    expect(new BotCase().tell(made).count({ ...budgeted, times: 2 }).found).toContain("budget")
  })
})
