import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { BotDecided } from "../../../engine/bots/BotEvent.ts"
import {
  beforeCharge,
  type BudgetStanding,
  type ChargeStanding,
  purchaseOf
} from "../../../engine/bots/EvaluationCreditsDecision.ts"
import { evaluate } from "../../../engine/bots/Evaluation.ts"
import { creditCommands, creditsStream, EVALUATION_PRICE } from "../../../engine/bots/EvaluationCredits.ts"
import type { Charge, EvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { decodeEvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { EvaluationCreditsReplay } from "../../../engine/replay/EvaluationCreditsReplay.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { inputs } from "../../lib/BotArbitraries.ts"

const credits = (whole: number): Amount => fromUnits(BigInt(whole) * ONE)

const AT = Date.UTC(2026, 10, 5)
const NEXT_MONTH = Date.UTC(2026, 11, 1)

const standing = (given: Partial<ChargeStanding["credits"]>, budget: Partial<BudgetStanding> = {}): ChargeStanding => ({
  credits: { companyId: "cmp", version: 0, monthly: credits(2), granted: null, free: ZERO, paid: ZERO, ...given },
  budget: {
    botId: "bot",
    userId: "usr",
    monthly: credits(5),
    autoTopUp: true,
    period: "2026-11",
    times: 0,
    set: ZERO,
    left: ZERO,
    toppedUp: ZERO,
    ...budget
  }
})

const charge = (chargeId: string, free: number, paid: number, period = "2026-11"): Charge => ({
  chargeId,
  companyId: "cmp",
  botId: "bot",
  period,
  free: credits(free),
  paid: credits(paid)
})

const decided = (taken: Charge, at = AT): BotDecided => {
  const [input] = fc.sample(inputs, 1)
  if (input === undefined) throw new Error("no input")
  const of = { at, by: null, botId: taken.botId, decisionId: taken.chargeId, orderId: "ord_1", dryRun: true }
  return { _tag: "BotDecided", ...of, input, decision: evaluate(input), charge: taken }
}

/** A replay, and the rows that it put. */
class Played {
  readonly rows: Array<StateRow> = []
  readonly replay: EvaluationCreditsReplay
  #seq = 0

  constructor(history = false) {
    this.replay = new EvaluationCreditsReplay({ history, put: (row) => this.rows.push(row) })
  }

  take(event: EvaluationCreditsEvent, stream = creditsStream("cmp")) {
    this.#seq += 1
    const stored = this.#stored(stream, event._tag, encodeEvent(event))
    const read = decodeEvaluationCreditsEvent(stored.data)
    const commands = this.replay.decide(read, stored)
    if (Result.isSuccess(commands)) this.replay.evolve(read, stored)
    return commands
  }

  charge(taken: Charge, at = AT): string | undefined {
    this.#seq += 1
    const wrong = this.replay.wrongWith(taken, at)
    if (wrong === undefined) this.replay.hear(decided(taken, at), this.#stored("bot/bot", "BotDecided", ""))
    return wrong
  }

  of(table: StateRow["table"]): ReadonlyArray<ReadonlyArray<string | null>> {
    return this.rows.filter((row) => row.table === table).map(({ values }) => values)
  }

  #stored(stream: string, type: string, data: string): StoredEvent {
    return { seq: this.#seq, stream, version: this.#seq, type, data, hash: "" }
  }
}

/** A month with a grant of 2, a budget of 5, and what was bought for it when the grant was used. */
const month = (history = false): Played => {
  const played = new Played(history)
  for (const event of beforeCharge(standing({}), EVALUATION_PRICE, AT, "top_1")) Result.getOrThrow(played.take(event))
  for (const id of ["1", "2"]) expect(played.charge(charge(id, 1, 0))).toBeUndefined()
  const spent = standing({ granted: "2026-11" }, { times: 1, set: credits(5), left: credits(3) })
  for (const event of beforeCharge(spent, EVALUATION_PRICE, AT, "top_2")) Result.getOrThrow(played.take(event))
  expect(played.charge(charge("3", 0, 1))).toBeUndefined()
  return played
}

describe("EvaluationCreditsReplay", () => {
  it("decides a month again and puts what it left", () => {
    const played = month()
    const december = { at: NEXT_MONTH, companyId: "cmp" } as const
    Result.getOrThrow(played.take({ _tag: "CreditsGranted", ...december, period: "2026-12", credits: credits(2) }))
    played.replay.finish()
    expect(played.of("evaluation_credit_movements").map((values) => values.slice(6, 11))).toEqual([
      ["grant", "2000000", "0", "0", "false"],
      ["charge", "-1000000", "0", "0", "false"],
      ["charge", "-1000000", "0", "0", "false"],
      ["topup", "0", "3000000", "30000", "true"],
      ["charge", "0", "-1000000", "0", "false"],
      ["grant", "2000000", "0", "0", "false"]
    ])
    expect(played.of("evaluation_credit_budgets")).toEqual([
      ["bot/2026-11", "cmp", "bot", "2026-11", "bot/CREDITS-BUDGET-2026-11/allowance", "1", "5000000", "3000000", "5"]
    ])
    expect(played.of("evaluation_credit_periods")).toEqual([
      ["cmp/2026-11", "cmp", "2026-11", "2000000", `${AT}`, null, null],
      ["cmp/2026-12", "cmp", "2026-12", "2000000", `${NEXT_MONTH}`, null, null]
    ])
  })

  it("puts each state where the history is wanted", () => {
    expect(
      month(true)
        .of("evaluation_credit_budgets")
        .map((values) => values.slice(6, 8))
    ).toEqual([
      ["5000000", "0"],
      ["5000000", "3000000"]
    ])
  })

  it("finds charges that the engine would not have decided", () => {
    const played = new Played()
    for (const event of beforeCharge(standing({}), EVALUATION_PRICE, AT, "top_1")) played.take(event)
    expect(played.charge(charge("1", 0, 1))).toContain("other credits")
    expect(played.charge(charge("1", 2, 0))).toContain("other credits")
    expect(played.charge(charge("1", 1, 0, "2026-12"))).toContain("another month")
    expect(played.charge({ ...charge("1", 1, 0), botId: "other" })).toContain("other credits")
    expect(played.charge(charge("1", 1, 0))).toBeUndefined()
  })

  it("finds movements that the engine would not have decided", () => {
    const of = { at: AT, companyId: "cmp", period: "2026-11" } as const
    const budget = { _tag: "CreditBudgetSet", ...of, botId: "bot", times: 1, before: ZERO, after: credits(5) } as const
    const again = (event: EvaluationCreditsEvent) => Result.isSuccess(month().take(event))
    expect(again({ _tag: "CreditsGranted", ...of, credits: credits(2) })).toBe(false)
    expect(again({ _tag: "CreditsLapsed", ...of, credits: credits(2) })).toBe(false)
    expect(again(budget)).toBe(false)
    expect(again({ ...budget, times: 2, before: credits(5), after: credits(1) })).toBe(false)
    expect(again({ ...budget, times: 2, before: credits(5), after: credits(3) })).toBe(true)
    const bought = purchaseOf({ companyId: "cmp", botId: "bot", userId: "usr" }, ONE, AT, "top_3")
    if (bought === undefined) throw new Error("nothing was bought")
    expect(again(bought)).toBe(true)
    expect(again({ ...bought, credits: credits(101) })).toBe(false)
    expect(again({ ...bought, automatic: true })).toBe(false)
    expect(month().take(bought, "credits/other")).toMatchObject({ failure: expect.stringContaining("belongs in") })
    expect(month().take(bought)).toEqual(Result.succeed(creditCommands(bought)))
  })

  it("wants a month's rest to lapse, all of it and first", () => {
    const december = { at: NEXT_MONTH, companyId: "cmp" } as const
    const after = () => {
      const played = new Played()
      for (const event of beforeCharge(standing({}), EVALUATION_PRICE, AT, "top_1")) played.take(event)
      return played
    }
    const grant = { _tag: "CreditsGranted", ...december, period: "2026-12", credits: credits(2) } as const
    const lapse = { _tag: "CreditsLapsed", ...december, period: "2026-11", credits: credits(2) } as const
    expect(Result.isSuccess(after().take(grant))).toBe(false)
    expect(Result.isSuccess(after().take({ ...lapse, credits: credits(1) }))).toBe(false)
    const played = after()
    expect([lapse, grant].map((event) => Result.isSuccess(played.take(event)))).toEqual([true, true])
    played.replay.finish()
    expect(played.of("evaluation_credit_periods")[0]?.slice(3)).toEqual([
      "2000000",
      `${AT}`,
      "2000000",
      `${NEXT_MONTH}`
    ])
  })
})
