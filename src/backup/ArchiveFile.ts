import { Data, Effect } from "effect"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { constants, zstdCompress, zstdDecompress } from "node:zlib"
import { isSameHash, toHex } from "../../engine/actor/EventChain.ts"
import {
  type ArchivedRow,
  type ArchivedSpan,
  decodeArchived,
  encodeArchived
} from "../../engine/journal/ArchivedJournal.ts"
import { MAX_ENTRY_BYTES } from "../../engine/journal/JournalRow.ts"

/** What the archive cannot do. Its message says what to do. */
export class ArchiveFailed extends Data.TaggedError("ArchiveFailed")<{ readonly message: string }> {}

/** A file of the archive, as the database remembers it. */
export interface ArchivedFile extends ArchivedSpan {
  /** Its name in the place of the archive. */
  readonly name: string
  /** How many rows of the journal it has. */
  readonly rows: number
  /** Its length and its SHA-256. */
  readonly bytes: number
  readonly sha256: Uint8Array
}

/** A file that is to be written. */
export interface PackedFile {
  readonly file: ArchivedFile
  readonly content: Uint8Array
}

/** So many bytes a file unpacks to at most: what is written at once and the longest row, each byte of it escaped. */
const MAX_BYTES = 8 * MAX_ENTRY_BYTES

const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Digits that hold any sequence, so that names sort as the rows do. */
const DIGITS = 16

/** Digits of the hash in a name: two lines of one database never write one name twice. */
const HASH_DIGITS = 16

const padded = (seq: number): string => String(seq).padStart(DIGITS, "0")

const hashOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash("sha256").update(bytes).digest())

/** The events that a file has, for people. */
export const eventsOf = ({ first, last }: Pick<ArchivedFile, "first" | "last">): string => `events ${first} to ${last}`

/** Rows that are worked on at once: requests that wait come between. */
export const AT_ONCE = 32

/** Makes something of each of many rows, a few at a time. */
const inTurns = Effect.fnUntraced(function* <A, B>(all: ReadonlyArray<A>, make: (one: A) => B) {
  const made: Array<B> = []
  for (let at = 0; at < all.length; at += AT_ONCE) {
    for (const one of all.slice(at, at + AT_ONCE)) made.push(make(one))
    yield* Effect.yieldNow
  }
  return made
})

/** Makes a file of rows. The same rows make the same bytes, under the same name. */
export const packed = Effect.fn("archive.packed")(function* (rows: ReadonlyArray<ArchivedRow>, span: ArchivedSpan) {
  const text = (yield* inTurns(rows, encodeArchived)).join("\n")
  const content = new Uint8Array(yield* Effect.promise(() => compress(text, OPTIONS)))
  const sha256 = hashOf(content)
  const name = `journal/${padded(span.first)}-${padded(span.last)}-${toHex(sha256).slice(0, HASH_DIGITS)}.zst`
  return { file: { ...span, name, rows: rows.length, bytes: content.length, sha256 }, content } satisfies PackedFile
})

/** What is wrong with the rows of a file, if anything. Whether their hashes are right is for a walk to say. */
const wrongRows = (rows: ReadonlyArray<ArchivedRow | undefined>, file: ArchivedFile): string | undefined => {
  const [first, last] = [rows[0]?.row, rows.at(-1)?.row]
  if (first === undefined || last === undefined || rows.includes(undefined)) return "does not have rows of a journal"
  const isWhole =
    rows.length === file.rows &&
    first.firstSeq === file.first &&
    last.firstSeq + last.count - 1 === file.last &&
    isSameHash(last.hash, file.hash)
  return isWhole ? undefined : "has other rows than the database remembers"
}

/** The rows of a file; fails unless they are those that were written. `place` is where it was read. */
export const unpacked = Effect.fn("archive.unpacked")(function* (
  content: Uint8Array,
  file: ArchivedFile,
  place: string
): Effect.fn.Return<ReadonlyArray<ArchivedRow>, ArchiveFailed> {
  const found = hashOf(content)
  if (!isSameHash(found, file.sha256)) {
    return yield* damaged(file, place, `was altered: it hashes to ${toHex(found)}, recorded is ${toHex(file.sha256)}`)
  }
  const text = yield* Effect.tryPromise({
    try: () => decompress(content, { maxOutputLength: MAX_BYTES }),
    catch: () => damaged(file, place, "cannot be unpacked")
  })
  const rows = yield* inTurns(text.toString("utf8").split("\n"), decodeArchived)
  const problem = wrongRows(rows, file)
  return problem === undefined ? rows.flatMap((row) => row ?? []) : yield* damaged(file, place, problem)
})

/** A file that is not what was written. */
export const damaged = (file: ArchivedFile, place: string, problem: string): ArchiveFailed =>
  new ArchiveFailed({
    message: `${file.name} of the journal's archive ${place}, which has ${eventsOf(file)}, ${problem}. Put another copy of the file in its place, and repeat.`
  })
