import { describe, expect, it } from "bun:test"
import { StateDifference } from "../../../engine/replay/StateDifference.ts"
import { bucketOf } from "../../../engine/replay/StateSum.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"

const account = (balance: string, held = "0", id = "a/USD/wallet"): StateRow => ({
  table: "ledger_accounts",
  values: [id, balance, held, "false"]
})

const event = (seq: number): StoredEvent => ({ seq, stream: "s", version: seq, type: "T", data: "", hash: "" })

const differing = (): StateDifference =>
  new StateDifference(new Map([["ledger_accounts", new Set([bucketOf(account("1"))])]]))

describe("StateDifference", () => {
  it("names the column, and the event that decided its value", () => {
    const difference = differing()
    difference.put(account("5", "0"), event(1))
    difference.put(account("7", "0"), event(2))
    difference.put(account("7", "3"), event(3))
    difference.compare(account("8", "3"))
    expect(difference.found).toMatchObject([
      { key: "a/USD/wallet", column: "balance", expected: "7", stored: "8", event: { seq: 2 } }
    ])
  })

  it("names a missing row and one that no event makes", () => {
    const missing = differing()
    missing.put(account("5"), event(4))
    expect(missing.found).toMatchObject([{ column: undefined, stored: undefined, event: { seq: 4 } }])
    const unwritten = differing()
    unwritten.compare(account("5"))
    expect(unwritten.found).toMatchObject([{ column: undefined, expected: undefined, event: undefined }])
  })

  it("finds nothing in equal rows, in empty accounts, and elsewhere", () => {
    const difference = differing()
    difference.put(account("5"), event(1))
    difference.compare(account("5"))
    difference.compare(account("9", "0", "b/USD/wallet"))
    expect(difference.found).toEqual([])
    const empty = differing()
    empty.compare(account("0"))
    expect(empty.found).toEqual([])
  })
})
