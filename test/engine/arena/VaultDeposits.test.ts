import { expect, it } from "bun:test"
import { Result } from "effect"
import { VAULT } from "../../../engine/arena/Order.ts"
import { decideVaultDeposits, decodeVaultDeposits } from "../../../engine/arena/VaultDeposits.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { mint } from "../../../engine/ledger/Funding.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"

it("closes the vault to holds and opens it again", () => {
  const book = new Book()
  const hold = { _tag: "Hold", account: accountId("a", "USD", "wallet"), into: VAULT, amount: usd("1") } as const
  Result.getOrThrow(book.apply([mint({ id: "m", owner: "a", asset: "USD", amount: usd("9") })]))
  const { commands, event } = decideVaultDeposits(true, 7)
  expect(event).toEqual({ _tag: "VaultDepositsSet", at: 7, closed: true })
  Result.getOrThrow(book.apply(commands))
  expect(Result.isFailure(book.apply([{ ...hold, id: "h" }]))).toBe(true)
  Result.getOrThrow(book.apply(decideVaultDeposits(false, 8).commands))
  Result.getOrThrow(book.apply([{ ...hold, id: "i" }]))
  expect(book.account(hold.account).held).toBe(usd("1"))
})

it("reads what it wrote, and nothing else", () => {
  for (const closed of [true, false]) {
    const { event } = decideVaultDeposits(closed, 7)
    expect(decodeVaultDeposits(encodeEvent(event))).toEqual(event)
  }
  expect(() => decodeVaultDeposits('{"_tag":"VaultDepositsSet","at":7}')).toThrow()
})
