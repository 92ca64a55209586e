/** Reads backups whole before anything is restored: each file by its hash, each row of the journal behind the one before. */

import { Effect } from "effect"
import { type JournalEnd, endOf, type JournalRow } from "../../engine/journal/JournalRow.ts"
import { GENESIS } from "../../engine/actor/EventChain.ts"
import { behind } from "../../engine/journal/ArchivedJournal.ts"
import { JournalWalk } from "../../engine/journal/JournalWalk.ts"
import type { ArchivedFile } from "./ArchiveFile.ts"
import { link } from "../database/ChainLink.ts"
import { unpack } from "../database/PackedText.ts"
import { archivedIn } from "./BackupArchive.ts"
import { getChunk } from "./BackupChunk.ts"
import { auditKeys, hasKeys } from "./BackupKeys.ts"
import { type CopiedTable, getManifest, manifestNames } from "./BackupManifest.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"
import { isSealed } from "./PersonalRows.ts"
import type { RestorePlan } from "./RestorePlan.ts"

/** Where what is restored ends, and how much it is. */
export interface AuditedPlan {
  readonly end: JournalEnd
  readonly rows: number
  readonly files: number
  /** The files of the journal's archive that have what the backups do not. */
  readonly archived: ReadonlyArray<ArchivedFile>
}

/** Bytes as PostgreSQL writes them in text: `\x` and hexadecimal digits. */
const bytesOf = (text: string): Uint8Array => Buffer.from(text.slice(2), "hex")

/** A line of the journal's chunks as the row that it is. */
export const journalRow = (columns: ReadonlyArray<string>, line: string): JournalRow => {
  const values = JSON.parse(line) as ReadonlyArray<string | null>
  const valueOf = (column: string): string => values[columns.indexOf(column)] ?? ""
  const answers = values[columns.indexOf("answers")] ?? null
  return {
    firstSeq: Number(valueOf("first_seq")),
    count: Number(valueOf("count")),
    term: BigInt(valueOf("term")),
    recordedAt: Number(valueOf("recorded_at")),
    hash: bytesOf(valueOf("hash")),
    answersDigest: bytesOf(valueOf("answers_digest")),
    body: unpack(valueOf("body")),
    answers: answers === null ? null : unpack(answers)
  }
}

/** Takes each row of the journal up to the target once, with the line that it came in. */
export const eachJournalRow = <E, R>(
  plan: RestorePlan,
  take: (rows: ReadonlyArray<{ readonly line: string; readonly row: JournalRow }>) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    let seq = 0
    for (const { chunks, columns } of plan.journal) {
      for (const chunk of chunks) {
        const rows = (yield* getChunk(chunk)).map((line) => ({ line, row: journalRow(columns, line) }))
        // Two backups at the same moment may both have rows that came since the one before.
        const wanted = rows.filter(({ row }) => row.firstSeq > seq && plan.has(row))
        yield* take(wanted)
        seq = Math.max(seq, ...wanted.map(({ row }) => endOf(row).seq))
      }
    }
  })

const altered = Effect.fnUntraced(function* (what: string) {
  const { place } = yield* BackupStore
  return yield* new BackupFailed({
    message: `${place} is not what was backed up: ${what}. Use another copy of the backup.`
  })
})

const auditTable = Effect.fnUntraced(function* ({ chunks, name, rows }: CopiedTable) {
  let found = 0
  for (const chunk of chunks) found += (yield* getChunk(chunk)).length
  if (found !== rows) return yield* altered(`${name} has ${found} rows, of which there were ${rows}`)
})

/** Fails where rows are sealed and no key is there at all, which is no sign that everybody was forgotten. */
const auditSealed = Effect.fnUntraced(function* ({ base, tables }: RestorePlan) {
  if (yield* hasKeys(base.key)) return
  for (const { chunks } of tables) {
    for (const chunk of chunks) {
      if (!(yield* getChunk(chunk)).some(isSealed)) continue
      const { place } = yield* BackupStore
      return yield* new BackupFailed({
        message: `${place} lacks the keys that its rows about people are sealed under: copy its folder keys/${base.key} as well.`
      })
    }
  }
})

/** The row behind which a walk over a plan's journal begins; undefined where it begins with the journal's first. */
const walkedBefore = Effect.fnUntraced(function* (first: JournalRow, archived: ArchivedFile | undefined) {
  if (archived === undefined || first.firstSeq === 1) return undefined
  if (first.firstSeq === archived.last + 1) return behind(archived)
  if (first.firstSeq > archived.last) {
    return yield* altered(`the journal begins with ${first.firstSeq}, and its archive ends with ${archived.last}`)
  }
  // Its rows were about to be removed: what stands before this one is compared once the archive is read.
  return { last: first.firstSeq - 1, row: undefined }
})

/** Reads every file of a plan, walks the journal's chain, and says where it ends. */
export const auditPlan = Effect.fn("backup.auditPlan")(function* (plan: RestorePlan) {
  for (const table of plan.tables) yield* auditTable(table)
  yield* auditSealed(plan)
  const archived = yield* archivedIn(plan)
  let last: JournalRow | undefined
  let rows = 0
  yield* eachJournalRow(
    plan,
    Effect.fnUntraced(function* (found) {
      const [first, ...rest] = found.map(({ row }) => row)
      if (first === undefined) return
      rows += found.length
      const before =
        last === undefined ? yield* walkedBefore(first, archived.at(-1)) : { last: endOf(last).seq, row: last }
      const isGiven = before !== undefined && before.row === undefined
      const walk = new JournalWalk(link, isGiven ? { last: endOf(first).seq, row: first } : before)
      for (const row of isGiven ? rest : [first, ...rest]) {
        const finding = walk.take(row)
        if (finding !== undefined) return yield* altered(`event ${finding.seq} ${finding.problem}`)
      }
      last = rest.at(-1) ?? first
    })
  )
  const { base } = plan
  const end = last === undefined ? { seq: base.seq, hash: GENESIS, recordedAt: base.recordedAt } : endOf(last)
  if (end.seq < plan.beside.seq)
    return yield* altered(`the journal ends with ${end.seq}, and ended with ${plan.beside.seq}`)
  const files = [...plan.tables, ...plan.journal].reduce((sum, { chunks }) => sum + chunks.length, 0)
  const all = plan.tables.reduce((sum, table) => sum + table.rows, rows)
  return { end, rows: all, files, archived } satisfies AuditedPlan
})

/** Reads every file of every backup. Fails at the first that is not what was kept; returns how many there are. */
export const auditStore = Effect.gen(function* () {
  const chunks = new Set<string>()
  const names = yield* manifestNames()
  for (const { name } of names) {
    const { journal, tables } = yield* getManifest(name)
    for (const table of [...tables, journal]) for (const chunk of table.chunks) chunks.add(chunk)
  }
  for (const chunk of chunks) yield* getChunk(chunk)
  return names.length + chunks.size + (yield* auditKeys)
})
