import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { entriesOf, type JournalEntry } from "../../engine/journal/JournalRow.ts"
import { unpack } from "../../src/database/PackedText.ts"
import type { RecordedEvent } from "./History.ts"

/** Rows that one statement reads. */
const PAGE = 2_000

/** Streams of what the sandbox gives somebody to start with. */
const STARTING = "starting/"

interface Recorded {
  readonly _tag: string
  readonly orderId?: string
  readonly terms?: { readonly orderId: string }
  readonly commitment?: { readonly commitmentId: string; readonly quantity: string }
  readonly amount?: string
}

/** What an event of a commitment has that no other has: its quantity in 10⁻⁶. */
export const commitmentMark = (units: bigint | string): string => `commitment of ${units}`

/** What an event of a mint has that no other has: its amount in 10⁻⁶. */
export const mintMark = (units: bigint | string): string => `mint of ${units}`

/** What an event says to the judge. Events that it does not know say nothing. */
const saidBy = ({
  data,
  stream
}: Pick<JournalEntry, "data" | "stream">): Pick<RecordedEvent, "mark" | "receipt" | "told"> => {
  const event = JSON.parse(data) as Recorded
  const nothing = { mark: undefined, receipt: undefined, told: undefined }
  switch (event._tag) {
    case "CommitmentSubmitted": {
      const { commitmentId = "", quantity = "" } = event.commitment ?? {}
      return {
        mark: commitmentMark(quantity),
        receipt: commitmentId,
        told: `commitment_submitted ${commitmentId}`
      }
    }
    case "FundsMinted":
      return stream.startsWith(STARTING) ? nothing : { ...nothing, mark: mintMark(event.amount ?? "") }
    case "OrderOpened":
      return { ...nothing, told: `order_created ${event.terms?.orderId}` }
    case "OrderClosed":
    case "WinnerChosen":
      return { ...nothing, told: `order_updated ${event.orderId}` }
    case "OrderSettled":
    case "OrderVoided":
      return { ...nothing, told: `order_settled ${event.orderId}` }
    default:
      return nothing
  }
}

/** The events of one row of the journal. */
export const eventsOf = (row: {
  readonly firstSeq: number
  readonly count: number
  readonly term: number
  readonly body: string
}): ReadonlyArray<RecordedEvent> =>
  (entriesOf({ body: unpack(row.body), count: row.count }) ?? []).map((entry, index) => ({
    seq: row.firstSeq + index,
    term: row.term,
    ...saidBy(entry)
  }))

/** Reads the whole journal. */
export const readJournal = (config: Parameters<typeof PgConnection.make>[0]) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({ ...config, applicationName: "trial" })
      const events: Array<RecordedEvent> = []
      for (let after = 0; ;) {
        const { rows } = yield* connection.query(
          `SELECT first_seq::text AS seq, count::text AS count, term::text AS term, body FROM journal
           WHERE first_seq > $1::bigint ORDER BY journal.first_seq LIMIT ${PAGE}`,
          [BigInt(after)]
        )
        if (rows.length === 0) return events
        for (const { body, count, seq, term } of rows) {
          after = Number(seq)
          const row = { firstSeq: after, count: Number(count), term: Number(term), body: String(body) }
          for (const event of eventsOf(row)) events.push(event)
        }
      }
    })
  )
