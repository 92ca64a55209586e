import { expect, it } from "bun:test"
import { botTraderRow, registeredRow } from "../../../engine/arena/MachineTraderRows.ts"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { registeredTrader } from "../../lib/ArenaArbitraries.ts"
import { BotLife } from "../../lib/BotLife.ts"

it("has a value for each column", () => {
  const rows = [registeredRow(registeredTrader()), botTraderRow(new BotLife().state, "balanced")]
  for (const { table, values } of rows) expect(values.length).toBe(STATE_COLUMNS[table].length)
  expect(rows.map(({ values }) => [values[6], values[10]])).toEqual([
    ["{fx,gpu}", "active"],
    ["{fx,gpu}", "inactive"]
  ])
})
