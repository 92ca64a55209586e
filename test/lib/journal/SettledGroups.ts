import { settleGroup } from "../../../engine/actor/CommitGroup.ts"
import { appendedGroup, type GroupRows } from "../../../engine/journal/AppendedGroup.ts"
import { groupLoading } from "../../../engine/journal/GroupLoading.ts"
import { WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import type { MemoryDatabase } from "../../../engine/simulation/MemoryDatabase.ts"
import { storedRowsOf } from "../../../engine/simulation/MemoryWritePath.ts"
import { Effect } from "effect"
import { link } from "../../../src/database/ChainLink.ts"
import { plannedBatch, type PlannedEntry } from "../LedgerPlans.ts"

/** A group of such entries, decided on what the tables of a database have, behind its journal's end. */
export const settledGroup = (
  { end, tables, term }: MemoryDatabase,
  entries: ReadonlyArray<PlannedEntry>,
  placed: Array<string> = []
): GroupRows => {
  const batches = entries.map((entry) => plannedBatch(entry, placed))
  const memory = new WriterMemory()
  const load = groupLoading(storedRowsOf((read) => Effect.sync(() => read(tables))))
  const settled = settleGroup(batches, Effect.runSync(load(batches, memory, 0, () => false)), end.seq, link)
  const answers = { of: () => ({ status: 200, body: "" }), follows: () => false }
  return appendedGroup(settled, { end, memory, answers, term, now: end.recordedAt + 1 }, link)
}

export const MINT: PlannedEntry = { owner: 0, stream: 0, act: "mint", of: 0 }
