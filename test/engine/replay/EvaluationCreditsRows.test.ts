import { describe, expect, it } from "bun:test"
import type { EvaluationCreditsEvent } from "../../../engine/bot/EvaluationCreditsEvent.ts"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import {
  budgetRow,
  movementOf,
  movementOfCharge,
  movementRow,
  periodRow
} from "../../../engine/replay/EvaluationCreditsRows.ts"
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
})
