import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { type AccountId, accountId } from "../../../engine/ledger/Account.ts"
import { partsOf, partsText } from "../../../engine/ledger/MultiHold.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { custodyOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { transfer } from "../../lib/LedgerCommands.ts"
import { property } from "../../lib/Property.ts"

const NAILS = accountId("seller", "PRODUCT:nails", "stock")
const SCREWS = accountId("seller", "PRODUCT:screws", "stock")

const reserve = (id: string, ...parts: ReadonlyArray<readonly [AccountId, bigint]>): Command => ({
  _tag: "PlaceMultiHold",
  id,
  parts: parts.map(([account, amount]) => ({ account, amount: fromUnits(amount) }))
})

const give: Command = { _tag: "ReleaseMultiHold", multiHold: "b" }
const take: Command = { _tag: "TakeMultiHold", multiHold: "b", purpose: "goods" }

/** Five nails and three screws. */
const shelf = (): Book => {
  const book = new Book()
  const stocked = [
    transfer("1", custodyOf("PRODUCT:nails"), NAILS, 5n, "goods"),
    transfer("2", custodyOf("PRODUCT:screws"), SCREWS, 3n, "goods")
  ]
  expect(book.apply(stocked)).toEqual(Result.void)
  return book
}

const tagOf = (book: Book, ...commands: ReadonlyArray<Command>): string =>
  Result.match(book.apply(commands), { onSuccess: () => "taken", onFailure: ({ _tag }) => _tag })

const standing = (book: Book, id: AccountId) => [book.account(id).balance, book.account(id).held].map(Number)

describe("A multi-hold", () => {
  it("reserves all of its parts, or nothing", () => {
    const book = shelf()
    expect(tagOf(book, reserve("b", [NAILS, 2n], [SCREWS, 4n]))).toBe("InsufficientFunds")
    expect([standing(book, NAILS), standing(book, SCREWS)]).toEqual([
      [5, 0],
      [3, 0]
    ])
    expect(book.changedMultiHolds.size).toBe(0)
    expect(tagOf(book, reserve("b", [NAILS, 2n], [SCREWS, 3n]))).toBe("taken")
    expect([standing(book, NAILS), standing(book, SCREWS)]).toEqual([
      [5, 2],
      [3, 3]
    ])
  })

  it("counts the parts of one account together", () => {
    expect(tagOf(shelf(), reserve("b", [NAILS, 3n], [NAILS, 3n]))).toBe("InsufficientFunds")
    expect(tagOf(shelf(), reserve("b", [NAILS, 3n], [NAILS, 2n]))).toBe("taken")
  })

  it("is released or taken once", () => {
    for (const [end, left] of [
      [give, [5, 0]],
      [take, [3, 0]]
    ] as const) {
      const book = shelf()
      expect(tagOf(book, reserve("b", [NAILS, 2n]), end)).toBe("taken")
      expect(standing(book, NAILS)).toEqual([...left])
      expect([tagOf(book, give), tagOf(book, take)]).toEqual(["HoldNotPending", "HoldNotPending"])
      expect(tagOf(book, reserve("b", [NAILS, 1n]))).toBe("InvalidCommand")
    }
  })

  it("posts each part to custody under a name of its own", () => {
    const book = shelf()
    expect(tagOf(book, reserve("b", [NAILS, 2n], [SCREWS, 1n]), take)).toBe("taken")
    expect(book.postings.slice(2).map(({ id, to }) => [id, to])).toEqual([
      ["b/1", custodyOf("PRODUCT:nails")],
      ["b/2", custodyOf("PRODUCT:screws")]
    ])
  })

  it("is refused empty, on custody, of nothing, and where none was taken", () => {
    const book = shelf()
    const refused = [reserve("b"), reserve("b", [custodyOf("USD"), 1n]), reserve("b", [NAILS, 0n])]
    expect(refused.map((command) => tagOf(book, command))).toEqual(Array.from(refused, () => "InvalidCommand"))
    expect([tagOf(book, give), tagOf(book, take)]).toEqual(["HoldNotPending", "HoldNotPending"])
  })
})

describe("The parts of a multi-hold", () => {
  it("are the same after they were a text", () => {
    const anyPart = fc.record({
      account: fc.constantFrom(NAILS, SCREWS),
      amount: fc.bigInt({ min: 1n, max: 8_000_000_000_000_000n }).map(fromUnits)
    })
    fc.assert(
      fc.property(fc.array(anyPart, { minLength: 1 }), (parts) => {
        expect(partsOf(partsText(parts))).toEqual(parts)
      }),
      property()
    )
  })
})
