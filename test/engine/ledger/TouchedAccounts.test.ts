import { describe, expect, it } from "bun:test"
import { type AccountId, accountId } from "../../../engine/ledger/Account.ts"
import type { MultiHoldRecord } from "../../../engine/ledger/MultiHold.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { custodyOf } from "../../../engine/ledger/Funding.ts"
import { touchedAccounts } from "../../../engine/ledger/TouchedAccounts.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { capture, cover, hold, release, transfer } from "../../lib/LedgerCommands.ts"

const NAILS = accountId("seller", "PRODUCT:nails", "stock")
const SCREWS = accountId("seller", "PRODUCT:screws", "stock")
const ALICE: AccountId = "alice/USD/wallet"
const BOB: AccountId = "bob/USD/wallet"
const VAULT: AccountId = "platform/USD/vault"

describe("touchedAccounts", () => {
  it("names every account a command can change", () => {
    const { holds } = new Book(
      [],
      [{ id: "taken", account: ALICE, into: VAULT, amount: fromUnits(30n), state: { _tag: "Pending" } }]
    )
    expect(touchedAccounts(transfer("t", ALICE, BOB, 1n), holds)).toStrictEqual([ALICE, BOB])
    expect(touchedAccounts(hold("h", ALICE, VAULT, 1n), holds)).toStrictEqual([ALICE, VAULT])
    expect(touchedAccounts(cover("c", [ALICE, BOB], VAULT, 1n), holds)).toStrictEqual([ALICE, BOB, VAULT])
    expect(touchedAccounts(release("taken"), holds)).toStrictEqual([ALICE])
    expect(touchedAccounts(capture("taken", BOB, 1n), holds)).toStrictEqual([ALICE, BOB])
    expect(touchedAccounts(release("never"), holds)).toStrictEqual([])
    expect(touchedAccounts(capture("never", BOB, 1n), holds)).toStrictEqual([BOB])
  })

  it("names the accounts of a multi-hold, and where it goes", () => {
    const parts = [NAILS, SCREWS].map((account) => ({ account, amount: fromUnits(1n) }))
    const multiHolds = new Map<string, MultiHoldRecord>([["b", { id: "b", parts, state: "Pending" }]])
    const give: Command = { _tag: "ReleaseMultiHold", multiHold: "b" }
    const take: Command = { _tag: "TakeMultiHold", multiHold: "b", purpose: "goods" }
    const touched = (command: Command) => touchedAccounts(command, new Map(), multiHolds)
    expect(touched({ _tag: "PlaceMultiHold", id: "b", parts })).toEqual([NAILS, SCREWS])
    expect(touched(give)).toEqual([NAILS, SCREWS])
    expect(touched(take)).toEqual([NAILS, custodyOf("PRODUCT:nails"), SCREWS, custodyOf("PRODUCT:screws")])
    expect(touchedAccounts(give, new Map())).toEqual([])
  })
})
