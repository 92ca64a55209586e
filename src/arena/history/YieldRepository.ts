import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CommitmentYield } from "../../../engine/arena/ArenaEvent.ts"
import { orderStream } from "../../../engine/arena/Order.ts"
import { texts } from "../../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../../database/DatabaseError.ts"

/** What the collateral of a commitment earned, in 10⁻⁶ USD, paid when it was released. */
export interface ReleasedYield extends CommitmentYield {
  readonly orderId: string
  /** Milliseconds since 1970. */
  readonly releasedAt: number
}

/** The events that release collateral. */
const RELEASING = ["WinnerChosen", "OrderSettled", "OrderVoided"]

/** What those events have in common: the rest of a choice is much longer. */
const Releasing = Schema.Struct({ at: Schema.Int, orderId: Schema.String, yields: Schema.Array(CommitmentYield) })

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Releasing))

/** Reads what commitments' collateral earned, of the events that released it. */
export class YieldRepository extends Context.Service<
  YieldRepository,
  {
    /** The yields of some orders: theirs in the sequence of the orders, and one order's as they were paid. */
    readonly ofOrders: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ReleasedYield>, Unavailable>
  }
>()("emporion/arena/history/YieldRepository") {
  static readonly layer: Layer.Layer<YieldRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      YieldRepository.of({
        ofOrders: (ids) =>
          sql<{ readonly data: string }>`
            SELECT event.data FROM unnest(${texts(ids.map(orderStream))}::text[]) WITH ORDINALITY AS named (stream, place)
            JOIN events AS event ON event.stream = named.stream
            WHERE event.type = ANY(${texts(RELEASING)}::text[]) ORDER BY named.place, event.version`.pipe(
            Effect.map((rows) =>
              rows.flatMap(({ data }) => {
                const { at, orderId, yields } = decode(data)
                return yields.map((paid): ReleasedYield => ({ ...paid, orderId, releasedAt: at }))
              })
            ),
            unavailableOrDie
          )
      })
    )
  )
}
