import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import type { Account, AccountId } from "../../../engine/ledger/Account.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { hold, release, transfer } from "../../lib/LedgerCommands.ts"

const account = (id: AccountId, balance: bigint, held = 0n): Account => ({
  id,
  balance: fromUnits(balance),
  held: fromUnits(held),
  closed: false
})

const refusal = (book: Book, ...commands: ReadonlyArray<Command>) => {
  const applied = book.apply(commands)
  if (Result.isSuccess(applied)) throw new Error("the ledger took a command that it must refuse")
  return applied.failure
}

const taken = (book: Book, ...commands: ReadonlyArray<Command>): void =>
  expect(book.apply(commands)).toEqual(Result.void)

describe("Close and Open", () => {
  const ALLOWANCE: AccountId = "bot/USD-ALLOWANCE/allowance"
  const GIVEN: AccountId = "platform/USD-ALLOWANCE/custody"
  const holding: Command = { ...hold("mine", ALLOWANCE, ALLOWANCE, 5n) }

  it("keeps new holds off a closed allowance, and lets it be credited and released", () => {
    const book = new Book(
      [account(ALLOWANCE, 9n, 4n)],
      [{ id: "before", account: ALLOWANCE, into: ALLOWANCE, amount: fromUnits(4n), state: { _tag: "Pending" } }]
    )
    taken(book, { _tag: "Close", account: ALLOWANCE })
    expect(refusal(book, holding)).toMatchObject({ _tag: "AccountClosed", account: ALLOWANCE })
    taken(book, transfer("more", GIVEN, ALLOWANCE, 3n), release("before"))
    expect(book.available(ALLOWANCE)).toBe(fromUnits(12n))
    taken(book, { _tag: "Open", account: ALLOWANCE }, holding)
    expect([...book.turnedAccounts]).toEqual([ALLOWANCE])
  })

  it("is taken back with the rest of a refused entry", () => {
    const book = new Book([account(ALLOWANCE, 9n)])
    expect(refusal(book, { _tag: "Close", account: ALLOWANCE }, holding)._tag).toBe("AccountClosed")
    expect(book.account(ALLOWANCE).closed).toBe(false)
  })

  it("refuses custody", () => {
    expect(refusal(new Book(), { _tag: "Close", account: GIVEN })._tag).toBe("InvalidCommand")
  })
})
