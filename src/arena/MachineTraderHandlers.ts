import { Effect } from "effect"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { ApiError } from "../api/ApiError.ts"
import { MachineTraderRegistrations } from "./MachineTraderRegistrations.ts"
import { MachineTraders } from "./MachineTraders.ts"

/** Machine traders over HTTP. Specification 4.3. */
export const MachineTraderHandlers = HandlerGroup.group(
  Api,
  "machineTraders",
  Effect.fnUntraced(function* (handlers) {
    const machines = yield* MachineTraders
    const registrations = yield* MachineTraderRegistrations
    const success = true as const

    return handlers.handleAll({
      retireMachineTrader: ({ params }) => registrations.retire(params.trader_id),
      machineTraderStats: Effect.fn("MachineTraders.machineTraderStats")(function* ({ query }) {
        const stats = yield* machines.stats(query.trader_id)
        if (query.trader_id !== undefined && stats.traders.length === 0) {
          return yield* Effect.fail(new ApiError("not_found", `There is no machine trader ${query.trader_id}.`))
        }
        return {
          success,
          stats: {
            total_traders: stats.totalTraders,
            active_traders: stats.activeTraders,
            total_commitments: stats.totalCommitments,
            win_rate: stats.winRate,
            avg_profit_per_trade: stats.averageProfit,
            traders: stats.traders.map((trader) => ({
              trader_id: trader.traderId,
              agent_id: trader.agentId,
              status: trader.status,
              total_commitments: trader.totalCommitments,
              commitments_won: trader.commitmentsWon,
              win_rate: trader.winRate,
              total_profit: fromUnits(trader.totalProfit)
            }))
          }
        }
      })
    })
  })
)
