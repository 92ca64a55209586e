import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { Result } from "effect"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { LedgerAudit } from "../../../engine/simulation/LedgerAudit.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

const ALICE = "alice/USD/wallet"
const VAULT = "platform/USD/vault"
const CUSTODY = "platform/USD/custody"

const minted: Command = { _tag: "Transfer", id: "m", from: CUSTODY, to: ALICE, amount: usd("10"), purpose: "mint" }
const held: Command = { _tag: "Hold", id: "h", account: ALICE, into: VAULT, amount: usd("4") }
const released: Command = { _tag: "Release", hold: "h" }

/** An audit, the rules it saw broken, and a ledger that it agrees with. */
const auditOf = () => {
  const broken: Array<string> = []
  const audit = new LedgerAudit((invariant) => void broken.push(invariant))
  const book = new Book()
  const commit = () => audit.commit(book.changedAccounts, (id) => book.account(id))
  const take = (...commands: ReadonlyArray<Command>): boolean => {
    const isAccepted = Result.isSuccess(book.apply(commands))
    audit.entry(commands, isAccepted)
    commit()
    return isAccepted
  }
  return { audit, broken, book, commit, take }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("mint" as const), amount: fc.bigInt({ min: 1n, max: 9n }) }),
  fc.record({ kind: fc.constant("hold" as const), amount: fc.bigInt({ min: 1n, max: 9n }) }),
  fc.record({ kind: fc.constant("release" as const), amount: fc.bigInt({ min: 0n, max: 5n }) }),
  fc.record({ kind: fc.constant("capture" as const), amount: fc.bigInt({ min: 1n, max: 5n }) }),
  fc.record({ kind: fc.constant("cover" as const), amount: fc.bigInt({ min: 1n, max: 20n }) })
)

const commandOf = ({ kind, amount: units }: { kind: string; amount: bigint }, index: number): Command => {
  const amount = fromUnits(units)
  switch (kind) {
    case "mint":
      return { ...minted, id: `m${index}`, amount } as Command
    case "hold":
      return { ...held, id: `h${index}`, amount } as Command
    case "release":
      return { _tag: "Release", hold: `h${units}` }
    case "capture":
      return { _tag: "Capture", hold: `h${units}`, to: "bob/USD/wallet", amount, purpose: "settlement" }
    default:
      return { _tag: "Cover", id: `c${index}`, sources: ["bob/USD/wallet"], to: ALICE, amount, purpose: "yield" }
  }
}

describe("LedgerAudit", () => {
  it("agrees with the ledger on what it takes and refuses, and on every balance", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { broken, take, audit, book } = auditOf()
        for (const [index, one] of steps.entries()) take(commandOf(one, index))
        audit.end(book.accounts.values())
        expect(broken).toEqual([])
      }),
      property()
    )
  })

  it("sees a refusal without a reason, and an acceptance against one", () => {
    const { audit, broken, take } = auditOf()
    take(minted)
    audit.entry([held], false)
    expect(broken).toEqual(["refusal"])
    audit.entry([{ ...held, id: "i", amount: usd("11") } as Command], true)
    expect(broken).toEqual(["refusal", "ledger"])
  })

  it("sees a hold resolved twice", () => {
    const { audit, broken, take } = auditOf()
    take(minted, held)
    take(released)
    audit.entry([released], true)
    expect(broken).toEqual(["ledger"])
  })

  it("sees an id that is held again, also once its hold has ended", () => {
    const { audit, broken, take } = auditOf()
    take(minted, held)
    take(released)
    audit.entry([held], false)
    expect(broken).toEqual([])
    audit.entry([held], true)
    expect(broken).toEqual(["ledger"])
  })

  it("sees money that was made or moved by the way", () => {
    const { audit, broken, take, book } = auditOf()
    take(minted)
    book.accounts.set(ALICE, { ...book.account(ALICE), balance: usd("11") })
    audit.commit([ALICE], (id) => book.account(id))
    expect(broken).toEqual(["balance", "zero_sum"])
    broken.length = 0
    audit.end(book.accounts.values())
    expect(broken).toEqual(["balance", "zero_sum"])
  })

  it("sees an account that holds more than it has", () => {
    const { audit, broken, take } = auditOf()
    take(minted)
    audit.commit([ALICE], (id) => ({ id, balance: usd("10"), held: usd("11"), closed: false }))
    expect(broken).toEqual(["held", "overdraft"])
  })

  it("knows closed accounts, and what is held", () => {
    const { audit, broken, take } = auditOf()
    take(minted, held)
    expect(audit.claim("h")).toEqual({ account: ALICE, amount: usd("4"), isPending: true })
    audit.entry([{ _tag: "Close", account: VAULT }], true)
    audit.entry([{ ...held, id: "i" } as Command], false)
    expect(broken).toEqual([])
  })
})
