import { Clock, Data, Effect, Schedule } from "effect"
import { toHex } from "../../engine/actor/EventChain.ts"
import { endOf } from "../../engine/journal/JournalRow.ts"
import { JournalArchive } from "./JournalArchive.ts"
import { followsJournal, isCopied, isSeldom, JOURNAL, SELDOM_INTERVAL } from "./BackupCoverage.ts"
import type { PersonalTable } from "../database/PersonalTable.ts"
import { keyName } from "../identity/secrets/KeyRotation.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { ChunkWriter, putChunk } from "./BackupChunk.ts"
import { BackupKeys, drawKeys, loadKeys } from "./BackupKeys.ts"
import {
  type BackupManifest,
  type CopiedTable,
  getManifest,
  manifestName,
  type ManifestName,
  manifestNames,
  putManifest
} from "./BackupManifest.ts"
import { NOTHING_PRUNED, pruneAlone, type Pruned } from "./BackupPruning.ts"
import { BackupRepository, type DatabasePosition, type TableColumns } from "./BackupRepository.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"
import { ownedLine, sealedLine } from "./PersonalRows.ts"

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

/** What is known of a place from the backup before, so that only newer names are looked for. */
export interface KnownBackups {
  readonly last: ManifestName | undefined
  readonly full: ManifestName | undefined
}

/** Of a place nothing is known. */
export const NOTHING_KNOWN: KnownBackups = { last: undefined, full: undefined }

interface Copied {
  readonly table: CopiedTable
  readonly written: number
}

interface Copying {
  readonly at: number
  readonly keys: BackupKeys
  readonly erased: ReadonlySet<string>
  readonly personal?: PersonalTable | undefined
  readonly behind?: number
}

/** Lines as they are kept: those that identify people sealed. What is left of those who were forgotten identifies nobody. */
const kept = Effect.fnUntraced(function* (
  columns: ReadonlyArray<string>,
  { erased, keys, personal }: Copying,
  lines: ReadonlyArray<string>
) {
  if (personal === undefined) return lines
  const owned = lines.map((line) => {
    const { cells, subject } = ownedLine(line)
    return { cells, subject: subject !== null && erased.has(subject) ? null : subject }
  })
  yield* drawKeys(
    keys,
    owned.flatMap(({ subject }) => subject ?? [])
  )
  return owned.map((line) => sealedLine(personal, columns, line, (subject) => keyOf(keys, subject)))
})

const keyOf = (keys: BackupKeys, subject: string): Uint8Array => {
  const key = keys.get(subject)
  if (key === undefined) throw new TypeError(`no key was drawn for ${subject}`)
  return key
}

const copy = Effect.fnUntraced(function* (table: TableColumns, copying: Copying) {
  const { at, behind, personal } = copying
  const { each } = yield* BackupRepository
  const writer = new ChunkWriter()
  const chunks: Array<string> = []
  let rows = 0
  let written = 0
  const keep = Effect.fnUntraced(function* (lines: ReadonlyArray<string> | undefined) {
    if (lines === undefined) return
    const chunk = yield* putChunk(lines)
    chunks.push(chunk.hash)
    written += chunk.written
  })
  yield* each(
    table,
    Effect.fnUntraced(function* (lines) {
      rows += lines.length
      for (const line of yield* kept(table.columns, copying, lines)) yield* keep(writer.add(line))
    }),
    { behind, subject: personal?.subject }
  )
  yield* keep(writer.end())
  return { table: { name: table.name, columns: table.columns, rows, at, chunks }, written } satisfies Copied
})

/** A table that is read seldom, as an earlier backup has it, if it has it of late. */
const known = (table: string, last: BackupManifest | undefined, now: number): CopiedTable | undefined =>
  isSeldom(table) ? last?.tables.find(({ at, name }) => name === table && now - at < SELDOM_INTERVAL) : undefined

const lookedUp = Effect.fnUntraced(function* (known: KnownBackups) {
  const newer = yield* manifestNames(known.last)
  return {
    last: newer.at(-1) ?? known.last,
    full: newer.findLast(({ kind }) => kind === "full") ?? known.full
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

/** Whether an increment would do, but the last full backup is too old. */
const isDue = ({ fullEvery }: BackupRequest, { full }: KnownBackups, now: number): boolean =>
  fullEvery !== undefined && (full === undefined || full.madeAt <= now - fullEvery)

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

/** A request with the name of the `SECRET_KEY` that seals the database's columns, and the keys of people. */
interface Keyed extends BackupRequest {
  readonly key: string
  readonly keys: BackupKeys
  readonly erased: ReadonlySet<string>
}

const copied = Effect.fn("backup.copied")(function* (request: Keyed, last: BackupManifest | undefined) {
  const repository = yield* BackupRepository
  const position = yield* repository.position
  const madeAt = Math.max(yield* Clock.currentTimeMillis, (last?.madeAt ?? 0) + 1)
  if (last !== undefined) yield* sameLine(last)
  const kind = kindOf(request, position, last)
  const base = kind === "full" ? undefined : last
  const all = yield* repository.tables
  const copying = { at: madeAt, keys: request.keys, erased: request.erased }
  const personalOf = (name: string) => request.personal.find(({ table }) => table === name)
  const parts: Array<Copied> = []
  for (const table of all) {
    if (!isCopied(table.name) || (base !== undefined && followsJournal(table.name))) continue
    const before = known(table.name, base, madeAt)
    parts.push(
      before === undefined
        ? yield* copy(table, { ...copying, personal: personalOf(table.name) })
        : { table: before, written: 0 }
    )
  }
  const journal = yield* copy(oneOf(all, JOURNAL), { ...copying, behind: base?.seq ?? 0 })
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
    tables: parts.map(({ table }) => table),
    journal: journal.table
  }
  return { manifest, written: parts.reduce((sum, part) => sum + part.written, journal.written) }
})

/** Another backup of the database runs. */
class BackupRuns extends Data.TaggedError("BackupRuns")<{}> {}

const alone = Effect.gen(function* () {
  if (!(yield* (yield* BackupRepository).isAlone)) return yield* new BackupRuns()
})

/**
 * The keys of a place, without those of people who were forgotten: no backup there can be read for them from here on, also
 * where none is made. Read anew each time, as another process may have drawn some since.
 */
const keysWithout = Effect.fnUntraced(function* (erased: ReadonlySet<string>) {
  const keys = yield* loadKeys()
  keys.forget(erased)
  if (erased.size > 0) yield* BackupKeys.forgetElsewhere(erased)
  yield* keys.save
  return keys
})

const made = Effect.fnUntraced(function* (request: BackupRequest, before: KnownBackups) {
  yield* alone
  const erased = yield* (yield* BackupRepository).erased
  const [key, keys] = [keyName(yield* Secrets), yield* keysWithout(erased)]
  const known = yield* lookedUp(before)
  const last = known.last === undefined ? undefined : yield* getManifest(known.last.name)
  const full = request.full || isDue(request, known, yield* Clock.currentTimeMillis)
  const { manifest, written } = yield* copied({ ...request, full, key, keys, erased }, last)
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
  const after: KnownBackups = { last: name, full: kind === "full" ? name : known.full }
  return { report, known: unchanged ? known : after }
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
