import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { type Batch, type Journal, StaleVersion } from "../../../engine/actor/Journal.ts"
import { InsufficientFunds } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { MemoryJournal } from "../../lib/MemoryJournal.ts"

interface Noted {
  readonly note: string
  readonly amount: bigint
}

const decode = (data: string): Noted => {
  const { note, amount } = JSON.parse(data) as { note: string; amount: string }
  return { note, amount: BigInt(amount) }
}

const journal = () => {
  const made = new MemoryJournal<Noted>(decode)
  made.book.apply([move("mint", "platform/USD/custody", "alice/USD/wallet", 10n)])
  return made
}

const move = (
  id: string,
  from: "platform/USD/custody" | "alice/USD/wallet",
  to: "alice/USD/wallet" | "bob/USD/wallet",
  units: bigint
): Command => ({
  _tag: "Transfer",
  id,
  from,
  to,
  amount: fromUnits(units),
  purpose: "capital"
})

const noted = (note: string, ...commands: ReadonlyArray<Command>) => ({ commands, event: { note, amount: 1n } })

const append = (to: Journal<Noted>, stream: string, version: number | null, ...entries: Batch<Noted>["entries"]) =>
  Effect.runSync(Effect.result(to.append({ stream, version, entries })))

describe("a journal", () => {
  it("numbers events without gaps, in all and in each stream, and chains their hashes", () => {
    const to = journal()
    append(to, "a", 0, noted("1"), noted("2"))
    append(to, "b", 0, noted("3"))
    append(to, "a", 2, noted("1"))
    expect(to.recorded.map(({ seq, stream, version, event }) => [seq, stream, version, event.note])).toEqual([
      [1, "a", 1, "1"],
      [2, "a", 2, "2"],
      [3, "b", 1, "3"],
      [4, "a", 3, "1"]
    ])
    expect(new Set(to.recorded.map(({ hash }) => hash)).size).toBe(4)
    expect(to.recorded.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })

  it("refuses the whole batch of a stale actor, and takes one that depends on no version", () => {
    const to = journal()
    append(to, "a", 0, noted("1"))
    for (const stale of [0, 2]) {
      const refused = append(to, "a", stale, noted("2", move("t", "alice/USD/wallet", "bob/USD/wallet", 1n)))
      expect(refused).toMatchObject({ failure: new StaleVersion({ stream: "a", expected: stale, actual: 1 }) })
    }
    expect(to.recorded).toHaveLength(1)
    expect(to.book.account("bob/USD/wallet").balance).toBe(fromUnits(0n))
    append(to, "a", null, noted("3"))
    expect(to.recorded.at(-1)).toMatchObject({ version: 2, event: { note: "3" } })
  })

  it("refuses an entry with the ledger's error and records the others", () => {
    const to = journal()
    const outcomes = append(
      to,
      "a",
      0,
      noted("1", move("t1", "alice/USD/wallet", "bob/USD/wallet", 6n)),
      noted(
        "2",
        move("t2", "alice/USD/wallet", "bob/USD/wallet", 2n),
        move("t3", "alice/USD/wallet", "bob/USD/wallet", 5n)
      ),
      noted("3", move("t4", "alice/USD/wallet", "bob/USD/wallet", 4n))
    )
    expect(outcomes).toMatchObject({
      success: [
        { _tag: "Accepted", recorded: { version: 1 } },
        {
          _tag: "Refused",
          error: new InsufficientFunds({ account: "alice/USD/wallet", available: fromUnits(2n), needed: fromUnits(5n) })
        },
        { _tag: "Accepted", recorded: { version: 2 } }
      ]
    })
    expect(to.book.account("bob/USD/wallet").balance).toBe(fromUnits(10n))
  })

  it("gives a stream's events back as they were recorded", () => {
    const to = journal()
    append(to, "a", 0, noted("1"), noted("2"))
    append(to, "b", 0, noted("3"))
    expect(to.history("a")).toEqual([
      { note: "1", amount: 1n },
      { note: "2", amount: 1n }
    ])
  })
})
