import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { GroupResult } from "../../engine/actor/CommitGroup.ts"
import { type BasketRecord, partsOf, partsText } from "../../engine/ledger/MultiHold.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { bigints, texts } from "./ArrayParameter.ts"
import type { Statements } from "./Projection.ts"

interface BasketRow {
  readonly id: string
  readonly parts: string
}

/** A basket, and the event that placed or ended it. */
interface Told {
  readonly basket: BasketRecord
  readonly seq: bigint
}

const toPending = ({ id, parts }: BasketRow): BasketRecord => ({ id, parts: partsOf(parts), state: "Pending" })

/** The pending ones of these baskets. */
export const pendingBaskets =
  (sql: SqlClient) =>
  (ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<BasketRecord>, SqlError> =>
    ids.length === 0
      ? Effect.succeed([])
      : sql<BasketRow>`
          SELECT id, parts FROM ledger_baskets
          WHERE id = ANY(${texts(ids)}::text[]) AND status = 'pending'`.pipe(Effect.map((rows) => rows.map(toPending)))

const place = (sql: SqlClient, placed: ReadonlyArray<Told>): Statements =>
  placed.length === 0
    ? []
    : [
        sql`
          INSERT INTO ledger_baskets (id, parts, status, placed_by)
          SELECT id, parts, 'pending', seq FROM unnest(
            ${texts(placed.map(({ basket }) => basket.id))}::text[],
            ${texts(placed.map(({ basket }) => partsText(basket.parts)))}::text[],
            ${bigints(placed.map(({ seq }) => seq))}::bigint[]) AS placed (id, parts, seq)`
      ]

const end = (sql: SqlClient, ended: ReadonlyArray<Told>): Statements =>
  ended.length === 0
    ? []
    : [
        sql`
          UPDATE ledger_baskets AS basket SET status = ended.status, resolved_by = ended.seq
          FROM unnest(
            ${texts(ended.map(({ basket }) => basket.id))}::text[],
            ${texts(ended.map(({ basket }) => basket.state.toLowerCase()))}::text[],
            ${bigints(ended.map(({ seq }) => seq))}::bigint[]) AS ended (id, status, seq)
          WHERE basket.id = ended.id AND basket.status = 'pending'`
      ]

/** The statements that write the baskets of groups. */
export const writeBaskets =
  (sql: SqlClient) =>
  (groups: ReadonlyArray<GroupResult<PlatformEvent>>): Statements => {
    const placed: Array<Told> = []
    const ended: Array<Told> = []
    for (const { book, trace } of groups) {
      for (const [id, { placedBy, resolvedBy }] of trace.baskets) {
        const basket = book.baskets.get(id)
        if (basket === undefined) continue
        if (placedBy !== undefined) placed.push({ basket, seq: BigInt(placedBy) })
        if (resolvedBy !== undefined) ended.push({ basket, seq: BigInt(resolvedBy) })
      }
    }
    return [...place(sql, placed), ...end(sql, ended)]
  }
