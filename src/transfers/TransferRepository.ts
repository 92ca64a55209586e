import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { MoneyTransferred } from "../../engine/transfers/TransferEvent.ts"
import type { Page } from "../api/Paging.ts"
import { bigints, booleans, numerics, texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"
import type { Statements } from "../database/Projection.ts"
import { toTransfer, type Transfer, type TransferRow } from "./Transfer.ts"

/** Which end of a transfer an owner is at. */
export type Direction = "sent" | "received"

export interface TransferPage {
  readonly transfers: ReadonlyArray<Transfer>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** What adds the rows of recorded transfers. The driver takes no array of nulls alone: a rate of 0 or −1 is none. */
const insert = (sql: SqlClient, events: ReadonlyArray<Recorded<MoneyTransferred>>) => {
  const all = events.map(({ event }) => event)
  return sql`
    INSERT INTO transfers (key, id, sender, recipient, payout, base, quote, mode, side, quantity, rate, worst, taken,
      received, quote_id, country, description, created_date, at, event_seq)
    SELECT sender || '/' || id, id, sender, recipient, payout, base, quote, mode, side, quantity, nullif(rate, 0), nullif(worst, -1),
      taken, received, nullif(quote_id, ''), country, description, created_date, at, event_seq
    FROM unnest(
      ${texts(all.map(({ transferId }) => transferId))}::text[],
      ${texts(all.map(({ sender }) => sender))}::text[],
      ${texts(all.map(({ recipient }) => recipient))}::text[],
      ${booleans(all.map(({ payout }) => payout))}::boolean[],
      ${texts(all.map(({ pair }) => pair.base))}::text[],
      ${texts(all.map(({ pair }) => pair.quote))}::text[],
      ${texts(all.map(({ mode }) => mode))}::text[],
      ${texts(all.map(({ side }) => side))}::text[],
      ${numerics(all.map(({ quantity }) => quantity))}::numeric[],
      ${numerics(all.map(({ rate }) => rate ?? 0n))}::numeric[],
      ${numerics(all.map(({ worst }) => worst ?? -1n))}::numeric[],
      ${numerics(all.map(({ taken }) => taken))}::numeric[],
      ${numerics(all.map(({ received }) => received))}::numeric[],
      ${texts(all.map(({ quoteId }) => quoteId ?? ""))}::text[],
      ${texts(all.map(({ country }) => country))}::text[],
      ${texts(all.map(({ description }) => description))}::text[],
      ${bigints(all.map(({ createdDate }) => BigInt(createdDate)))}::integer[],
      ${bigints(all.map(({ at }) => BigInt(at)))}::bigint[],
      ${bigints(events.map(({ seq }) => BigInt(seq)))}::bigint[]) AS made (id, sender, recipient, payout, base, quote, mode,
        side, quantity, rate, worst, taken, received, quote_id, country, description, created_date, at, event_seq)`
}

/** What marks the rates that transfers used. */
const use = (sql: SqlClient, events: ReadonlyArray<Recorded<MoneyTransferred>>): Statements => {
  const using = events.filter(({ event }) => event.quoteId !== null).map(({ event }) => event)
  return using.length === 0
    ? []
    : [
        sql`
          UPDATE fx_quotes AS held SET used_by = used.key FROM unnest(
            ${using.map(({ quoteId }) => quoteId)}::text[],
            ${using.map(({ sender, transferId }) => `${sender}/${transferId}`)}::text[]) AS used (id, key)
          WHERE held.id = used.id`
      ]
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
    /** What adds recorded transfers, within the transaction that records them. */
    readonly transferred: (events: ReadonlyArray<Recorded<MoneyTransferred>>) => Statements
  }
>()("emporion/transfers/TransferRepository") {
  static readonly layer: Layer.Layer<TransferRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const select = sql`
        SELECT id, sender, recipient, payout, base, quote, mode, side, quantity::text AS quantity, rate::text AS rate,
          worst::text AS worst, taken::text AS taken, received::text AS received, quote_id, country, description,
          created_date, at
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
            order: [{ column: "event_seq", descending: true }],
            id: "id",
            key: "key",
            idOf: ({ id, sender }) => (direction === "sent" ? id : `${sender}/${id}`)
          }
          const { next, rows, total } = yield* Keyset.page(sql, listed, page)
          return { transfers: rows.map(toTransfer), total, next }
        }, unavailableOrDie),
        transferred: (events) => [insert(sql, events), ...use(sql, events)]
      })
    })
  )
}
