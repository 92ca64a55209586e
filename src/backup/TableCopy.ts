/** Copies a table into chunks: all of it, or the parts of it that changed since it was copied last. */

import { Effect } from "effect"
import type { PersonalTable } from "../database/PersonalTable.ts"
import { ChunkWriter, putChunk } from "./BackupChunk.ts"
import { type BackupKeys, drawKeys } from "./BackupKeys.ts"
import { BackupRepository, type ReadRow, type Reading, type TableColumns } from "./BackupRepository.ts"
import { ownedLine, sealedLine } from "./PersonalRows.ts"
import { joined, NO_ROWS, startsOf, type TablePart } from "./TablePart.ts"

/** How rows are kept. */
export interface Copying {
  readonly keys: BackupKeys
  readonly erased: ReadonlySet<string>
  readonly personal?: PersonalTable | undefined
}

/** What was copied of a table, or taken over. */
export interface TableCopy {
  readonly parts: ReadonlyArray<TablePart>
  /** Bytes that were written. */
  readonly written: number
}

const keyOf = (keys: BackupKeys, subject: string): Uint8Array => {
  const key = keys.get(subject)
  if (key === undefined) throw new TypeError(`no key was drawn for ${subject}`)
  return key
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

/** The key of a row, as text; undefined where it has several columns. */
const keyIn = ({ columns, order }: TableColumns, { line }: ReadRow): string | undefined => {
  const [column, ...others] = order
  if (column === undefined || others.length > 0) return undefined
  return (JSON.parse(line) as ReadonlyArray<string | null>)[columns.indexOf(column)] ?? undefined
}

/** Keeps rows of a table as they are read, in parts of a chunk each. */
const makeWriter = (table: TableColumns, copying: Copying) => {
  const chunks = new ChunkWriter()
  const parts: Array<TablePart> = []
  let first: ReadRow | undefined
  let print = NO_ROWS
  let written = 0

  const keep = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
    const chunk = yield* putChunk(lines)
    written += chunk.written
    parts.push({ ...print, chunk: chunk.hash, first: first === undefined ? undefined : keyIn(table, first) })
    first = undefined
    print = NO_ROWS
  })

  const take = Effect.fnUntraced(function* (rows: ReadonlyArray<ReadRow>) {
    const lines = yield* kept(
      table.columns,
      copying,
      rows.map(({ line }) => line)
    )
    for (const [at, row] of rows.entries()) {
      first ??= row
      print = joined(print, { rows: 1, versions: row.version })
      const ended = chunks.add(lines[at] ?? "")
      if (ended !== undefined) yield* keep(ended)
    }
  })

  return {
    /** Whether a chunk has just ended, so that the next row begins another one. */
    isBetween: () => first === undefined,
    read: (reading: Reading = {}) =>
      Effect.flatMap(BackupRepository, ({ each }) =>
        each(table, take, { ...reading, subject: copying.personal?.subject })
      ),
    takeOver: (part: TablePart) => void parts.push(part),
    end: Effect.suspend(() => {
      const lines = chunks.end()
      return lines === undefined ? Effect.void : keep(lines)
    }),
    copied: (): TableCopy => ({ parts, written })
  }
}

/** Copies the rows that a reading gives. */
export const copyRows = Effect.fnUntraced(function* (table: TableColumns, copying: Copying, reading: Reading = {}) {
  const writer = makeWriter(table, copying)
  yield* writer.read(reading)
  yield* writer.end
  return writer.copied()
})

/**
 * Copies a table again of which some parts changed. Chunks come out as if all of it were read: behind a part that changed
 * others are read too, until one of them ends where a chunk does.
 *
 * @param parts - as they were copied before
 * @param isChanged - for what stands before the first of them, and for each of them
 */
export const copyChanged = Effect.fnUntraced(function* (
  table: TableColumns,
  copying: Copying,
  parts: ReadonlyArray<TablePart>,
  isChanged: ReadonlyArray<boolean>
) {
  const starts = startsOf(parts)
  if (starts.length === 0) return yield* copyRows(table, copying)
  const writer = makeWriter(table, copying)
  for (let at = 0; at <= starts.length; at++) {
    const part = parts[at - 1]
    if (writer.isBetween() && isChanged[at] !== true) {
      if (part !== undefined) writer.takeOver(part)
    } else yield* writer.read({ from: starts[at - 1], to: starts[at] })
  }
  yield* writer.end
  return writer.copied()
})
