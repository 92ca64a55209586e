import { type ChainHash, GENESIS, toHex } from "../../../engine/actor/EventChain.ts"
import type { HistoryDay, HistoryFileName } from "../../api/ArenaHistory.ts"
import { isoDay } from "../../api/UtcDay.ts"

/** Milliseconds of a day. */
export const DAY = 86_400_000

/** How much of a file there is, and what it hashes to. */
export interface FileDigest {
  readonly name: HistoryFileName
  readonly bytes: number
  /** 32 bytes. */
  readonly sha256: Uint8Array
}

/** What the recorded auctions of a day give. */
export interface DayContents {
  readonly orders: number
  readonly commitments: number
  /** Each of `HISTORY_FILES` that could be made, in that order. */
  readonly files: ReadonlyArray<FileDigest>
}

/** The end of a row of the journal. */
export interface JournalPosition {
  /** The sequence of the row's last entry; 0 before the first row. */
  readonly seq: number
  /** The row's hash; zeros before the first row. */
  readonly hash: Uint8Array
}

/** A day before its place in the chain is known. */
export interface UnchainedDay extends DayContents {
  /** Days since 1970 in UTC. */
  readonly day: number
  readonly bids: "open" | "sealed"
  readonly journal: JournalPosition
}

/** A day that is sealed. */
export interface SealedDay extends UnchainedDay {
  /** The hash of the day that was sealed before; {@link GENESIS} before the first. */
  readonly previous: Uint8Array
  readonly hash: Uint8Array
}

/** What a day's hash is of, behind the hash of the day before: JSON without spaces. */
export const sealedText = ({ bids, commitments, day, files, journal, orders }: UnchainedDay): string =>
  JSON.stringify([
    isoDay(day),
    bids,
    orders,
    commitments,
    files.map(({ bytes, name, sha256 }) => [name, bytes, toHex(sha256)]),
    journal.seq,
    toHex(journal.hash)
  ])

/** The hash that a day has in its place. */
export const rehashed = (day: Omit<SealedDay, "hash">, link: ChainHash): Uint8Array =>
  link(day.previous, sealedText(day))

/** A day in its place behind another, or as the first. */
export const sealed = (day: UnchainedDay, before: SealedDay | undefined, link: ChainHash): SealedDay => {
  const placed = { ...day, previous: before?.hash ?? GENESIS }
  return { ...placed, hash: rehashed(placed, link) }
}

/** A day as callers get it. */
export const shownDay = (day: SealedDay): typeof HistoryDay.Type => ({
  day: day.day,
  orders: day.orders,
  commitments: day.commitments,
  bids: day.bids,
  files: day.files.map(({ bytes, name, sha256 }) => ({ name, bytes, sha256: toHex(sha256) })),
  journal: { sequence: day.journal.seq, hash: toHex(day.journal.hash) },
  previous: toHex(day.previous),
  hash: toHex(day.hash)
})
