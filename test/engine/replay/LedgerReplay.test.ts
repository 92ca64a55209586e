import { Result } from "effect"
import { describe, expect, it } from "bun:test"
import { accountId } from "../../../engine/ledger/Account.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { LedgerReplay } from "../../../engine/replay/LedgerReplay.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { byKey } from "../../lib/ReplayLog.ts"

const wallet = accountId("a", "USD", "wallet")
const other = accountId("b", "USD", "wallet")
const custody = accountId("platform", "USD", "custody")

const event = (seq: number): StoredEvent => ({ seq, stream: "s", version: seq, type: "T", data: "", hash: "" })

const mint: Command = { _tag: "Transfer", id: "mint/1", from: custody, to: wallet, amount: usd("10"), purpose: "mint" }
const hold: Command = { _tag: "Hold", id: "h", account: wallet, into: wallet, amount: usd("4") }
const capture: Command = { _tag: "Capture", hold: "h", to: other, amount: usd("3"), purpose: "settlement" }
const cover: Command = { _tag: "Cover", id: "c", sources: [other], to: wallet, amount: usd("5"), purpose: "yield" }

const replayed = (steps: ReadonlyArray<ReadonlyArray<Command>>, history = false) => {
  const rows: Array<StateRow> = []
  const ledger = new LedgerReplay({ history, put: (row) => rows.push(row) })
  for (const [index, commands] of steps.entries()) Result.getOrThrow(ledger.apply(commands, event(index + 1)))
  ledger.finish()
  return { ledger, rows }
}

const valuesOf = (rows: ReadonlyArray<StateRow>, key: string) => byKey(rows).get(key)?.values

describe("LedgerReplay", () => {
  it("derives accounts, transfers, holds and receivables with the events that wrote them", () => {
    const { rows } = replayed([[mint], [hold], [capture], [cover]])
    expect(valuesOf(rows, `ledger_accounts/${wallet}`)).toEqual([wallet, "10000000", "0", "false"])
    expect(valuesOf(rows, `ledger_accounts/${other}`)).toEqual([other, "0", "0", "false"])
    expect(valuesOf(rows, "ledger_holds/h")).toEqual(["h", wallet, wallet, "4000000", "captured", "3000000", "2", "3"])
    expect(valuesOf(rows, "ledger_transfers/h")).toEqual(["h", wallet, other, "3000000", "settlement", "3"])
    expect(valuesOf(rows, "ledger_receivables/c")).toEqual(["c", wallet, "2000000", "4"])
  })

  it("puts each row once without history, and each of its states with it", () => {
    const { rows } = replayed([[mint], [hold], [capture]])
    expect(rows.length).toBe(byKey(rows).size)
    const kept = replayed([[mint], [hold], [capture]], true).rows
    expect(
      kept.filter(({ values }) => values[0] === "h" && values.length === 8).map(({ values }) => values[4])
    ).toEqual(["pending", "captured"])
    expect(byKey(kept)).toEqual(byKey(rows))
  })

  it("derives which accounts are closed", () => {
    const turn = (_tag: "Close" | "Open", account: typeof wallet): Command => ({ _tag, account })
    const { rows } = replayed([[mint], [turn("Close", wallet)], [turn("Close", other)], [turn("Open", other)]])
    expect(valuesOf(rows, `ledger_accounts/${wallet}`)).toEqual([wallet, "10000000", "0", "true"])
    expect(valuesOf(rows, `ledger_accounts/${other}`)).toEqual([other, "0", "0", "false"])
  })

  it("refuses what the ledger refuses, and stays as it was", () => {
    const { ledger } = replayed([[mint]])
    const tooMuch: Command = { ...hold, amount: usd("11") }
    expect(Result.isFailure(ledger.apply([tooMuch], event(2)))).toBe(true)
    expect(Result.isFailure(ledger.apply([capture], event(2)))).toBe(true)
    expect(Result.isSuccess(ledger.apply([{ ...hold, amount: usd("10") }], event(2)))).toBe(true)
    expect([ledger.has(wallet), ledger.has(other)]).toEqual([true, false])
  })
})
