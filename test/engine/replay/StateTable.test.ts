import { describe, expect, it } from "bun:test"
import {
  columnThatDiffers,
  HASHED_TABLES,
  hashedRow,
  isNothing,
  keyOf,
  STATE_COLUMNS,
  STATE_TABLES
} from "../../../engine/replay/StateTable.ts"

describe("StateTable", () => {
  it("has a key and more in each table, and no column twice", () => {
    for (const table of STATE_TABLES) {
      const columns: ReadonlyArray<string> = STATE_COLUMNS[table]
      expect(columns.length).toBeGreaterThan(1)
      expect(new Set(columns).size).toBe(columns.length)
    }
    expect(STATE_TABLES).toEqual(STATE_TABLES.toSorted())
  })

  it("names a row by its key, and two rows' first difference by its column", () => {
    const row = { table: "funds", values: ["f", "o", "USD", "o/USD/wallet", "1"] } as const
    expect(keyOf(row)).toBe("f")
    expect(columnThatDiffers(row, row)).toBeUndefined()
    expect(columnThatDiffers(row, { ...row, values: ["f", "o", "USD", "p/USD/wallet", "2"] })).toBe("account")
    expect(columnThatDiffers(row, { ...row, values: ["f", "o", "USD", "o/USD/wallet", null] })).toBe("created_at")
  })

  it("leaves out of a hash what states once did not have", () => {
    expect(hashedRow({ table: "ledger_accounts", values: ["a", "1", "0", "true"] })?.values).toEqual(["a", "1", "0"])
    const webhook = STATE_COLUMNS.webhooks.map(String)
    const without = webhook.filter((column) => !["enabled_at", "earlier_until", "metadata"].includes(column))
    expect(hashedRow({ table: "webhooks", values: webhook })?.values).toEqual(without)
    expect(hashedRow({ table: "machine_traders", values: STATE_COLUMNS.machine_traders.map(String) })).toBeUndefined()
    const fund = { table: "funds", values: ["f", "o", "USD", "o/USD/wallet", "1"] } as const
    expect(hashedRow(fund)).toBe(fund)
    expect(HASHED_TABLES).toEqual(STATE_TABLES.filter((table) => table !== "machine_traders"))
  })

  it("has in a hash the columns that it had from the beginning, whatever a table got since", () => {
    const hashed = STATE_TABLES.map((table) => {
      const row = hashedRow({ table, values: STATE_COLUMNS[table].map(String) })
      return [table, row?.values ?? []]
    })
    expect(Bun.hash.crc32(JSON.stringify(hashed))).toBe(2_491_201_448)
  })

  it("takes an account without anything for none", () => {
    expect(isNothing({ table: "ledger_accounts", values: ["a", "0", "0", "false"] })).toBe(true)
    expect(isNothing({ table: "arena_vault_totals", values: ["true", "0", "0", "0"] })).toBe(true)
    expect(isNothing({ table: "ledger_accounts", values: ["a", "0", "1", "false"] })).toBe(false)
    expect(isNothing({ table: "ledger_accounts", values: ["a", "0", "0", "true"] })).toBe(false)
    expect(isNothing({ table: "ledger_receivables", values: ["a", "0", "0", "0"] })).toBe(false)
  })
})
