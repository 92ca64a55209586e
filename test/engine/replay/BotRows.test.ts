import { describe, expect, it } from "bun:test"
import { botRow, guardRow, spanRow } from "../../../engine/replay/BotRows.ts"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { BotLife } from "../../lib/BotLife.ts"

describe("BotRows", () => {
  it("has a value for each column", () => {
    const guard = { _tag: "BotGuardSet", at: 1, by: null, companyId: "cmp_1", deadlineAt: null } as const
    const span = { seq: 1, botId: "bot_1", companyId: "cmp_1", capabilities: ["fx"], from: 1 }
    for (const { table, values } of [botRow(new BotLife().state, 1), guardRow(guard, 2), spanRow(span, null)]) {
      expect(values.length).toBe(STATE_COLUMNS[table].length)
    }
  })

  it("writes asset types as PostgreSQL does", () => {
    expect(botRow(new BotLife().state, 1).values[5]).toBe("{fx,gpu}")
  })
})
