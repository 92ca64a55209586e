import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { LedgerTrace } from "../../../engine/actor/CommitGroup.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { MemoryDatabase } from "../../../engine/simulation/MemoryDatabase.ts"
import { MemoryTables, Rejected } from "../../../engine/simulation/MemoryTables.ts"
import { MINT, settledGroup } from "../../lib/journal/SettledGroups.ts"

const ANN = "ann/USD/wallet"

const groupOf = (placed: Array<string> = []) =>
  settledGroup(new MemoryDatabase(), [MINT, { ...MINT, stream: 1 }, { ...MINT, act: "hold" }], placed).group

describe("MemoryTables", () => {
  it("have what a group leaves, and a copy of them that stays", () => {
    const tables = new MemoryTables()
    tables.write([groupOf()])
    const copy = new MemoryTables(tables)
    expect(copy.stream("s/0").map(({ seq, version }) => [seq, version])).toEqual([
      [1, 1],
      [3, 2]
    ])
    expect(copy.holds.get("hold2")).toMatchObject({ placedBy: 3, resolvedBy: undefined })
    expect(copy.accounts.get("ann/USD/wallet")).toMatchObject({ balance: 20n, held: 3n })
    expect([copy.transfers.size, copy.claims.size, copy.keys.size]).toEqual([2, 3, 3])
    tables.addEvent({ seq: 4, stream: "s/0", version: 3, data: "{}", hash: "" })
    expect([tables.events.length, copy.events.length]).toEqual([4, 3])
  })

  it("take nothing twice, and no account that nobody added", () => {
    const tables = new MemoryTables()
    const group = groupOf()
    tables.write([group])
    expect(() => tables.write([group])).toThrow(Rejected)
    expect(() => new MemoryTables().write([{ ...group, newAccounts: new Set() }])).toThrow("lacks")
  })

  it("close an account with the group that turns it alone", () => {
    const tables = new MemoryTables()
    const group = groupOf()
    tables.write([group])
    const changed = (...commands: ReadonlyArray<Command>) => {
      const book = new Book([{ id: ANN, balance: fromUnits(20n), held: fromUnits(3n), closed: false }])
      expect(Result.isSuccess(book.apply(commands))).toBe(true)
      const settled = { ...group.settled, book, recorded: [], claims: new Map(), trace: new LedgerTrace() }
      tables.write([{ ...group, settled, answers: [], newAccounts: new Set() }])
      return tables.accounts.get(ANN)
    }
    const hold: Command = { _tag: "Hold", id: "other", account: ANN, into: ANN, amount: fromUnits(1n) }
    expect(changed({ _tag: "Close", account: ANN })).toMatchObject({ held: 3n, closed: true })
    expect(changed(hold)).toMatchObject({ held: 4n, closed: true })
    expect(changed({ _tag: "Open", account: ANN })).toMatchObject({ held: 3n, closed: false })
  })

  it("keep what the journal says, also in the place of a refusal", () => {
    const tables = new MemoryTables()
    const answer = { key: "k", fingerprint: "f", status: 200, body: "" }
    tables.refusals.set("k", { ...answer, status: 422, seq: 0, at: 0 })
    expect(tables.kept("k")?.status).toBe(422)
    tables.keep({ ...answer, seq: 1 }, 0)
    expect(tables.kept("k")?.seq).toBe(1)
    tables.keep({ ...answer, seq: 3 }, 1)
    expect(tables.kept("k")?.seq).toBe(3)
  })
})
