import { describe, expect, it } from "bun:test"
import { assessmentRow, limitRow, textsOf } from "../../../engine/replay/CreditRows.ts"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { COMPANY, CreditLine } from "../../lib/CreditLine.ts"

const event = new CreditLine().request("usr_1", REQUEST)!

describe("CreditRows", () => {
  it("has a value for each column", () => {
    const row = assessmentRow(event, 7)
    expect(row.values).toHaveLength(STATE_COLUMNS.credit_assessments.length)
    const valueOf = (column: (typeof STATE_COLUMNS)["credit_assessments"][number]) =>
      row.values[STATE_COLUMNS.credit_assessments.indexOf(column)]
    expect([valueOf("event_seq"), valueOf("user_id"), valueOf("band")]).toEqual(["7", "usr_1", "A"])
    expect([valueOf("assessed_limit"), valueOf("granted")]).toEqual(["9000000000", "9000000000"])
    expect(JSON.parse(valueOf("request") ?? "")).toEqual(REQUEST)
    const [granted, posted] = [fromUnits(1n), fromUnits(2n)]
    const limit = limitRow({ userId: "usr_1", companyId: COMPANY, granted, posted, assessedBy: 3, seq: 4 })
    expect(limit.values).toHaveLength(STATE_COLUMNS.credit_limits.length)
    expect(limit.values).toEqual(["usr_1", COMPANY, "1", "2", "3", "4"])
  })

  it("writes the lists of a card in one order, whatever that of their fields", () => {
    const { points } = event.card
    const turned = {
      ...event,
      card: { ...event.card, points: points.map((line) => ({ points: line.points, attribute: line.attribute })) }
    }
    expect(textsOf(turned)).toEqual(textsOf(event))
  })
})
