import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { Decision } from "../../engine/bots/Evaluation.ts"
import type { BotStatus } from "../../engine/bots/BotLifecycle.ts"
import type { EnteredBot } from "../../engine/bots/BotRegistry.ts"
import type { Recalled } from "../../engine/bots/BotWorld.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { BotRepository } from "./BotRepository.ts"

const decodeDecision = Schema.decodeUnknownSync(Schema.fromJsonString(Decision))

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
    readonly living: Effect.Effect<ReadonlyArray<EnteredBot>, Unavailable>
  }
>()("emporion/bots/BotRecallRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { find } = yield* BotRepository
      const own = (botId: string, orderIds: ReadonlyArray<string>) =>
        sql<{ readonly order_id: string; readonly decision: string }>`
          SELECT order_id, decision FROM bot_decisions
          WHERE bot_id = ${botId} AND NOT dry_run AND order_id = ANY(${orderIds}::text[])`.pipe(unavailableOrDie)

      return BotRecallRepository.of({
        recall: Effect.fnUntraced(function* (botId, orders) {
          // The bot first: a decision that comes between is there, or the version is an old one.
          const bot = yield* find(botId)
          if (bot === undefined) return undefined
          const decided = yield* own(botId, [...orders.keys()])
          const decisions = decided.map(({ decision, order_id: orderId }) => ({
            orderId,
            expiryAt: orders.get(orderId) ?? 0,
            decision: decodeDecision(decision)
          }))
          return { bot, decisions }
        }),
        living: sql<{ id: string; capabilities: ReadonlyArray<AssetType>; status: BotStatus }>`
          SELECT id, capabilities, status FROM bots WHERE status <> 'terminated'`.pipe(
          unavailableOrDie,
          Effect.map((rows) =>
            rows.map(({ capabilities, id, status }) => ({ botId: id, profile: { capabilities }, standing: { status } }))
          )
        )
      })
    })
  )
}
