import { Context, Effect, Layer, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ArchivedRow } from "../../engine/journal/ArchivedJournal.ts"
import type { JournalRow } from "../../engine/journal/JournalRow.ts"
import * as BackupPlace from "./BackupPlace.ts"
import { BackupStore } from "./BackupStore.ts"
import * as FilePlace from "../FilePlace.ts"
import { JOURNAL_ARCHIVE } from "../RetentionSettings.ts"
import * as Setting from "../Setting.ts"
import { ArchiveFailed, type ArchivedFile, eventsOf, unpacked } from "./ArchiveFile.ts"
import { ArchiveRepository } from "./ArchiveRepository.ts"

/** The files that have the journal's older rows, for reading. Whoever reads the journal from its start begins here. */
export class JournalArchive extends Context.Service<
  JournalArchive,
  {
    /** The files, in the order of their rows, which stand one behind the other. */
    readonly files: Effect.Effect<ReadonlyArray<ArchivedFile>, SqlError>
    /** The rows of a file; fails, and says which file and what to do, unless they are those that were written. */
    readonly read: (file: ArchivedFile) => Effect.Effect<ReadonlyArray<ArchivedRow>, ArchiveFailed>
    /** The row that has an entry, of whichever file has it; undefined if none does. */
    readonly rowAt: (seq: number) => Effect.Effect<JournalRow | undefined, SqlError | ArchiveFailed>
  }
>()("emporion/archive/JournalArchive") {
  /** @param place - a folder, or s3://bucket/prefix; undefined: what the environment says once a file is read */
  static readonly layer = (place?: string): Layer.Layer<JournalArchive, never, ArchiveRepository> =>
    Layer.effect(
      this,
      Effect.suspend(() => make(place))
    )
}

/** Opens the archive's place; fails where nobody names one. */
const opened = Effect.fnUntraced(function* (given: string | undefined, scope: Scope.Scope) {
  const place = given ?? (yield* Setting.optional(JOURNAL_ARCHIVE, FilePlace.place))
  if (place === undefined) return yield* new ArchiveFailed({ message: "nothing says where the archive is." })
  return Context.get(yield* Layer.buildWithScope(BackupPlace.layer(place), scope), BackupStore)
})

const missing = (file: ArchivedFile) => (error: { readonly message: string }) =>
  new ArchiveFailed({
    message: `The journal's ${eventsOf(file)} are in its archive, and cannot be read: ${error.message} Set ${JOURNAL_ARCHIVE}, or --archive, to where the server keeps it, or put a copy of ${file.name} there.`
  })

/** Reads and checks a file of an archive. */
export const readFrom = Effect.fn("archive.readFrom")(function* (store: BackupStore["Service"], file: ArchivedFile) {
  const content = yield* Effect.mapError(store.get(file.name), missing(file))
  return yield* unpacked(content, file, store.place)
})

/**
 * Reads files of an archive; the last one is at hand.
 *
 * @param place - a folder, or s3://bucket/prefix; undefined: what the environment says once a file is read
 */
export const readerAt = Effect.fnUntraced(function* (place: string | undefined) {
  const store = yield* Effect.cached(opened(place, yield* Effect.scope))
  let known: { readonly name: string; readonly rows: ReadonlyArray<ArchivedRow> } | undefined
  const read = Effect.fnUntraced(function* (file: ArchivedFile) {
    if (known?.name !== file.name) {
      const from = yield* Effect.mapError(store, missing(file))
      known = { name: file.name, rows: yield* readFrom(from, file) }
    }
    return known.rows
  })
  return { read }
})

const make = Effect.fnUntraced(function* (place: string | undefined) {
  const { files, fileWith } = yield* ArchiveRepository
  const { read } = yield* readerAt(place)
  return JournalArchive.of({
    files,
    read,
    rowAt: Effect.fnUntraced(function* (seq: number) {
      const file = yield* fileWith(seq)
      if (file === undefined) return undefined
      return (yield* read(file)).find(({ row }) => row.firstSeq + row.count > seq)?.row
    })
  })
})
