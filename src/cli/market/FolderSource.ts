import { Effect, Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { HistoryDay, type HistoryFileName } from "../../api/ArenaHistory.ts"
import { UtcDay, isoDay } from "../../api/UtcDay.ts"
import { type SealedDay, rehashed, shownDay } from "../../arena/history/HistoryDay.ts"
import { readMedians } from "../../arena/history/MedianFile.ts"
import type { ArchivedDays } from "../Archiving.ts"
import { ENTRY } from "../Archiving.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { hashing } from "../ReplayHashes.ts"
import { type AuctionSource, auctionsOf } from "./AuctionSource.ts"

/** The file of the auctions of a day. */
export const AUCTIONS = "auctions.jsonl"

/** The file of its recorded prices. */
export const MEDIANS = "medians.csv"

const decodeDay = Schema.decodeUnknownResult(Schema.fromJsonString(HistoryDay))
const dayOf = Schema.decodeUnknownResult(UtcDay)

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"))

/** The day of an entry, as it was sealed. */
export const sealedDay = (entry: typeof HistoryDay.Type): SealedDay => ({
  ...entry,
  files: entry.files.map((file) => ({ ...file, sha256: bytesOf(file.sha256) })),
  journal: { seq: entry.journal.sequence, hash: bytesOf(entry.journal.hash) },
  previous: bytesOf(entry.previous),
  hash: bytesOf(entry.hash)
})

/** Fails unless an entry has the hash that it must have, and a file of it the digest that it names. */
export const checkFile = (
  entry: typeof HistoryDay.Type,
  file: HistoryFileName,
  bytes: Uint8Array
): Effect.Effect<void, CommandFailed> => {
  const altered = (what: string) =>
    Effect.fail(new CommandFailed({ message: `${isoDay(entry.day)} is not what was sealed: ${what}.` }))
  const { hash } = shownDay({ ...sealedDay(entry), hash: rehashed(sealedDay(entry), hashing.link) })
  if (hash !== entry.hash) return altered("its entry has another hash")
  const digest = createHash("sha256").update(bytes).digest("hex")
  return digest === entry.files.find(({ name }) => name === file)?.sha256
    ? Effect.void
    : altered(`its ${file} hashes to ${digest}`)
}

/** The prices of a file, unless one of its lines is none. */
export const pricesOf = (place: string, text: string) => {
  const prices = readMedians(text)
  return Result.isSuccess(prices)
    ? Effect.succeed(prices.success)
    : Effect.fail(new CommandFailed({ message: `${place}: line ${prices.failure} is no price, or out of sequence.` }))
}

const reading = <A>(path: string, read: () => A): Effect.Effect<A, CommandFailed> =>
  Effect.try({
    try: read,
    catch: (cause) =>
      new CommandFailed({ message: `${path} cannot be read: ${cause instanceof Error ? cause.message : cause}.` })
  })

/** A folder that `emporion archive` wrote, or that was downloaded alike. Each day is checked when it is read. */
export const folderSource = Effect.fn("cli.folderSource")(function* (
  folder: string,
  { from, to }: ArchivedDays
): Effect.fn.Return<AuctionSource, CommandFailed> {
  const names = yield* reading(folder, () => readdirSync(folder))
  const days = names
    .flatMap((name) =>
      Result.getOrElse(
        Result.map(dayOf(name), (day) => [day]),
        () => []
      )
    )
    .filter((day) => day >= from && day <= to)
    .toSorted((one, other) => one - other)
  return {
    place: folder,
    days,
    read: Effect.fnUntraced(function* (day) {
      const place = join(folder, isoDay(day))
      const entry = decodeDay(yield* reading(place, () => readFileSync(join(place, ENTRY), "utf8")))
      if (Result.isFailure(entry))
        return yield* new CommandFailed({ message: `${join(place, ENTRY)} is no day's entry.` })
      const bytes = yield* reading(place, () => readFileSync(join(place, AUCTIONS)))
      yield* checkFile(entry.success, AUCTIONS, bytes)
      const auctions = yield* Effect.fromResult(auctionsOf(day, bytes.toString("utf8")))
      const path = join(place, MEDIANS)
      if (!existsSync(path)) return { auctions, medians: [] }
      const prices = yield* reading(path, () => readFileSync(path))
      yield* checkFile(entry.success, MEDIANS, prices)
      return { auctions, medians: yield* pricesOf(path, prices.toString("utf8")) }
    })
  }
})
