import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { BotState } from "../../engine/bot/Bot.ts"
import { KeptDecision } from "../../engine/bot/BotEventCodec.ts"
import type { Recalled } from "../../engine/bot/BotWorld.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { type BotRow, selectBots, toBot } from "./BotRepository.ts"

const decodeDecision = Schema.decodeUnknownSync(Schema.fromJsonString(KeptDecision))

/** What bots' actors are rebuilt from. */
export class BotRecallRepository extends Context.Service<
  BotRecallRepository,
  {
    /** A bot with what it decided by itself about some orders, which are given with the times that they close at. */
    readonly recall: (
      botId: string,
      orders: ReadonlyMap<string, number>
    ) => Effect.Effect<Recalled | undefined, Unavailable>
    /** Every bot that is not terminated. */
    readonly living: Effect.Effect<ReadonlyArray<BotState>, Unavailable>
  }
>()("emporion/bots/BotRecallRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const select = selectBots(sql)
      const own = (botId: string, orderIds: ReadonlyArray<string>) =>
        sql<{ readonly order_id: string; readonly decision: string }>`
          SELECT order_id, decision FROM bot_decisions
          WHERE bot_id = ${botId} AND NOT dry_run AND order_id = ANY(${orderIds}::text[])`

      return BotRecallRepository.of({
        recall: Effect.fnUntraced(function* (botId, orders) {
          // The bot first: a decision that comes between is there, or the version is an old one.
          const [row] = yield* sql<BotRow>`${select} WHERE bot.id = ${botId}`
          if (row === undefined) return undefined
          const decided = yield* own(botId, [...orders.keys()])
          const decisions = decided.map(({ decision, order_id: orderId }) => ({
            orderId,
            expiryAt: orders.get(orderId) ?? 0,
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
