import { describe, expect, it } from "bun:test"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { MAX_REMEMBERED, WriterMemory } from "../../../src/database/WriterMemory.ts"

const wallet = accountId("ann", "USD", "wallet")
const custody = accountId("platform", "USD", "custody")
const head = { version: 1, hash: GENESIS }

const minted = (units: bigint) => {
  const book = new Book()
  book.apply([
    { _tag: "Transfer", id: `m${units}`, from: custody, to: wallet, amount: fromUnits(units), purpose: "mint" }
  ])
  return book
}

describe("WriterMemory", () => {
  it("knows what the last commit left of each stream and account, and nothing else", () => {
    const memory = new WriterMemory()
    memory.remember({ book: minted(5n), heads: new Map([["order/1", head]]) })
    memory.remember({ book: minted(7n), heads: new Map([["order/2", { ...head, version: 4 }]]) })
    expect(memory.account(wallet)?.balance).toBe(fromUnits(7n))
    expect(memory.account(custody)?.balance).toBe(fromUnits(-7n))
    expect([memory.head("order/1")?.version, memory.head("order/2")?.version, memory.head("order/3")]).toEqual([
      1,
      4,
      undefined
    ])
  })

  it("knows what was read", () => {
    const memory = new WriterMemory()
    memory.recall([{ id: "product/1", version: 3, hash: GENESIS }], [minted(5n).account(wallet)])
    expect(memory.head("product/1")).toEqual({ version: 3, hash: GENESIS })
    expect(memory.account(wallet)?.balance).toBe(fromUnits(5n))
  })

  it("forgets when it is told to, and when it is full", () => {
    const memory = new WriterMemory()
    memory.remember({ book: minted(5n), heads: new Map() })
    memory.forget()
    expect(memory.account(wallet)).toBeUndefined()
    memory.remember({
      book: minted(5n),
      heads: new Map(Array.from({ length: MAX_REMEMBERED + 1 }, (_, index) => [`order/${index}`, head]))
    })
    memory.remember({ book: new Book(), heads: new Map([["order/new", head]]) })
    expect([memory.head("order/1"), memory.account(wallet)]).toEqual([undefined, undefined])
    expect(memory.head("order/new")).toEqual(head)
  })
})
