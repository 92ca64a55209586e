import { Effect } from "effect"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { format, fromUnits } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { ApiError, refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { AuditLog } from "../identity/AuditLog.ts"
import { MachineTraders } from "./MachineTraders.ts"

/** Machine traders over HTTP. Specification 4.3. */
export const MachineTraderHandlers = HandlerGroup.group(
  Api,
  "machineTraders",
  Effect.fnUntraced(function* (handlers) {
    const machines = yield* MachineTraders
    const audit = yield* AuditLog
    const success = true as const

    return handlers.handleAll({
      registerMachineTrader: Effect.fn("MachineTraders.registerMachineTrader")(function* ({ payload }) {
        const { role } = yield* CurrentPrincipal
        if (role !== "admin") return yield* refuse("access_denied", "Only an administrator registers machine traders.")
        const { agent_id, collateral_allocated: allocated, wallet_address: subjectId } = payload
        const after = { agent_id, collateral_allocated: format(allocated) }
        yield* audit.recordRequest({ act: "machine_trader.register", subjectId, after })
        const trader = yield* machines
          .register({
            agentId: payload.agent_id,
            agentUri: payload.agent_uri,
            walletAddress: payload.wallet_address,
            capabilities: payload.capabilities,
            collateralAllocated: payload.collateral_allocated,
            model: payload.specs.model,
            riskTolerance: payload.specs.risk_tolerance
          })
          .pipe(
            Effect.catchTags({
              AgentIdTaken: () => refuse("conflict", `Agent ${payload.agent_id} is registered already.`),
              InvalidRegistration: (error) =>
                refuse("unprocessable", `payload.${error.field}: Expected ${error.expected}`)
            })
          )
        return { success, message: "Machine trader registered", trader_id: trader.id, status: trader.status }
      }),
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
