import { Cache, Clock, Effect } from "effect"
import { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { Api } from "../api/Api.ts"
import { MAX_LEADER_DAYS, MAX_LEADERS, USUAL_LEADER_DAYS } from "../api/ArenaBoard.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { ArenaBoardRepository, type Leader } from "./ArenaBoardRepository.ts"

/** Milliseconds that a leaderboard is kept. */
const LEADERS_KEPT_FOR = 3_000

const DAY = 24 * 3_600_000

const success = true as const

const ranked = (leader: Leader, index: number) => ({
  rank: index + 1,
  owner_id: leader.owner,
  trader_address: leader.address,
  trader_type: leader.type,
  commitments: leader.decided,
  won: leader.won,
  win_rate: leader.decided === 0 ? 0 : leader.won / leader.decided,
  profit: leader.profit,
  yield_earned: leader.yieldEarned
})

const keyOf = (days: number, assetType: string | undefined): string => `${days}/${assetType ?? ""}`

/** Prices of orders and the leaderboard over HTTP. */
export const ArenaBoardHandlers = HandlerGroup.group(
  Api,
  "arenaBoard",
  Effect.fnUntraced(function* (handlers) {
    const repository = yield* ArenaBoardRepository
    const boards = yield* Cache.make({
      capacity: MAX_LEADER_DAYS * (ASSET_TYPES.length + 1),
      timeToLive: LEADERS_KEPT_FOR,
      lookup: Effect.fnUntraced(function* (key: string) {
        const [days, type] = key.split("/")
        const since = (yield* Clock.currentTimeMillis) - Number(days) * DAY
        const assetType = ASSET_TYPES.find((each) => each === type)
        const found = yield* repository.leaders({ since, assetType, limit: MAX_LEADERS })
        return { since, orders: found.orders, leaders: found.leaders.map(ranked) }
      })
    })

    return handlers.handleAll({
      orderPrices: Effect.fnUntraced(function* ({ params: { order_id: orderId } }) {
        const found = yield* repository.prices(orderId)
        if (found === undefined) return yield* new OrderNotFound({ orderId })
        return { success, order_id: orderId, ...found }
      }),
      leaderboard: Effect.fnUntraced(function* ({ query }) {
        const board = yield* Cache.get(boards, keyOf(query.days ?? USUAL_LEADER_DAYS, query.asset_type))
        return { success, ...board, leaders: board.leaders.slice(0, query.limit ?? MAX_LEADERS) }
      })
    })
  })
)
