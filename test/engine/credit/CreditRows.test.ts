import { describe, expect, it } from "bun:test"
import { assessedRows, assessmentRow, limitRow, limitSetRows } from "../../../engine/credit/CreditRows.ts"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { RowStore } from "../../lib/RowStore.ts"
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
    expect(assessmentRow(turned, 7)).toEqual(assessmentRow(event, 7))
  })

  it("keeps the assessment behind a limit that is lowered", () => {
    const place = { stream: "s", version: 1, hash: "" }
    const { at, companyId, userId } = event
    const lowered = { at, companyId, userId, granted: fromUnits(1n), used: fromUnits(0n), posted: fromUnits(2n) }
    const store = new RowStore()
    for (const row of assessedRows({ ...place, seq: 3, event })) store.apply(row)
    for (const row of limitSetRows({ ...place, seq: 4, event: { _tag: "CreditLimitSet", ...lowered } }))
      store.apply(row)
    expect([...store.rows.values()]).toEqual([
      assessmentRow(event, 3),
      limitRow({ userId, companyId, granted: lowered.granted, posted: lowered.posted, assessedBy: 3, seq: 4 })
    ])
  })
})
