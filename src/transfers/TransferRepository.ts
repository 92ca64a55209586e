import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"
import { toTransfer, type Transfer, type TransferRow } from "./Transfer.ts"

/** Which end of a transfer an owner is at. */
export type Direction = "sent" | "received"

export interface TransferPage {
  readonly transfers: ReadonlyArray<Transfer>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** Transfers in the database. */
export class TransferRepository extends Context.Service<
  TransferRepository,
  {
    /** One that the owner sent. */
    readonly sent: (owner: string, id: string) => Effect.Effect<Transfer | undefined, Unavailable>
    /** The newest of this id that the owner received. */
    readonly received: (owner: string, id: string) => Effect.Effect<Transfer | undefined, Unavailable>
    /** Those of an owner, of one direction or both, newest first. */
    readonly list: (
      owner: string,
      direction: Direction | undefined,
      page: Page
    ) => Effect.Effect<TransferPage, Unavailable | Keyset.UnknownCursor>
  }
>()("emporion/transfers/TransferRepository") {
  static readonly layer: Layer.Layer<TransferRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const select = sql`
        SELECT id, sender, recipient, payout, base, quote, mode, side, quantity::text AS quantity, rate::text AS rate,
          worst::text AS worst, taken::text AS taken, received::text AS received, quote_id, country, description,
          created_date, at, metadata
        FROM transfers`
      const one = (rows: ReadonlyArray<TransferRow>) => rows.map(toTransfer)[0]
      return TransferRepository.of({
        sent: (owner, id) =>
          sql<TransferRow>`${select} WHERE key = ${`${owner}/${id}`}`.pipe(unavailableOrDie, Effect.map(one)),
        received: (owner, id) =>
          sql<TransferRow>`
            ${select} WHERE recipient = ${owner} AND id = ${id} ORDER BY event_seq DESC LIMIT 1`.pipe(
            unavailableOrDie,
            Effect.map(one)
          ),
        list: Effect.fnUntraced(function* (owner, direction, page) {
          const isSender = sql`sender = ${owner}`
          const isRecipient = sql`recipient = ${owner}`
          const both = sql`(${isSender} OR ${isRecipient})`
          const listed: Keyset.Listed<TransferRow> = {
            select,
            from: sql`transfers`,
            scope: direction === undefined ? both : direction === "sent" ? isSender : isRecipient,
            // What its sender keeps with a transfer is nothing to its recipient.
            wanted: page.metadata === undefined ? undefined : isSender,
            order: [{ column: "event_seq", descending: true }],
            id: "id",
            key: "key",
            idOf: ({ id, sender }) => (direction === "sent" ? id : `${sender}/${id}`),
            hasMetadataIndex: true
          }
          const { next, rows, total } = yield* Keyset.page(sql, listed, page)
          return { transfers: rows.map(toTransfer), total, next }
        }, unavailableOrDie)
      })
    })
  )
}
