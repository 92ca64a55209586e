/** The files of the journal's archive that a backup counts on: it names them, and does not have them. */

import { Effect } from "effect"
import type { ArchivedFile } from "./ArchiveFile.ts"
import { readerAt } from "./JournalArchive.ts"
import { getChunk } from "./BackupChunk.ts"
import type { RestorePlan } from "./RestorePlan.ts"

/** The table that names the files. */
const ARCHIVES = "journal_archives"

/** Bytes as PostgreSQL writes them in text: `\x` and hexadecimal digits. */
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), "hex"))

const fileOf = (columns: ReadonlyArray<string>, line: string): ArchivedFile => {
  const values = JSON.parse(line) as ReadonlyArray<string | null>
  const valueOf = (column: string): string => values[columns.indexOf(column)] ?? ""
  return {
    first: Number(valueOf("first_seq")),
    last: Number(valueOf("last_seq")),
    previous: bytesOf(valueOf("previous")),
    hash: bytesOf(valueOf("hash")),
    term: BigInt(valueOf("term")),
    recordedAt: Number(valueOf("recorded_at")),
    name: valueOf("name"),
    rows: Number(valueOf("rows")),
    bytes: Number(valueOf("bytes")),
    sha256: bytesOf(valueOf("sha256"))
  }
}

/** The files of the archive that the restored database will name, in the order of their rows. */
export const archivedIn = Effect.fn("backup.archivedIn")(function* ({ tables }: RestorePlan) {
  const files: Array<ArchivedFile> = []
  for (const { chunks, columns, name } of tables) {
    if (name !== ARCHIVES) continue
    for (const chunk of chunks) files.push(...(yield* getChunk(chunk)).map((line) => fileOf(columns, line)))
  }
  return files
})

/** Reads every file of an archive before there is a database that names them. */
export const auditArchive = Effect.fn("backup.auditArchive")(function* (
  files: ReadonlyArray<ArchivedFile>,
  place: string | undefined
) {
  const { read } = yield* readerAt(place)
  yield* Effect.forEach(files, read, { discard: true })
}, Effect.scoped)
