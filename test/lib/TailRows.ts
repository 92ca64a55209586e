import { Effect } from "effect"
import { encodeEvent, GENESIS } from "../../engine/actor/EventChain.ts"
import { appendedRows, type JournalEntry, type JournalRow } from "../../engine/journal/JournalRow.ts"
import type { FundsMinted } from "../../engine/ledger/FundsEvent.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import { link } from "../../src/database/ChainLink.ts"
import type { PlayedLog } from "./PlayedLog.ts"

/** What an administrator pays in for somebody: each the next event of the owner's stream. */
export const minted = (owner: string, number: number, change: Partial<FundsMinted> = {}): JournalEntry => {
  const event: FundsMinted = {
    _tag: "FundsMinted",
    at: 1_800_000_000_000,
    fundId: `fnd_${owner}`,
    owner,
    asset: "USD",
    amount: fromUnits(5n),
    externalReference: null,
    posting: { id: `tail_${owner}_${number}`, limited: false },
    ...change
  }
  return { stream: `funds/${owner}`, data: encodeEvent(event), key: "", claims: [], commands: [] }
}

/** The rows that a server appends after the last one of a log; each of the given entries. */
const tailRows = Effect.fnUntraced(function* (log: PlayedLog, groups: ReadonlyArray<ReadonlyArray<JournalEntry>>) {
  const [last] = yield* log.sql<{ seq: bigint; hash: Uint8Array; recorded_at: bigint; term: bigint }>(
    "SELECT first_seq + count - 1 AS seq, hash, recorded_at, term FROM journal ORDER BY first_seq DESC LIMIT 1"
  )
  const at = Number(last?.recorded_at ?? 0n)
  let end = { seq: Number(last?.seq ?? 0n), hash: last?.hash ?? GENESIS, recordedAt: at }
  const rows: Array<JournalRow> = []
  for (const entries of groups) {
    for (const row of appendedRows(end, { entries, answers: [], term: last?.term ?? 1n, now: at }, link)) {
      rows.push(row)
      end = { seq: row.firstSeq + row.count - 1, hash: row.hash, recordedAt: row.recordedAt }
    }
  }
  return rows
})

/**
 * Appends rows to a log's journal and writes nothing else, as a server does whose tables have not followed yet.
 *
 * @param groups - the entries of each row
 */
export const appendTail = Effect.fnUntraced(function* (
  log: PlayedLog,
  groups: ReadonlyArray<ReadonlyArray<JournalEntry>>
) {
  const rows = yield* tailRows(log, groups)
  for (const row of rows) {
    yield* log.sql("INSERT INTO journal VALUES ($1, $2, $3, $4, $5, $6, $7, NULL)", [
      BigInt(row.firstSeq),
      row.count,
      row.term,
      BigInt(row.recordedAt),
      row.hash,
      row.answersDigest,
      row.body
    ])
  }
  return rows
})
