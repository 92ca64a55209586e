import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { input } from "../../lib/BotCases.ts"
import { expectDerivedRows, rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { property } from "../../lib/Property.ts"
import type { EvaluationCreditsEvent } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import {
  boughtRows,
  budgetRow,
  chargedRows,
  creditBudgets,
  grantedRows,
  lapsedRows,
  movementOf,
  movementOfCharge,
  movementRow,
  periodRow
} from "../../../engine/bots/EvaluationCreditsRows.ts"
import {
  afterCharge,
  afterEvent,
  beforeCharge,
  chargeOf,
  type ChargeStanding
} from "../../../engine/bots/EvaluationCreditsDecision.ts"
import { evaluate } from "../../../engine/bots/Evaluation.ts"
import { creditsStream, EVALUATION_PRICE, periodOf } from "../../../engine/bots/EvaluationCredits.ts"
import type { BotDecided } from "../../../engine/bots/BotEvent.ts"
import type { TableRow } from "../../../engine/journal/TableRow.ts"
import { EvaluationCreditsReplay } from "../../../engine/replay/EvaluationCreditsReplay.ts"
import type { FamilyReplay } from "../../../engine/replay/FamilyReplay.ts"
import { STATE_COLUMNS, type StateRow } from "../../../engine/replay/StateTable.ts"

const of = { at: 7, companyId: "cmp", period: "2026-11" } as const

const bought: EvaluationCreditsEvent = {
  _tag: "CreditsBought",
  ...of,
  topUpId: "top",
  botId: "bot",
  userId: "usr",
  usd: fromUnits(10_000n),
  credits: ONE,
  automatic: true
}

const charge = { chargeId: "1", companyId: "cmp", botId: "bot", period: "2026-11", free: ONE, paid: ZERO }

const named = ({ table, values }: StateRow) =>
  Object.fromEntries(STATE_COLUMNS[table].map((column, index) => [column, values[index]]))

type Heard = EvaluationCreditsEvent | BotDecided

/** Charges of a bot in some months, each with what it may use then, and what had to be recorded before. */
const played = (asked: ReadonlyArray<{ readonly month: number; readonly budget: number }>): ReadonlyArray<Heard> => {
  const events: Array<Heard> = []
  let credits: ChargeStanding["credits"] = {
    companyId: "cmp",
    version: 0,
    monthly: fromUnits(2n * ONE),
    granted: null,
    free: ZERO,
    paid: ZERO
  }
  let budget: ChargeStanding["budget"] | undefined
  for (const [index, { budget: most, month }] of asked.toSorted((one, other) => one.month - other.month).entries()) {
    const at = Date.UTC(2026, month, 1)
    const known = budget?.period === periodOf(at) ? budget : undefined
    const monthly = fromUnits(BigInt(most) * ONE)
    const kept = known ?? { times: 0, set: ZERO, left: ZERO, toppedUp: ZERO }
    const of = { botId: "bot", userId: "usr", monthly, autoTopUp: true, period: periodOf(at) }
    let standing: ChargeStanding = { credits, budget: { ...kept, ...of } }
    for (const event of beforeCharge(standing, EVALUATION_PRICE, at, `top_${index}`)) {
      events.push(event)
      standing = afterEvent(standing, event)
    }
    const charge = chargeOf(standing, EVALUATION_PRICE, `chg_${index}`)
    if (Result.isSuccess(charge)) {
      standing = afterCharge(standing, charge.success)
      const made = { decisionId: `dec_${index}`, orderId: "ord", dryRun: true, input, decision: evaluate(input) }
      events.push({ _tag: "BotDecided", at, by: null, botId: "bot", ...made, charge: charge.success })
    }
    credits = standing.credits
    budget = standing.budget
  }
  return events
}

const eventRows = (event: Heard, seq: number): ReadonlyArray<TableRow> => {
  const place = { seq, stream: "s", version: seq, hash: "" }
  switch (event._tag) {
    case "CreditsGranted":
      return grantedRows({ ...place, event })
    case "CreditsLapsed":
      return lapsedRows({ ...place, event })
    case "CreditsBought":
      return boughtRows({ ...place, event })
    case "BotDecided":
      return chargedRows({ ...place, event })
    case "CreditBudgetSet":
      return []
  }
}

const replayOf = (replay: EvaluationCreditsReplay): FamilyReplay<Heard> => ({
  decide: () => Result.succeed([]),
  evolve: (event, stored) => (event._tag === "BotDecided" ? replay.hear(event, stored) : replay.evolve(event, stored))
})

/** In two months the bot buys beyond its budget. */
const TWO_MONTHS = [0, 1].flatMap((month) => [1, 2, 3].map((budget) => ({ month, budget })))

describe("Rows of evaluation credits", () => {
  it("have a movement for each event that changes credits, with its sign", () => {
    const changes = [
      movementOf({ _tag: "CreditsGranted", ...of, credits: ONE }),
      movementOf({ _tag: "CreditsLapsed", ...of, credits: ONE }),
      movementOf(bought),
      movementOf({ _tag: "CreditBudgetSet", ...of, botId: "bot", times: 1, before: ZERO, after: ONE }),
      movementOfCharge(charge, 7)
    ]
    expect(changes.map((change) => change && [change.kind, change.free, change.paid])).toEqual([
      ["grant", ONE, ZERO],
      ["lapse", fromUnits(-ONE), ZERO],
      ["topup", ZERO, ONE],
      undefined,
      ["charge", fromUnits(-ONE), fromUnits(0n)]
    ])
  })

  it("fill the columns of their tables", () => {
    const movement = movementOf(bought)
    if (movement === undefined) throw new Error("nothing was bought")
    expect(named(movementRow(movement, 3))).toMatchObject({ event_seq: "3", usd: "10000", automatic: "true" })
    expect(named(movementRow(movementOfCharge(charge, 7), 4))).toMatchObject({ charge_id: "1", free: "-1000000" })
    const month = { companyId: "cmp", period: "2026-11", granted: ONE, grantedAt: 7, lapsed: null }
    expect(named(periodRow(month))).toMatchObject({ id: "cmp/2026-11", granted: "1000000", lapsed: null })
    expect(named(periodRow({ ...month, lapsed: { credits: ZERO, at: 9 } }))).toMatchObject({
      lapsed: "0",
      lapsed_at: "9"
    })
    const budget = { ...of, botId: "bot", times: 2, set: ONE, toppedUp: ZERO, seq: 5 }
    expect(named(budgetRow(budget))).toMatchObject({ id: "bot/2026-11", times: "2", budget: "1000000", event_seq: "5" })
  })

  it("follow from each event as a replay derives them", () => {
    const charges = fc.array(fc.record({ month: fc.nat(3), budget: fc.nat(6) }), { maxLength: 12 })
    fc.assert(
      fc.property(charges, (asked) => {
        const events = played(asked).map((event, index) => ({ event, seq: index + 1 }))
        const budgets = rowsOfAggregate(creditBudgets, events)
        expectDerivedRows(
          events.map(({ event, seq }, index) => ({
            event,
            stored: { seq, stream: creditsStream("cmp"), version: seq, type: event._tag, data: "", hash: "" },
            rows: [...eventRows(event, seq), ...budgets[index]!]
          })),
          (sink) => replayOf(new EvaluationCreditsReplay(sink))
        )
      }),
      { ...property(), examples: [[TWO_MONTHS]] }
    )
  })

  it("add up what was bought automatically, in a budget that was set", () => {
    expect(() => rowsOfAggregate(creditBudgets, [{ event: bought, seq: 1 }])).toThrow("never set")
    const budget = { _tag: "CreditBudgetSet", ...of, botId: "bot", times: 1, before: ZERO, after: ONE } as const
    const events = [budget, bought, bought, { ...budget, times: 2 }].map((event, index) => ({ event, seq: index + 1 }))
    const rows = rowsOfAggregate(creditBudgets, events)
    expect(rows.slice(1)).toMatchObject([
      [{ columns: { topped_up: "1000000", event_seq: "2" } }],
      [{ columns: { topped_up: "2000000", event_seq: "3" } }],
      [{ columns: { times: "2", event_seq: "4" } }]
    ])
  })
})
