import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { type Account, type AccountId, accountParts } from "../../../engine/ledger/Account.ts"
import { Book, type HoldRecord } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import {
  ACCOUNTS,
  anyBatches,
  CLOSED,
  capture,
  cover,
  hold,
  OPENING,
  release,
  transfer
} from "../../lib/LedgerCommands.ts"
import { NaiveLedger } from "../../lib/NaiveLedger.ts"
import { property } from "../../lib/Property.ts"

const CUSTODY: AccountId = "platform/USD/custody"
const ALICE: AccountId = "alice/USD/wallet"
const BOB: AccountId = "bob/USD/wallet"
const VAULT: AccountId = "platform/USD/vault"
const INSURANCE: AccountId = "platform/USD/insurance"
const EUROS: AccountId = "alice/EUR/wallet"
const SHUT: AccountId = "old/USD/vault"

const account = (id: AccountId, balance: bigint, held = 0n, closed = false): Account => ({
  id,
  balance: fromUnits(balance),
  held: fromUnits(held),
  closed
})

/** Alice has 100, of which 30 are held under `taken`; bob has 5. */
const someBook = (): Book =>
  new Book(
    [account(CUSTODY, -105n), account(ALICE, 100n, 30n), account(BOB, 5n), account(SHUT, 0n, 0n, true)],
    [{ id: "taken", account: ALICE, into: VAULT, amount: fromUnits(30n), state: { _tag: "Pending" } }]
  )

const dump = (book: Book) => ({
  accounts: [...book.accounts.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  holds: [...book.holds.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  changedAccounts: [...book.changedAccounts].toSorted(),
  changedHolds: [...book.changedHolds].toSorted(),
  multiHolds: [...book.multiHolds.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  changedMultiHolds: [...book.changedMultiHolds].toSorted(),
  postings: [...book.postings],
  receivables: [...book.receivables]
})

const refusal = (book: Book, ...commands: ReadonlyArray<Command>) => {
  const before = dump(book)
  const applied = book.apply(commands)
  if (Result.isSuccess(applied)) throw new Error("the ledger took a command that it must refuse")
  expect(dump(book)).toEqual(before)
  return applied.failure
}

const taken = (book: Book, ...commands: ReadonlyArray<Command>): Book => {
  expect(book.apply(commands)).toEqual(Result.void)
  return book
}

const expectInvariants = (book: Book): void => {
  const sums = new Map<string, bigint>()
  for (const { id, balance, held } of book.accounts.values()) {
    const { asset, kind } = accountParts(id)
    sums.set(asset, (sums.get(asset) ?? 0n) + balance)
    const pending = [...book.holds.values()].filter((one) => one.account === id && one.state._tag === "Pending")
    const parts = [...book.multiHolds.values()]
      .filter(({ state }) => state === "Pending")
      .flatMap((multiHold) => multiHold.parts.filter((part) => part.account === id))
    expect(held).toBe(fromUnits([...pending, ...parts].reduce((sum, { amount }) => sum + amount, 0n)))
    if (kind === "custody") expect(held).toBe(ZERO)
    else expect(balance >= held && held >= 0n).toBe(true)
  }
  for (const sum of sums.values()) expect(sum).toBe(0n)
}

const openings = CLOSED.map((id) => account(id, 0n, 0n, true))

describe("Book, any commands", () => {
  it("takes the opening, so that what follows meets money and holds", () => {
    expect(taken(new Book(openings), ...OPENING).holds.size).toBe(6)
  })

  it("keeps every invariant after every batch", () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const book = new Book(openings)
        for (const batch of batches) {
          book.apply(batch)
          expectInvariants(book)
        }
      }),
      property()
    )
  })

  it("answers and ends as the naive ledger does", () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const book = new Book(openings)
        const naive = new NaiveLedger(CLOSED)
        for (const batch of batches) {
          const applied = book.apply(batch)
          const answer: string | undefined = Result.isFailure(applied) ? applied.failure._tag : undefined
          expect(answer).toBe(naive.apply(batch))
          for (const id of ACCOUNTS) {
            expect(book.account(id).balance).toBe(fromUnits(naive.balance(id)))
            expect(book.account(id).held).toBe(fromUnits(naive.held(id)))
            expect(book.account(id).closed).toBe(naive.closed.has(id))
          }
        }
        expect(book.postings).toEqual(naive.state.postings)
        expect(book.receivables).toEqual(naive.state.receivables)
        expect(new Set(book.holds.keys())).toEqual(new Set(naive.state.holds.map(({ id }) => id)))
        expect(book.changedHolds).toEqual(new Set(book.holds.keys()))
        expect(new Set(book.multiHolds.keys())).toEqual(new Set(naive.state.multiHolds.map(({ id }) => id)))
        expect(book.changedMultiHolds).toEqual(new Set(book.multiHolds.keys()))
      }),
      property()
    )
  })

  it("leaves no trace of a refused batch", () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const book = new Book(openings)
        for (const batch of batches) {
          const before = dump(book)
          if (Result.isFailure(book.apply(batch))) expect(dump(book)).toEqual(before)
        }
      }),
      property()
    )
  })

  it("ends the same in one batch as in many, when all of it is taken", () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const stepwise = new Book(openings)
        const accepted = batches.flat().filter((command) => Result.isSuccess(stepwise.apply([command])))
        expect(dump(taken(new Book(openings), ...accepted))).toEqual(dump(stepwise))
      }),
      property()
    )
  })

  it("resolves each hold once and never reopens it", () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const book = new Book(openings)
        const ended = new Map<string, HoldRecord>()
        for (const batch of batches) {
          book.apply(batch)
          for (const [id, record] of ended) expect(book.holds.get(id)).toEqual(record)
          for (const record of book.holds.values()) {
            if (record.state._tag !== "Pending") ended.set(record.id, record)
          }
        }
        for (const record of ended.values()) {
          const postings = book.postings.filter(({ id }) => id === record.id)
          expect(postings.map(({ amount }) => amount)).toEqual(
            record.state._tag === "Captured" ? [record.state.amount] : []
          )
        }
      }),
      property()
    )
  })
})

describe("Book, reading", () => {
  it("takes an account it was not given for empty and open", () => {
    expect(new Book().account(ALICE)).toEqual(account(ALICE, 0n))
    expect(new Book().available(ALICE)).toBe(ZERO)
    expect([new Book().accounts.size, new Book().holds.size]).toEqual([0, 0])
  })

  it("counts what is held as not available", () => {
    expect(someBook().account(ALICE)).toEqual(account(ALICE, 100n, 30n))
    expect(someBook().available(ALICE)).toBe(fromUnits(70n))
  })

  it("takes an empty batch and changes nothing", () => {
    expect(dump(taken(someBook()))).toEqual(dump(someBook()))
  })
})

describe("Transfer", () => {
  it("moves all that is available, and not one unit more", () => {
    const book = taken(someBook(), transfer("t", ALICE, BOB, 70n))
    expect(book.account(ALICE)).toEqual(account(ALICE, 30n, 30n))
    expect(book.account(BOB)).toEqual(account(BOB, 75n))
    expect(book.postings).toEqual([{ id: "t", from: ALICE, to: BOB, amount: fromUnits(70n), purpose: "settlement" }])
    expect([...book.changedAccounts]).toEqual([ALICE, BOB])
    expect(refusal(someBook(), transfer("t", ALICE, BOB, 71n))).toMatchObject({
      _tag: "InsufficientFunds",
      account: ALICE,
      available: fromUnits(70n),
      needed: fromUnits(71n)
    })
  })

  it("lets custody go below zero, and takes money back into it", () => {
    const book = taken(new Book(), transfer("in", CUSTODY, ALICE, 9n, "mint"), transfer("out", ALICE, CUSTODY, 2n))
    expect(book.account(CUSTODY)).toEqual(account(CUSTODY, -7n))
  })

  it("refuses nothing, a negative amount, one account and two assets", () => {
    const why = (command: Command) => refusal(someBook(), command)
    expect(why(transfer("t", ALICE, BOB, 0n))).toMatchObject({ reason: "transfer t needs a positive amount" })
    expect(why(transfer("t", ALICE, BOB, -1n))).toMatchObject({ reason: "transfer t needs a positive amount" })
    const reason = "transfer t needs two accounts of one asset"
    expect(why(transfer("t", ALICE, ALICE, 1n))).toMatchObject({ _tag: "InvalidCommand", reason })
    expect(why(transfer("t", ALICE, EUROS, 1n))).toMatchObject({ _tag: "InvalidCommand", reason })
  })

  it("refuses a closed account as the target, not as the source", () => {
    expect(refusal(someBook(), transfer("t", ALICE, SHUT, 1n))).toMatchObject({ _tag: "AccountClosed", account: SHUT })
    const book = taken(new Book([account(SHUT, 4n, 0n, true)]), transfer("t", SHUT, ALICE, 4n))
    expect(book.account(SHUT)).toEqual(account(SHUT, 0n, 0n, true))
  })

  it("takes an id once, and again after the batch that used it was refused", () => {
    const book = taken(someBook(), transfer("t", ALICE, BOB, 1n))
    expect(refusal(book, transfer("t", ALICE, BOB, 1n))).toMatchObject({
      reason: "transfer t is already in this batch"
    })
    expect(refusal(book, transfer("u", ALICE, BOB, 1n), transfer("v", ALICE, BOB, 99n))._tag).toBe("InsufficientFunds")
    taken(book, transfer("u", ALICE, BOB, 1n))
    expect(refusal(book, transfer("w", ALICE, BOB, 1n), transfer("t", ALICE, BOB, 1n))._tag).toBe("InvalidCommand")
    expect(refusal(book, transfer("t", ALICE, BOB, 1n))._tag).toBe("InvalidCommand")
  })
})

describe("Hold", () => {
  it("reserves all that is available, and not one unit more", () => {
    const book = taken(someBook(), hold("h", ALICE, VAULT, 70n))
    expect(book.account(ALICE)).toEqual(account(ALICE, 100n, 100n))
    expect(book.holds.get("h")).toEqual({
      id: "h",
      account: ALICE,
      into: VAULT,
      amount: fromUnits(70n),
      state: { _tag: "Pending" }
    })
    expect([...book.changedAccounts]).toEqual([ALICE])
    expect([...book.changedHolds]).toEqual(["h"])
    expect(book.postings).toEqual([])
    expect(refusal(someBook(), hold("h", ALICE, VAULT, 71n))).toMatchObject({
      _tag: "InsufficientFunds",
      available: fromUnits(70n),
      needed: fromUnits(71n)
    })
  })

  it("refuses nothing, custody, two assets, a used id and a closed account", () => {
    const why = (command: Command) => refusal(someBook(), command)
    expect(why(hold("h", ALICE, VAULT, 0n))).toMatchObject({ reason: "hold h needs a positive amount" })
    expect(why(hold("h", CUSTODY, VAULT, 1n))).toMatchObject({ reason: "hold h is on custody" })
    expect(why(hold("h", EUROS, VAULT, 1n))).toMatchObject({ reason: "hold h needs two accounts of one asset" })
    expect(why(hold("taken", ALICE, VAULT, 1n))).toMatchObject({ reason: "hold taken exists" })
    expect(why(hold("h", ALICE, SHUT, 1n))).toMatchObject({ _tag: "AccountClosed", account: SHUT })
  })

  it("keeps the id of a resolved hold", () => {
    expect(refusal(taken(someBook(), release("taken")), hold("taken", ALICE, VAULT, 1n))._tag).toBe("InvalidCommand")
  })
})

describe("Release", () => {
  it("frees the hold once and posts nothing", () => {
    const book = taken(someBook(), release("taken"))
    expect(book.account(ALICE)).toEqual(account(ALICE, 100n))
    expect(book.holds.get("taken")?.state).toEqual({ _tag: "Released" })
    expect([...book.changedHolds]).toEqual(["taken"])
    expect(book.postings).toEqual([])
    expect(refusal(book, release("taken"))).toMatchObject({ _tag: "HoldNotPending", hold: "taken" })
    expect(refusal(book, capture("taken", BOB, 1n))).toMatchObject({ _tag: "HoldNotPending", hold: "taken" })
    expect(refusal(book, release("never"))).toMatchObject({ _tag: "HoldNotPending", hold: "never" })
  })
})

describe("Capture", () => {
  it("moves a part and releases the rest in the same posting", () => {
    const book = taken(someBook(), capture("taken", BOB, 12n))
    expect(book.account(ALICE)).toEqual(account(ALICE, 88n))
    expect(book.account(BOB)).toEqual(account(BOB, 17n))
    expect(book.holds.get("taken")?.state).toEqual({ _tag: "Captured", amount: fromUnits(12n) })
    expect(book.postings).toEqual([
      { id: "taken", from: ALICE, to: BOB, amount: fromUnits(12n), purpose: "settlement" }
    ])
    expect(refusal(book, capture("taken", BOB, 1n))._tag).toBe("HoldNotPending")
    expect(refusal(book, release("taken"))._tag).toBe("HoldNotPending")
  })

  it("moves all of the hold, and not one unit more", () => {
    expect(taken(someBook(), capture("taken", BOB, 30n)).account(ALICE)).toEqual(account(ALICE, 70n))
    const reason = "capture of taken needs 0 < amount ≤ the hold"
    expect(refusal(someBook(), capture("taken", BOB, 31n))).toMatchObject({ _tag: "InvalidCommand", reason })
    expect(refusal(someBook(), capture("taken", BOB, 0n))).toMatchObject({ _tag: "InvalidCommand", reason })
  })

  it("refuses the hold's own account, another asset and a closed account", () => {
    const reason = "capture of taken needs another account of its asset"
    expect(refusal(someBook(), capture("taken", ALICE, 1n))).toMatchObject({ _tag: "InvalidCommand", reason })
    expect(refusal(someBook(), capture("taken", EUROS, 1n))).toMatchObject({ _tag: "InvalidCommand", reason })
    expect(refusal(someBook(), capture("taken", SHUT, 1n))).toMatchObject({ _tag: "AccountClosed", account: SHUT })
    expect(refusal(someBook(), capture("never", BOB, 1n))).toMatchObject({ _tag: "HoldNotPending", hold: "never" })
  })

  it("captures a hold of the same batch, and forgets both when the batch is refused", () => {
    expect(taken(someBook(), hold("h", BOB, VAULT, 5n), capture("h", ALICE, 5n)).account(BOB)).toEqual(account(BOB, 0n))
    const book = someBook()
    expect(refusal(book, hold("h", BOB, VAULT, 5n), capture("h", INSURANCE, 5n), release("h"))._tag).toBe(
      "HoldNotPending"
    )
    taken(book, hold("h", BOB, VAULT, 5n))
  })
})

describe("Cover", () => {
  it("pays from the sources in their order and leaves the rest as a receivable", () => {
    const book = taken(someBook(), cover("c", [BOB, VAULT, ALICE], INSURANCE, 80n))
    expect(book.postings).toEqual([
      { id: "c", from: BOB, to: INSURANCE, amount: fromUnits(5n), purpose: "insurance" },
      { id: "c/2", from: ALICE, to: INSURANCE, amount: fromUnits(70n), purpose: "insurance" }
    ])
    expect(book.receivables).toEqual([{ id: "c", to: INSURANCE, amount: fromUnits(5n) }])
    expect(book.account(ALICE)).toEqual(account(ALICE, 30n, 30n))
    expect(book.account(INSURANCE)).toEqual(account(INSURANCE, 75n))
  })

  it("owes nothing when the sources reach exactly, and spares those it does not need", () => {
    const book = taken(someBook(), cover("c", [ALICE, BOB], INSURANCE, 70n))
    expect(book.receivables).toEqual([])
    expect(book.postings.map(({ from }) => from)).toEqual([ALICE])
    expect([...book.changedAccounts]).toEqual([ALICE, INSURANCE])
  })

  it("owes all of it without sources", () => {
    const book = taken(someBook(), cover("c", [], INSURANCE, 3n))
    expect(book.receivables).toEqual([{ id: "c", to: INSURANCE, amount: fromUnits(3n) }])
    expect([...book.changedAccounts]).toEqual([])
  })

  it("makes the receivable of what the sources lacked", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 50n), fc.bigInt(0n, 50n), fc.bigInt(1n, 150n), (one, other, amount) => {
        const book = taken(
          new Book([account(ALICE, one), account(BOB, other)]),
          cover("c", [ALICE, BOB], INSURANCE, amount)
        )
        const owed = book.receivables.reduce((sum, receivable) => sum + receivable.amount, 0n)
        expect(owed).toBe(amount > one + other ? amount - one - other : 0n)
        expect(book.account(INSURANCE).balance + owed).toBe(amount)
      }),
      property()
    )
  })

  it("refuses nothing, custody, its own target, another asset and a used id", () => {
    const why = (...commands: ReadonlyArray<Command>) => refusal(someBook(), ...commands)
    const reason = "payment c needs sources of its asset other than custody and its target"
    expect(why(cover("c", [ALICE], BOB, 0n))).toMatchObject({ reason: "payment c needs a positive amount" })
    expect(why(cover("c", [CUSTODY], BOB, 1n))).toMatchObject({ _tag: "InvalidCommand", reason })
    expect(why(cover("c", [ALICE, BOB], BOB, 1n))).toMatchObject({ _tag: "InvalidCommand", reason })
    expect(why(cover("c", [ALICE, EUROS], BOB, 1n))).toMatchObject({ _tag: "InvalidCommand", reason })
    expect(why(cover("c", [], BOB, 1n), cover("c", [], BOB, 1n))).toMatchObject({
      reason: "payment c is already in this batch"
    })
    expect(why(transfer("c", ALICE, BOB, 1n), cover("c", [], BOB, 1n))._tag).toBe("InvalidCommand")
  })

  it("gives a hold back when the batch that resolved it is refused", () => {
    const book = someBook()
    expect(refusal(book, release("taken"), release("never"))._tag).toBe("HoldNotPending")
    expect(refusal(book, capture("taken", BOB, 3n), release("never"))._tag).toBe("HoldNotPending")
    expect(taken(book, release("taken")).account(ALICE)).toEqual(account(ALICE, 100n))
  })

  it("takes its receivables and postings back when the batch is refused", () => {
    const book = taken(someBook(), cover("b", [BOB], INSURANCE, 9n))
    expect(refusal(book, cover("c", [ALICE], INSURANCE, 99n), release("never"))._tag).toBe("HoldNotPending")
    expect(book.receivables).toHaveLength(1)
    taken(book, cover("c", [ALICE], INSURANCE, 1n))
  })
})
