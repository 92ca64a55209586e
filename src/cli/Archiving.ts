import { Data, Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { toHex } from "../../engine/actor/EventChain.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"
import { HistoryDay, type HistoryFileName } from "../api/ArenaHistory.ts"
import { isoDay } from "../api/UtcDay.ts"
import { type FileDigest, rehashed, type SealedDay, shownDay } from "../arena/history/HistoryDay.ts"
import { HistoryFiles } from "../arena/history/HistoryFiles.ts"
import { HistoryRepository } from "../arena/history/HistoryRepository.ts"
import { hashing } from "./ReplayHashes.ts"

/** An archive that cannot be written, or a day that is not what was sealed. Its message says what to do. */
export class ArchiveFailed extends Data.TaggedError("ArchiveFailed")<{ readonly message: string }> {}

/** What an archive has now. */
export interface ArchiveReport {
  readonly days: number
  /** Files that were written, and such that were there already as they must be. */
  readonly written: number
  readonly kept: number
  /** Files that are not there, and cannot be made any more, because their recorded prices were removed at their age. */
  readonly removed: number
  /** Of those that were written. */
  readonly bytes: number
  /** The hash of the last day, in hex; undefined where there is none. */
  readonly hash: string | undefined
}

/** Days since 1970, both included. */
export interface ArchivedDays {
  readonly from: number
  readonly to: number
}

/** The entry of a day, beside its files. */
export const ENTRY = "day.json"

/** What a file is called until it is whole. */
const PART = ".part"

/** Bytes read at once. */
const CHUNK = 1024 * 1024

const encodeDay = encoderOf(HistoryDay)

const doing = <A>(path: string, what: () => A): Effect.Effect<A, ArchiveFailed> =>
  Effect.try({
    try: what,
    catch: (error) =>
      new ArchiveFailed({ message: `${path} cannot be written: ${error instanceof Error ? error.message : error}.` })
  })

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size

const hashOf = (path: string): string => {
  const file = openSync(path, "r")
  const hash = createHash("sha256")
  const chunk = new Uint8Array(CHUNK)
  try {
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) hash.update(chunk.subarray(0, size))
  } finally {
    closeSync(file)
  }
  return hash.digest("hex")
}

const isThere = (path: string, { bytes, sha256 }: FileDigest): boolean =>
  sizeOf(path) === bytes && hashOf(path) === toHex(sha256)

const altered = (day: SealedDay, what: string): ArchiveFailed =>
  new ArchiveFailed({ message: `${isoDay(day.day)} is not what was sealed: ${what}. Run emporion verify.` })

/** Writes a text beside its place, and puts it there when it is whole. */
const writeNew = (path: string, text: string): Effect.Effect<void, ArchiveFailed> =>
  doing(path, () => {
    writeFileSync(`${path}${PART}`, text)
    renameSync(`${path}${PART}`, path)
  })

/** A file of a day that is being written beside its place. */
class PartFile {
  readonly digest: FileDigest
  readonly #path: string
  readonly #file: number
  readonly #hash = createHash("sha256")

  constructor(place: string, digest: FileDigest) {
    this.digest = digest
    this.#path = join(place, digest.name)
    this.#file = openSync(`${this.#path}${PART}`, "w")
  }

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done)
  }

  close(): void {
    closeSync(this.#file)
  }

  /** What was written hashes to, in hex. It is put in its place where that is what it must be, else it is removed. */
  end(): string {
    const found = this.#hash.digest("hex")
    if (found === toHex(this.digest.sha256)) renameSync(`${this.#path}${PART}`, this.#path)
    else rmSync(`${this.#path}${PART}`)
    return found
  }
}

/** Writes files of a day, which are made at once, and puts each in its place once it is what it must be. */
const writeWhole = Effect.fnUntraced(function* (place: string, day: SealedDay, digests: ReadonlyArray<FileDigest>) {
  const { parts } = yield* HistoryFiles
  const files = yield* Effect.forEach(digests, (digest) =>
    Effect.acquireRelease(
      doing(place, () => new PartFile(place, digest)),
      (file) => Effect.sync(() => file.close())
    )
  )
  const names = digests.map(({ name }) => name)
  yield* Stream.runForEach(parts(day, names), (bytes) =>
    doing(place, () => {
      for (const [index, file] of files.entries()) file.add(bytes[index] ?? new Uint8Array(0))
    })
  )
  const found = yield* doing(place, () => files.map((file) => file.end()))
  const index = files.findIndex(({ digest }, at) => found[at] !== toHex(digest.sha256))
  const wrong = digests[index]
  if (wrong === undefined) return
  return yield* altered(day, `its ${wrong.name} hashes to ${found[index]}, sealed is ${toHex(wrong.sha256)}`)
}, Effect.scoped)

const writeEntry = (path: string, text: string): Effect.Effect<void, ArchiveFailed> =>
  Effect.suspend(() =>
    sizeOf(path) !== undefined && readFileSync(path, "utf8") === text ? Effect.void : writeNew(path, text)
  )

/**
 * Writes the sealed days of a period into a folder, one folder a day with its files and its entry. Each file's digest is
 * checked while it is written; what is there and as it must be stays.
 *
 * @param wanted - the files of a day that are written
 */
export const archive = Effect.fn("cli.archive")(function* (
  folder: string,
  { from, to }: ArchivedDays,
  wanted: ReadonlyArray<HistoryFileName>
) {
  const repository = yield* HistoryRepository
  const files = yield* HistoryFiles
  let report: ArchiveReport = { days: 0, written: 0, kept: 0, removed: 0, bytes: 0, hash: undefined }
  for (let last = from - 1; ;) {
    const day: SealedDay | undefined = yield* repository.after(last)
    if (day === undefined || day.day > to) return report
    if (toHex(rehashed(day, hashing.link)) !== toHex(day.hash)) return yield* altered(day, "its entry has another hash")
    const place = join(folder, isoDay(day.day))
    yield* doing(place, () => mkdirSync(place, { recursive: true }))
    const asked = day.files.filter(({ name }) => wanted.includes(name))
    const lacking = yield* doing(place, () => asked.filter((file) => !isThere(join(place, file.name), file)))
    const names = yield* files.kept(
      day.day,
      lacking.map(({ name }) => name)
    )
    const missing = lacking.filter(({ name }) => names.includes(name))
    if (missing.length > 0) yield* writeWhole(place, day, missing)
    yield* writeEntry(join(place, ENTRY), `${encodeDay(shownDay(day))}\n`)
    report = {
      days: report.days + 1,
      written: report.written + missing.length,
      kept: report.kept + asked.length - lacking.length,
      removed: report.removed + lacking.length - missing.length,
      bytes: missing.reduce((sum, { bytes }) => sum + bytes, report.bytes),
      hash: toHex(day.hash)
    }
    last = day.day
  }
})
