import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { settleGroup } from "../../../engine/actor/CommitGroup.ts"
import type { Batch } from "../../../engine/actor/Journal.ts"
import { appendedGroup } from "../../../engine/journal/AppendedGroup.ts"
import { entriesOf } from "../../../engine/journal/JournalRow.ts"
import { recordedGroup } from "../../../engine/journal/JournalRecovery.ts"
import { WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { MemoryDatabase } from "../../../engine/simulation/MemoryDatabase.ts"
import { plannedBatch, plannedEntry } from "../../lib/LedgerPlans.ts"
import { property } from "../../lib/Property.ts"

/** What is appended of drawn entries behind an empty journal. */
const appended = (entries: ReadonlyArray<Parameters<typeof plannedBatch>[0]>, memory = new WriterMemory()) => {
  const placed: Array<string> = []
  return appendedBatches(
    entries.map((entry) => plannedBatch(entry, placed)),
    memory
  )
}

const appendedBatches = (batches: ReadonlyArray<Batch<PlatformEvent>>, memory = new WriterMemory()) => {
  const settled = settleGroup<PlatformEvent>(batches, { book: new Book(), heads: new Map() }, 0, link)
  const { end } = new MemoryDatabase()
  const answers = {
    of: ({ seq }: { readonly seq: number }) => ({ status: 201, body: `${seq}` }),
    follows: ({ _tag }: PlatformEvent) => _tag === "FundsMinted"
  }
  return { settled, ...appendedGroup(settled, { end, memory, answers, term: 7n, now: 42 }, link) }
}

describe("appendedGroup", () => {
  it("has rows of which a start reads the same entries", () => {
    fc.assert(
      fc.property(fc.array(plannedEntry, { minLength: 1, maxLength: 20 }), (entries) => {
        const { group, rows, settled } = appended(entries)
        const read = rows.map(recordedGroup)
        const data = read.flatMap(({ batches }) => batches.flatMap((batch) => batch.entries.map(({ event }) => event)))
        expect(data).toEqual(settled.recorded.map(({ event }) => event))
        expect(read.flatMap(({ answers }) => answers)).toEqual([...group.answers])
        expect(rows.every(({ recordedAt, term }) => recordedAt === 42 && term === 7n)).toBe(true)
        expect(group.end.seq).toBe(settled.recorded.length)
      }),
      property()
    )
  })

  it("answers retries as whoever decides it says, where the entry left that open", () => {
    const { group } = appended([{ owner: 0, stream: 0, act: "mint", of: 0 }])
    expect(group.answers).toEqual([{ seq: 1, key: "mint0", fingerprint: "f", status: 201, body: "1" }])
  })

  it("keeps no answer under a name where it follows from the event", () => {
    const batchOf = (key: string, answer?: { readonly status: number; readonly body: string }) => {
      const { entries, ...batch } = plannedBatch({ owner: 0, stream: 0, act: "mint", of: 0 }, [], key)
      const idempotency = { key, fingerprint: "f", ...(answer === undefined ? {} : { answer }) }
      return { ...batch, entries: entries.map((entry) => ({ ...entry, idempotency })) }
    }
    const given = { status: 202, body: "given" }
    const { group, rows } = appendedBatches([batchOf("@1/n.1/1"), batchOf("@1/n.1/2", given), batchOf("key")])
    expect(group.answers).toEqual([
      { seq: 2, key: "@1/n.1/2", fingerprint: "f", ...given },
      { seq: 3, key: "key", fingerprint: "f", status: 201, body: "3" }
    ])
    expect(rows.flatMap((row) => entriesOf(row) ?? []).map(({ key }) => key)).toEqual(["@1/n.1/1", "@1/n.1/2", "key"])
  })

  it("names the accounts that nobody wrote before", () => {
    const mint = { owner: 0, stream: 0, act: "mint", of: 0 } as const
    const first = appended([mint])
    expect(first.group.newAccounts.size).toBe(2)
    const memory = new WriterMemory()
    memory.remember(first.settled, 1)
    expect(appended([mint], memory).group.newAccounts.size).toBe(0)
  })
})
