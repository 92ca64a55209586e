import { Effect } from "effect"
import { GENESIS, toHex } from "../../engine/actor/EventChain.ts"
import type { Finding } from "../../engine/replay/StoredEvent.ts"
import { isoDay } from "../api/UtcDay.ts"
import { type DayContents, sealed, type SealedDay } from "../arena/history/HistoryDay.ts"
import { HistoryFiles } from "../arena/history/HistoryFiles.ts"
import { HistoryRepository } from "../arena/history/HistoryRepository.ts"
import { JournalArchive } from "../backup/JournalArchive.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { hashing } from "./ReplayHashes.ts"

/** What an audit of the sealed days found. */
export interface HistoryAudit {
  readonly days: number
  /** Files of recorded prices that cannot be made anew, because those were removed at their age. */
  readonly removed: number
  /** The first day that is not what was sealed. */
  readonly finding: Finding | undefined
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => toHex(one) === toHex(other)

const wrongContents = (day: SealedDay, found: DayContents): string | undefined => {
  if (found.orders !== day.orders || found.commitments !== day.commitments) {
    return (
      `with ${day.orders} orders and ${day.commitments} commitments, of which the tables have ${found.orders} and ` +
      `${found.commitments}`
    )
  }
  const wrong = found.files.find((file) => {
    const kept = day.files.find(({ name }) => name === file.name)
    return kept === undefined || kept.bytes !== file.bytes || !isSame(kept.sha256, file.sha256)
  })
  return wrong === undefined ? undefined : `whose ${wrong.name} now hashes to ${toHex(wrong.sha256)}`
}

const wrongPlace = (day: SealedDay, before: SealedDay | undefined): string | undefined => {
  const expected = sealed(day, before, hashing.link)
  if (!isSame(expected.previous, day.previous))
    return `behind ${toHex(expected.previous)}, recorded is ${toHex(day.previous)}`
  return isSame(expected.hash, day.hash)
    ? undefined
    : `that was altered: it hashes to ${toHex(expected.hash)}, recorded is ${toHex(day.hash)}`
}

/** Rows that are in no table are in the archive; those from before the journal's first one are gone if it began anew. */
const wrongPosition = Effect.fnUntraced(function* ({ journal: { hash, seq } }: SealedDay) {
  if (seq === 0) return isSame(hash, GENESIS) ? undefined : "before the journal, with the hash of a row"
  const row = (yield* (yield* JournalArchive).rowAt(seq)) ?? (yield* (yield* EventLogRepository).journalAt(seq))
  if (row === undefined) return undefined
  if (row.firstSeq + row.count - 1 === seq && isSame(row.hash, hash)) return undefined
  return `at a row of the journal with the hash ${toHex(hash)}, which it does not have there`
})

/** Makes every sealed day anew from the tables, and walks the chain of days beside the journal. To be run on one moment. */
export const auditHistory = Effect.gen(function* () {
  const repository = yield* HistoryRepository
  const { kept, measure } = yield* HistoryFiles
  let [days, removed] = [0, 0]
  let before: SealedDay | undefined
  if (!(yield* repository.isThere)) return { days, removed, finding: undefined } satisfies HistoryAudit
  for (;;) {
    const day: SealedDay | undefined = yield* repository.after(before?.day ?? -1)
    if (day === undefined) return { days, removed, finding: undefined } satisfies HistoryAudit
    const names = yield* kept(
      day.day,
      day.files.map(({ name }) => name)
    )
    const problem =
      wrongPlace(day, before) ?? (yield* wrongPosition(day)) ?? wrongContents(day, yield* measure(day, names))
    if (problem !== undefined) {
      const sentence = `is where the history of ${isoDay(day.day)} was sealed ${problem}`
      const finding: Finding = { seq: day.journal.seq, stream: "", version: 0, type: "", problem: sentence }
      return { days, removed, finding } satisfies HistoryAudit
    }
    days += 1
    removed += day.files.length - names.length
    before = day
  }
})
