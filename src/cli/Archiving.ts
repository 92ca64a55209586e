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
  writeSync
} from "node:fs"
import { join } from "node:path"
import { toHex } from "../../engine/actor/EventChain.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"
import { HistoryDay } from "../api/ArenaHistory.ts"
import { isoDay } from "../api/UtcDay.ts"
import { AuctionFiles } from "../arena/history/AuctionFiles.ts"
import { type FileDigest, rehashed, type SealedDay, shownDay } from "../arena/history/HistoryDay.ts"
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
const ENTRY = "day.json"

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

/** Writes what a stream gives beside the file, and puts it there once it is what it must be. */
const writeWhole = Effect.fnUntraced(function* <E>(
  path: string,
  contents: Stream.Stream<Uint8Array, E>,
  day: SealedDay,
  { name, sha256 }: FileDigest
) {
  const part = `${path}${PART}`
  const hash = createHash("sha256")
  const file = yield* Effect.acquireRelease(
    doing(path, () => openSync(part, "w")),
    (opened) => Effect.sync(() => closeSync(opened))
  )
  yield* Stream.runForEach(contents, (bytes) =>
    doing(path, () => {
      hash.update(bytes)
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
    })
  )
  const found = hash.digest("hex")
  if (found === toHex(sha256)) return yield* doing(path, () => renameSync(part, path))
  yield* doing(path, () => rmSync(part))
  return yield* altered(day, `its ${name} hashes to ${found}, sealed is ${toHex(sha256)}`)
}, Effect.scoped)

const writeEntry = (path: string, text: string): Effect.Effect<void, ArchiveFailed> =>
  doing(path, () => {
    if (sizeOf(path) !== undefined && readFileSync(path, "utf8") === text) return
    const file = openSync(`${path}${PART}`, "w")
    writeSync(file, text)
    closeSync(file)
    renameSync(`${path}${PART}`, path)
  })

/**
 * Writes the sealed days of a period into a folder, one folder a day with its files and its entry. Each file's digest is
 * checked while it is written; what is there and as it must be stays.
 */
export const archive = Effect.fn("cli.archive")(function* (folder: string, { from, to }: ArchivedDays) {
  const repository = yield* HistoryRepository
  const { contents } = yield* AuctionFiles
  let report: ArchiveReport = { days: 0, written: 0, kept: 0, bytes: 0, hash: undefined }
  for (let last = from - 1; ;) {
    const day: SealedDay | undefined = yield* repository.after(last)
    if (day === undefined || day.day > to) return report
    if (toHex(rehashed(day, hashing.link)) !== toHex(day.hash)) return yield* altered(day, "its entry has another hash")
    const place = join(folder, isoDay(day.day))
    yield* doing(place, () => mkdirSync(place, { recursive: true }))
    let { bytes, kept, written } = report
    for (const file of day.files) {
      const path = join(place, file.name)
      if (yield* doing(path, () => isThere(path, file))) {
        kept += 1
        continue
      }
      yield* writeWhole(path, contents(day, file.name), day, file)
      written += 1
      bytes += file.bytes
    }
    yield* writeEntry(join(place, ENTRY), `${encodeDay(shownDay(day))}\n`)
    report = { days: report.days + 1, written, kept, bytes, hash: toHex(day.hash) }
    last = day.day
  }
})
