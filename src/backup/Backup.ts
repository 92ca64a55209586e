import { Clock, Data, Effect, Schedule } from "effect"
import { toHex } from "../../engine/actor/EventChain.ts"
import { endOf } from "../../engine/journal/JournalRow.ts"
import { JournalArchive } from "./JournalArchive.ts"
import { followsJournal, isCopied, isSeldom, JOURNAL, SELDOM_INTERVAL } from "./BackupCoverage.ts"
import type { PersonalTable } from "../database/PersonalTable.ts"
import { keyName } from "../identity/secrets/KeyRotation.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { BackupKeys, loadKeys } from "./BackupKeys.ts"
import { type BackupMemory, forgotNobodyElse, isLookedAt, isOf } from "./BackupMemory.ts"
import {
  type BackupManifest,
  type CopiedTable,
  getManifest,
  manifestName,
  type ManifestName,
  manifestNames,
  manifestStamp,
  putManifest
} from "./BackupManifest.ts"
import { NOTHING_PRUNED, pruneAlone, type Pruned } from "./BackupPruning.ts"
import { BackupRepository, type DatabasePosition, type TableColumns } from "./BackupRepository.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"
import { copyChanged, type Copying, copyRows, type TableCopy } from "./TableCopy.ts"
import { changed, startsOf } from "./TablePart.ts"

/** How often, at an interval, a backup looks whether the one that runs has ended. */
const LOOKS = 600
const LOOKING_INTERVAL = "1 second"

/** What a backup is asked to be. */
export interface BackupRequest {
  /** Whether it is to be a full one, though an increment would do. */
  readonly full: boolean
  /** Milliseconds after which the last full one is too old for an increment. */
  readonly fullEvery?: number | undefined
  /** After a full one, what no restore to any commit of so many days needs is removed. */
  readonly keepDays?: number | undefined
  /** The program's version. */
  readonly version: string
  /** The tables that identify people, which are sealed under these people's keys. */
  readonly personal: ReadonlyArray<PersonalTable>
}

/** What a backup did. */
export interface BackupReport {
  /** Its name; undefined if nothing changed since the one before, so that none was made. */
  readonly name: string | undefined
  readonly kind: BackupManifest["kind"]
  /** The end of the journal that it has. */
  readonly seq: number
  readonly madeAt: number
  readonly rows: number
  /** Bytes that were written; what earlier backups have is not written again. */
  readonly bytes: number
  /** What was removed. */
  readonly pruned: Pruned
}

/** What is known of a place from the backup before, so that only newer names are looked for, and what is new is read. */
export interface KnownBackups {
  readonly last: ManifestName | undefined
  readonly full: ManifestName | undefined
  /** As the place told it when there was nothing newer; undefined where it does not tell. */
  readonly stamp: string | undefined
  /** Of {@link last}, where this process made it. */
  readonly memory: BackupMemory | undefined
}

/** Of a place nothing is known. */
export const NOTHING_KNOWN: KnownBackups = { last: undefined, full: undefined, stamp: undefined, memory: undefined }

/** A table that is read seldom, as an earlier backup has it, if it has it of late. */
const known = (table: string, last: BackupManifest | undefined, now: number): CopiedTable | undefined =>
  isSeldom(table) ? last?.tables.find(({ at, name }) => name === table && now - at < SELDOM_INTERVAL) : undefined

/** Whether a place has the backups that are known of it: it may have been emptied, or be another one by the same name. */
const isStillThere = Effect.fnUntraced(function* ({ full, last }: KnownBackups) {
  const { size } = yield* BackupStore
  for (const name of new Set([last?.name, full?.name])) {
    if (name !== undefined && (yield* size(name)) === undefined) return false
  }
  return true
})

const lookedUp = Effect.fnUntraced(function* (before: KnownBackups) {
  const stamp = yield* manifestStamp
  // A folder of a week's increments takes long to list.
  if (stamp !== undefined && stamp === before.stamp) return before
  const known = (yield* isStillThere(before)) ? before : NOTHING_KNOWN
  const newer = yield* manifestNames(known.last)
  return {
    stamp,
    last: newer.at(-1) ?? known.last,
    full: newer.findLast(({ kind }) => kind === "full") ?? known.full,
    // Another process has made one since.
    memory: newer.length === 0 ? known.memory : undefined
  } satisfies KnownBackups
})

/** The hash of an archived row that ends with a sequence, in hex. */
const archivedHashAt = Effect.fnUntraced(function* (seq: number) {
  const row = yield* (yield* JournalArchive).rowAt(seq)
  return row !== undefined && endOf(row).seq === seq ? toHex(row.hash) : undefined
})

/** The database has what the last backup has, so that an increment goes on from there. */
const sameLine = Effect.fnUntraced(function* (last: BackupManifest) {
  const { hashAt } = yield* BackupRepository
  const found = last.seq === 0 ? last.hash : ((yield* hashAt(last.seq)) ?? (yield* archivedHashAt(last.seq)))
  if (found === last.hash) return
  const { place } = yield* BackupStore
  const message =
    `${place} has backups of another database, or of another line of this one that goes to ${last.seq}: ` +
    "name another folder, and keep this one for as long as that line is of use."
  return yield* new BackupFailed({ message })
})

const isUnchanged = (last: BackupManifest | undefined, made: BackupManifest): boolean => {
  if (last === undefined || made.kind === "full" || last.seq !== made.seq || last.projected !== made.projected)
    return false
  return made.tables.every(({ chunks, name }) => {
    const before = last.tables.find((table) => table.name === name)
    return before !== undefined && before.chunks.join() === chunks.join()
  })
}

/** Whether an increment would have no full backup to go on from, or one that is too old. */
const isDue = ({ fullEvery }: BackupRequest, { full }: KnownBackups, now: number): boolean =>
  full === undefined || (fullEvery !== undefined && full.madeAt <= now - fullEvery)

/** An increment has the journal's rows behind the last backup, as long as all of them are in its table. */
const kindOf = (
  { full, key }: Keyed,
  { archived, schema }: DatabasePosition,
  last: BackupManifest | undefined
): BackupManifest["kind"] =>
  full || last === undefined || last.schema !== schema || last.key !== key || last.seq < archived ? "full" : "increment"

const oneOf = (tables: ReadonlyArray<TableColumns>, name: string): TableColumns => {
  const table = tables.find((one) => one.name === name)
  if (table === undefined) throw new TypeError(`the database has no table ${name}`)
  return table
}

const personalOf = ({ personal }: BackupRequest, name: string): PersonalTable | undefined =>
  personal.find(({ table }) => table === name)

/** A request with the name of the `SECRET_KEY` that seals the database's columns, and the keys of people. */
interface Keyed extends BackupRequest {
  readonly key: string
  readonly keys: BackupKeys
  readonly erased: ReadonlySet<string>
}

const toCopied = ({ columns, name }: TableColumns, { parts }: TableCopy, at: number): CopiedTable => ({
  name,
  columns,
  rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  at,
  chunks: parts.map(({ chunk }) => chunk)
})

type Looked = Effect.Success<ReturnType<BackupRepository["Service"]["prints"]>>

/** Reads a table, or what changed of it where its parts are remembered. */
const read = Effect.fnUntraced(function* (
  table: TableColumns,
  copying: Copying,
  memory: BackupMemory | undefined,
  looked: Looked
) {
  const [parts, prints] = [memory?.parts.get(table.name), looked.get(table.name)]
  if (parts === undefined || prints === undefined) return yield* copyRows(table, copying)
  const isChanged = changed(parts, prints)
  if (!isChanged.includes(true)) return { parts, written: 0 } satisfies TableCopy
  return yield* copyChanged(table, copying, parts, isChanged)
})

/** The tables beside the journal, or of a full backup all others. */
const besideJournal = Effect.fnUntraced(function* (
  request: Keyed,
  tables: ReadonlyArray<TableColumns>,
  madeAt: number,
  base: BackupManifest | undefined,
  memory: BackupMemory | undefined
) {
  const { prints } = yield* BackupRepository
  const wanted = tables.filter(({ name }) => isCopied(name) && (base === undefined || !followsJournal(name)))
  const due = wanted.filter(({ name }) => known(name, base, madeAt) === undefined)
  const looked = yield* prints(
    due.flatMap((table) => {
      const parts = memory?.parts.get(table.name)
      return parts === undefined ? [] : { ...table, starts: startsOf(parts) }
    })
  )
  const copied: Array<CopiedTable> = []
  const parts = new Map(memory?.parts)
  let written = 0
  for (const table of wanted) {
    const before = known(table.name, base, madeAt)
    if (before !== undefined) {
      copied.push(before)
      continue
    }
    const personal = personalOf(request, table.name)
    const copy = yield* read(table, { keys: request.keys, erased: request.erased, personal }, memory, looked)
    copied.push(toCopied(table, copy, madeAt))
    if (isLookedAt(table.name, personal)) parts.set(table.name, copy.parts)
    written += copy.written
  }
  return { copied, parts, written }
})

/** The time of a database, in which what is recorded bears that of a sandbox's clock, also where it was set forward. */
const timeOf = ({ end }: DatabasePosition): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (now) => Math.max(now, end.recordedAt))

const copied = Effect.fn("backup.copied")(function* (
  request: Keyed,
  position: DatabasePosition,
  last: BackupManifest | undefined,
  memory?: BackupMemory
) {
  const repository = yield* BackupRepository
  // What a backup has was recorded before it was made.
  const madeAt = Math.max(yield* timeOf(position), (last?.madeAt ?? 0) + 1)
  if (last !== undefined) yield* sameLine(last)
  const kind = kindOf(request, position, last)
  const base = kind === "full" ? undefined : last
  const before = memory !== undefined && isOf(memory, position) ? memory : undefined
  const tables = before?.tables ?? (yield* repository.tables)
  const { erased, keys } = request
  // Else rows would be sealed otherwise than they were.
  const isSealedAlike = base !== undefined && before?.keys === keys && forgotNobodyElse(before, erased)
  const beside = yield* besideJournal(request, tables, madeAt, base, isSealedAlike ? before : undefined)
  const table = oneOf(tables, JOURNAL)
  const journal = yield* copyRows(table, { keys, erased }, { behind: base?.seq ?? 0 })
  const { archived, end, projected, schema, term } = position
  const manifest: BackupManifest = {
    format: 1,
    kind,
    version: request.version,
    schema,
    key: request.key,
    madeAt,
    after: base?.seq ?? archived,
    seq: end.seq,
    hash: toHex(end.hash),
    recordedAt: end.recordedAt,
    projected,
    term: String(term),
    tables: beside.copied,
    journal: toCopied(table, journal, madeAt)
  }
  return {
    manifest,
    written: beside.written + journal.written,
    memory: { manifest, position, tables, parts: beside.parts, keys, erased } satisfies BackupMemory
  }
})

/** Another backup of the database runs. */
class BackupRuns extends Data.TaggedError("BackupRuns")<{}> {}

const alone = Effect.gen(function* () {
  if (!(yield* (yield* BackupRepository).isAlone)) return yield* new BackupRuns()
})

/**
 * The keys of a place, without those of people who were forgotten: no backup there can be read for them from here on, also
 * where none is made. Read anew unless this process made the last backup: another one may have drawn some since.
 */
const keysWithout = Effect.fnUntraced(function* (erased: ReadonlySet<string>, memory: BackupMemory | undefined) {
  if (memory !== undefined && forgotNobodyElse(memory, erased) && (yield* memory.keys.isThere)) return memory.keys
  const keys = yield* loadKeys()
  keys.forget(erased)
  if (erased.size > 0) yield* BackupKeys.forgetElsewhere(erased)
  yield* keys.save
  return keys
})

const made = Effect.fnUntraced(function* (request: BackupRequest, before: KnownBackups) {
  yield* alone
  const repository = yield* BackupRepository
  const erased = yield* repository.erased
  const position = yield* repository.position
  const known = yield* lookedUp(before)
  const full = request.full || isDue(request, known, yield* timeOf(position))
  // A full one looks at everything that is there.
  const memory = full ? undefined : known.memory
  const [key, keys] = [keyName(yield* Secrets), yield* keysWithout(erased, memory)]
  const last = memory?.manifest ?? (known.last === undefined ? undefined : yield* getManifest(known.last.name))
  const done = yield* copied({ ...request, full, key, keys, erased }, position, last, memory)
  const { manifest, written } = done
  yield* keys.save
  const { journal, kind, madeAt, seq, tables } = manifest
  const unchanged = isUnchanged(last, manifest)
  const name: ManifestName = { name: manifestName(manifest), kind, madeAt, seq }
  if (!unchanged) yield* putManifest(manifest)
  const report: Omit<BackupReport, "pruned"> = {
    name: unchanged ? undefined : name.name,
    kind,
    seq,
    madeAt,
    rows: tables.reduce((sum, table) => sum + table.rows, journal.rows),
    bytes: written
  }
  const stamp = yield* manifestStamp
  const after: KnownBackups = unchanged
    ? { ...known, stamp, memory: { ...done.memory, manifest: last ?? manifest } }
    : { last: name, full: kind === "full" ? name : known.full, stamp, memory: done.memory }
  return { report, known: after }
})

/**
 * Copies a database as of one moment, beside a server that goes on: the whole of it, or what came since the last backup.
 * It counts once its manifest is written, which is last. Waits for another one that runs.
 *
 * @param known - what the backup before said of the place
 */
export const backup = Effect.fn("backup.backup")(function* (
  request: BackupRequest,
  known: KnownBackups = NOTHING_KNOWN
) {
  const { atOneMoment } = yield* BackupRepository
  const done = yield* atOneMoment(made(request, known)).pipe(
    Effect.retry({
      while: (error) => error._tag === "BackupRuns",
      times: LOOKS,
      schedule: Schedule.spaced(LOOKING_INTERVAL)
    }),
    Effect.catchTag(
      "BackupRuns",
      () =>
        new BackupFailed({
          message: "Another backup of this database has run for ten minutes: look what it waits for."
        })
    )
  )
  const isPruned = request.keepDays !== undefined && done.report.kind === "full" && done.report.name !== undefined
  const pruned = isPruned ? yield* pruneAlone(done.report.madeAt, request.keepDays ?? 0) : NOTHING_PRUNED
  const report: BackupReport = { ...done.report, pruned }
  return { report, known: done.known }
})
