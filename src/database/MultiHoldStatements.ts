/** The statements on multi-holds. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { GroupResult } from "../../engine/actor/CommitGroup.ts"
import { type MultiHoldRecord, partsOf, partsText } from "../../engine/ledger/MultiHold.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { bigints, texts } from "./ArrayParameter.ts"
import type { Statements } from "./RowWriter.ts"

interface MultiHoldRow {
  readonly id: string
  readonly parts: string
}

/** A multi-hold, and the event that placed or ended it. */
interface Told {
  readonly multiHold: MultiHoldRecord
  readonly seq: bigint
}

const toPending = ({ id, parts }: MultiHoldRow): MultiHoldRecord => ({ id, parts: partsOf(parts), state: "Pending" })

/** The pending ones of these multi-holds. */
export const pendingMultiHolds =
  (sql: SqlClient) =>
  (ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<MultiHoldRecord>, SqlError> =>
    ids.length === 0
      ? Effect.succeed([])
      : sql<MultiHoldRow>`
          SELECT id, parts FROM ledger_baskets
          WHERE id = ANY(${texts(ids)}::text[]) AND status = 'pending'`.pipe(Effect.map((rows) => rows.map(toPending)))

const place = (sql: SqlClient, placed: ReadonlyArray<Told>): Statements =>
  placed.length === 0
    ? []
    : [
        sql`
          INSERT INTO ledger_baskets (id, parts, status, placed_by)
          SELECT id, parts, 'pending', seq FROM unnest(
            ${texts(placed.map(({ multiHold }) => multiHold.id))}::text[],
            ${texts(placed.map(({ multiHold }) => partsText(multiHold.parts)))}::text[],
            ${bigints(placed.map(({ seq }) => seq))}::bigint[]) AS placed (id, parts, seq)`
      ]

const end = (sql: SqlClient, ended: ReadonlyArray<Told>): Statements =>
  ended.length === 0
    ? []
    : [
        sql`
          UPDATE ledger_baskets AS held SET status = ended.status, resolved_by = ended.seq
          FROM unnest(
            ${texts(ended.map(({ multiHold }) => multiHold.id))}::text[],
            ${texts(ended.map(({ multiHold }) => multiHold.state.toLowerCase()))}::text[],
            ${bigints(ended.map(({ seq }) => seq))}::bigint[]) AS ended (id, status, seq)
          WHERE held.id = ended.id AND held.status = 'pending'`
      ]

/** The statements that write the multi-holds of groups. */
export const writeMultiHolds =
  (sql: SqlClient) =>
  (groups: ReadonlyArray<GroupResult<PlatformEvent>>): Statements => {
    const placed: Array<Told> = []
    const ended: Array<Told> = []
    for (const { book, trace } of groups) {
      for (const [id, { placedBy, resolvedBy }] of trace.multiHolds) {
        const multiHold = book.multiHolds.get(id)
        if (multiHold === undefined) continue
        if (placedBy !== undefined) placed.push({ multiHold, seq: BigInt(placedBy) })
        if (resolvedBy !== undefined) ended.push({ multiHold, seq: BigInt(resolvedBy) })
      }
    }
    return [...place(sql, placed), ...end(sql, ended)]
  }
