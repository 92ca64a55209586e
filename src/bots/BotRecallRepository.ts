import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { BotState } from "../../engine/bot/Bot.ts"
import { KeptDecision } from "../../engine/bot/BotEventCodec.ts"
import type { Recalled } from "../../engine/bot/BotWorld.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { type BotRow, selectBots, toBot } from "./BotRow.ts"

const decodeDecision = Schema.decodeUnknownSync(Schema.fromJsonString(KeptDecision))

/** What bots' actors are rebuilt from. */
export class BotRecallRepository extends Context.Service<
  BotRecallRepository,
  {
    /** A bot with what it decided by itself about orders that are not closed. */
    readonly recall: (botId: string) => Effect.Effect<Recalled | undefined, Unavailable>
    /** Every bot that is not terminated. */
    readonly living: Effect.Effect<ReadonlyArray<BotState>, Unavailable>
  }
>()("emporion/bots/BotRecallRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const select = selectBots(sql)
      const own = (botId: string) =>
        sql<{ readonly order_id: string; readonly expiry_at: bigint; readonly decision: string }>`
          SELECT made.order_id, bid.expiry_at, made.decision
          FROM bot_decisions AS made JOIN arena_orders AS bid ON bid.id = made.order_id
          WHERE made.bot_id = ${botId} AND NOT made.dry_run AND bid.status IN ('open', 'competing')`

      return BotRecallRepository.of({
        recall: Effect.fnUntraced(function* (botId) {
          // The bot first: a decision that comes between is missing in neither, or its version is.
          const [row] = yield* sql<BotRow>`${select} WHERE bot.id = ${botId}`
          if (row === undefined) return undefined
          const decisions = (yield* own(botId)).map(({ decision, expiry_at: expiryAt, order_id: orderId }) => ({
            orderId,
            expiryAt: Number(expiryAt),
            decision: decodeDecision(decision)
          }))
          return { bot: toBot(row), decisions }
        }, unavailableOrDie),
        living: sql<BotRow>`${select} WHERE bot.status <> 'terminated'`.pipe(
          unavailableOrDie,
          Effect.map((rows) => rows.map(toBot))
        )
      })
    })
  )
}
