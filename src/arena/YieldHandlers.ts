import { Effect } from "effect"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as Rate from "../../engine/money/Rate.ts"
import { Api } from "../api/Api.ts"
import { Vault } from "./Vault.ts"

/** The vault over HTTP. Specification 4.3. */
export const YieldHandlers = HandlerGroup.group(
  Api,
  "yield",
  Effect.fnUntraced(function* (handlers) {
    const vault = yield* Vault
    const success = true as const

    return handlers.handleAll({
      yieldEstimate: Effect.fn("Yield.yieldEstimate")(function* ({ query }) {
        const estimate = yield* Effect.fromResult(vault.estimate(query.order_value, query.duration_days)).pipe(
          Effect.orDie
        )
        return {
          success,
          estimate: {
            order_value: query.order_value,
            collateral: estimate.collateral,
            duration_days: query.duration_days,
            estimated_apy: Rate.toNumber(estimate.apy),
            estimated_yield: estimate.yield,
            strategy: estimate.strategy,
            breakdown: {
              trader_share: estimate.breakdown.trader,
              insurance_share: estimate.breakdown.insurance,
              platform_share: estimate.breakdown.platform,
              token_holder_share: estimate.breakdown.tokenHolders
            }
          }
        }
      }),
      yieldTotal: Effect.fn("Yield.yieldTotal")(function* () {
        const status = yield* vault.status
        return {
          success,
          total_yield_generated: status.yieldGenerated,
          total_collateral_deployed: status.collateralLocked,
          average_apy: Rate.toNumber(status.apy),
          active_commitments: status.activeCommitments,
          strategies: Object.fromEntries(
            status.positions.map(({ name, tvl, apy }) => [name, { tvl, apy: Rate.toNumber(apy) }])
          )
        }
      }),
      vaultStats: Effect.fn("Yield.vaultStats")(function* () {
        const status = yield* vault.status
        return {
          success,
          vault: {
            total_value_locked: status.collateralLocked,
            total_yield_generated: status.yieldGenerated,
            active_strategies: status.positions.length,
            current_strategy: status.currentStrategy,
            allocation: Object.fromEntries(status.positions.map(({ name, share }) => [name, Rate.toNumber(share)]))
          }
        }
      })
    })
  })
)
