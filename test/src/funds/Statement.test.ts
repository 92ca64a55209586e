import { describe, expect, it } from "bun:test"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { counterpartyOf, referenceOf, type StatementEntry, toCsv } from "../../../src/funds/Statement.ts"

const entry = (change: Partial<StatementEntry> = {}): StatementEntry => ({
  entryId: "1_0123456789ab",
  at: 0,
  change: fromUnits(-1_500_000n),
  balance: fromUnits(8_500_000n),
  purpose: "transfer",
  postingId: "transfer/usr_a/rent",
  other: "usr_b/USD/wallet",
  ...change
})

describe("A statement's entry", () => {
  it("names the other owner of a transfer, and nobody else", () => {
    expect(counterpartyOf(entry())).toEqual({ kind: "owner", id: "usr_b" })
    expect(counterpartyOf(entry({ purpose: "purchase" }))).toEqual({ kind: "owner", id: null })
    expect(counterpartyOf(entry({ purpose: "settlement" }))).toEqual({ kind: "arena", id: null })
    expect(counterpartyOf(entry({ other: "platform/USD/custody" }))).toEqual({ kind: "outside", id: null })
    expect(counterpartyOf(entry({ other: "platform/USD/fx_desk" }))).toEqual({ kind: "fx_desk", id: null })
  })

  it("refers to what its owner knows", () => {
    const references = [
      ["transfer/usr_a/rent", "rent"],
      ["transfer/usr_a/rent/sold", "rent"],
      ["withdrawal/wdr_1", "wdr_1"],
      ["mint/reference/wire-1", "wire-1"],
      ["purchase/pur_1/pay_1/cmp_1", "pur_1"],
      ["collateral/cmt_1", "cmt_1"]
    ] as const
    for (const [postingId, reference] of references) expect(referenceOf({ postingId })).toBe(reference)
  })
})

describe("A statement as CSV", () => {
  it("has a header and a line for each entry", () => {
    expect(toCsv("USD", [entry()])).toBe(
      "created_at,type,quantity,balance,purpose,counterparty,counterparty_id,reference\r\n" +
        "1970-01-01T00:00:00.000Z,USD,-1.5,8.5,transfer,owner,usr_b,rent\r\n"
    )
  })

  it("is harmless in a spreadsheet", () => {
    const line = toCsv("USD", [entry({ postingId: 'transfer/usr_a/-1"x,y' })]).split("\r\n")[1]
    expect(line).toEndWith(`,"'-1""x,y"`)
  })
})
