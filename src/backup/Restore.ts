/** Writes the tables and the journal of a backup's plan into an empty database; rows about people who were forgotten stay out. */

import { Clock, Effect, Result } from "effect"
import { entriesOf, type JournalRow } from "../../engine/journal/JournalRow.ts"
import type { PersonalTable } from "../database/PersonalTable.ts"
import { JOURNAL } from "./BackupCoverage.ts"
import type { BackupKeys } from "./BackupKeys.ts"
import { getChunk } from "./BackupChunk.ts"
import { eachJournalRow } from "./BackupAudit.ts"
import type { BackupManifest, CopiedTable } from "./BackupManifest.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"
import { openedLine } from "./PersonalRows.ts"
import type { RestorePlan } from "./RestorePlan.ts"
import { RestoreRepository } from "./RestoreRepository.ts"

/** Its row says how far a sandbox's clock was set forward. */
const CLOCK = "sandbox_clock"

const typesOf = Effect.fnUntraced(function* ({ columns, name }: Pick<CopiedTable, "columns" | "name">) {
  const types = yield* (yield* RestoreRepository).typesOf(name)
  const unknown = columns.find((column) => !types.has(column))
  if (unknown !== undefined || types.size < columns.length) {
    const message = `This version's table ${name} has no ${unknown}: restore with the version of the program that made the backup.`
    return yield* new BackupFailed({ message })
  }
  return new Map(columns.map((column) => [column, types.get(column) ?? ""]))
})

/** What opens rows that identify people. */
export interface PersonalKeys {
  readonly keys: BackupKeys
  readonly tables: ReadonlyArray<PersonalTable>
}

/** Lines as they were, without those about people who were forgotten. */
const opened = Effect.fnUntraced(function* (
  { columns, name }: CopiedTable,
  { keys, tables }: PersonalKeys,
  lines: ReadonlyArray<string>
) {
  const personal = tables.find(({ table }) => table === name)
  if (personal === undefined) return lines
  const rows: Array<string> = []
  for (const line of lines) {
    const row = openedLine(personal, columns, line, (subject) => keys.get(subject))
    if (Result.isFailure(row)) {
      const { place } = yield* BackupStore
      const message = `A row of ${name} in ${place} does not open under the key of whoever it is about. Use another copy of the backup.`
      return yield* new BackupFailed({ message })
    }
    if (row.success !== undefined) rows.push(row.success)
  }
  return rows
})

const load = Effect.fnUntraced(function* (table: CopiedTable, people: PersonalKeys) {
  const { add } = yield* RestoreRepository
  const types = yield* typesOf(table)
  for (const chunk of table.chunks) {
    yield* add(table.name, types, yield* opened(table, people, yield* getChunk(chunk)))
  }
})

/** The companies that a row's events make. A backup that is younger than the tables has their rows already. */
const companiesMadeBy = (row: JournalRow): ReadonlyArray<string> =>
  row.body.includes('"CompanyCreated"')
    ? (entriesOf(row) ?? []).flatMap(({ data }) => {
        const event = JSON.parse(data) as { readonly _tag: string; readonly companyId?: string }
        return event._tag === "CompanyCreated" && event.companyId !== undefined ? [event.companyId] : []
      })
    : []

/** How far a sandbox's clock was ahead of the machine's when a backup was made, in milliseconds. */
const leadIn = Effect.fnUntraced(function* ({ tables }: BackupManifest) {
  const { chunks = [], columns = [] } = tables.find(({ name }) => name === CLOCK) ?? {}
  const at = columns.indexOf("lead")
  const lines = yield* Effect.forEach(chunks, getChunk)
  return Math.max(0, ...lines.flat().map((line) => Number((JSON.parse(line) as ReadonlyArray<string | null>)[at] ?? 0)))
})

/**
 * Lets a sandbox's clock go on from the last record, where the backup that has it was made before the clock was set forward.
 * What was recorded later than a machine says, without anybody having set the clock, is the machine's to set right.
 */
const goOnFrom = Effect.fnUntraced(function* ({ ahead, beside }: RestorePlan, recordedAt: number) {
  if (ahead === beside) return
  const needed = recordedAt - (yield* Clock.currentTimeMillis)
  const lead = Math.min(needed, yield* leadIn(ahead))
  if (lead > 0) yield* (yield* RestoreRepository).lead(lead)
})

/**
 * Writes the tables and the journal of a plan into a database that has the schema and nothing else. The tables are as far
 * as the plan's full backup then: what the journal has behind that is for the projector to write.
 *
 * @param people - whose rows there are
 * @returns the foreign keys that are to be made again once the tables follow
 */
export const loadPlan = Effect.fn("backup.loadPlan")(function* (plan: RestorePlan, people: PersonalKeys) {
  const { add, place, prepare, removeCompanies } = yield* RestoreRepository
  const { base, beside } = plan
  const keys = yield* prepare(plan.tables.map(({ name }) => name))
  for (const table of plan.tables) yield* load(table, people)
  const types = yield* typesOf({ name: JOURNAL, columns: base.journal.columns })
  const made: Array<string> = []
  let recordedAt = 0
  let term = BigInt(beside.term) > BigInt(base.term) ? BigInt(beside.term) : BigInt(base.term)
  yield* eachJournalRow(
    plan,
    Effect.fnUntraced(function* (rows) {
      if (rows.length === 0) return
      yield* add(
        JOURNAL,
        types,
        rows.map(({ line }) => line)
      )
      for (const { row } of rows) {
        if (row.term > term) term = row.term
        recordedAt = Math.max(recordedAt, row.recordedAt)
        if (row.firstSeq > base.projected) made.push(...companiesMadeBy(row))
      }
    })
  )
  yield* removeCompanies(made)
  yield* goOnFrom(plan, recordedAt)
  yield* place({ projected: base.projected, term: term + 1n })
  return keys
})
