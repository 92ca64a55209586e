import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { fromUnits, ZERO } from "../../engine/money/Amount.ts"
import * as Rate from "../../engine/money/Rate.ts"
import { Api } from "../api/Api.ts"
import { ApiError, refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import { Settings } from "../Config.ts"
import { IdempotencyScope, markStored } from "../http/IdempotencyScope.ts"
import { Oracles } from "../oracles/Oracles.ts"
import { Arena } from "./Arena.ts"
import { AgentActivity } from "./AgentActivity.ts"
import { Breakers } from "./Breakers.ts"
import { chainPosition, receiptOf } from "./CommitmentReceipt.ts"
import { type CommitmentView, CommitmentRepository } from "./CommitmentRepository.ts"
import { MachineTraders } from "./MachineTraders.ts"
import { OrderRepository, type OrderView } from "./OrderRepository.ts"
import { Vault } from "./Vault.ts"

const orderFields = (order: OrderView) => ({
  order_id: order.orderId,
  asset_type: order.assetType,
  quantity: order.quantity,
  entry_price: order.entryPrice,
  settlement_date: order.settlementAt,
  expiry_date: order.expiryAt,
  status: order.status,
  market_maker: order.makerAddress,
  onchain_order_id: chainPosition(order.orderId, 1)
})

const listed = (order: OrderView) => ({ ...orderFields(order), asset_details: order.details })

const parsed = <A>(json: string): A => JSON.parse(json)

const detailed = (order: OrderView, commitments: ReadonlyArray<CommitmentView>) => ({
  ...orderFields(order),
  asset_details: parsed<Record<string, string | number>>(order.details),
  commitments: commitments.map(competing),
  reference_price: order.referencePrice,
  clearing_price: order.clearingPrice,
  settlement_price: order.settlementPrice,
  winner_commitment_id: order.winnerCommitmentId,
  void_reason: order.voidReason,
  tie_key_hash: order.tieKeyHash,
  tie_key: order.tieKey,
  fairness:
    order.fairness === null ? null : parsed<{ rule: string; machines: string; total: string }>(order.fairness)
})

/** Owners stay unnamed until the choice, so that nobody bids against somebody. */
const competing = (commitment: CommitmentView) => ({
  commitment_id: commitment.commitmentId,
  trader_address: commitment.traderAddress,
  trader_type: commitment.traderType,
  proposed_entry_price: commitment.proposedPrice,
  expected_exit_price: commitment.exitPrice,
  quantity: commitment.quantity,
  collateral: commitment.collateral,
  status: commitment.status,
  owner_id: commitment.status === "active" ? null : commitment.owner,
  rank: commitment.rank,
  score: commitment.score?.toString() ?? null,
  loss_reason: commitment.reason
})

const own = (commitment: CommitmentView) => ({
  commitment_id: commitment.commitmentId,
  order_id: commitment.orderId,
  asset_type: commitment.assetType,
  trader_type: commitment.traderType,
  bot_id: commitment.botId,
  proposed_entry_price: commitment.proposedPrice,
  expected_exit_price: commitment.exitPrice,
  quantity: commitment.quantity,
  collateral: commitment.collateral,
  status: commitment.status,
  profit: commitment.profit,
  yield_earned: commitment.yieldEarned,
  loss_reason: commitment.reason,
  created_at: commitment.acceptedAt
})

/** The arena over HTTP. Specification 4.3. */
export const ArenaHandlers = HttpApiBuilder.group(
  Api,
  "arena",
  Effect.fnUntraced(function* (handlers) {
    const { arena: settings } = yield* Settings
    const arena = yield* Arena
    const activity = yield* AgentActivity
    const breakers = yield* Breakers
    const oracles = yield* Oracles
    const orders = yield* OrderRepository
    const commitments = yield* CommitmentRepository
    const machines = yield* MachineTraders
    const vault = yield* Vault
    const success = true as const

    return handlers.handleAll({
      agentStatus: Effect.fn("Arena.agentStatus")(function* () {
        const counts = yield* orders.openCounts
        return {
          success,
          status: activity.isRunning() ? "running" : "stopped",
          oracles: yield* oracles.status,
          supported_asset_types: ASSET_TYPES,
          open_orders_count: {
            commodity: counts.get("commodity") ?? 0,
            fx: counts.get("fx") ?? 0,
            options: counts.get("options") ?? 0,
            gpu: counts.get("gpu") ?? 0
          },
          generation_interval_minutes: settings.slotSeconds / 60,
          circuit_breakers: breakers.statuses(),
          skipped_orders: activity.skipped()
        }
      }),
      listOrders: Effect.fn("Arena.listOrders")(function* ({ query }) {
        const page = pageOf(query)
        const found = yield* orders.list({ assetType: query.asset_type, status: query.status, ...page })
        return { success, orders: found.orders.map(listed), total: found.total, ...page }
      }),
      getOrder: Effect.fn("Arena.getOrder")(function* ({ params }) {
        const order = yield* orders.find(params.order_id)
        if (order === undefined) return yield* Effect.fail(new OrderNotFound({ orderId: params.order_id }))
        return { success, order: detailed(order, yield* commitments.ofOrder(order.orderId)) }
      }),
      submitCommitment: Effect.fnUntraced(function* ({ payload }) {
        const principal = yield* CurrentPrincipal
        const keyed = yield* IdempotencyScope
        const recorded = yield* arena
          .commit({
            orderId: payload.order_id,
            proposedPrice: payload.proposed_entry_price,
            exitPrice: payload.expected_exit_price,
            quantity: payload.quantity,
            slippage: payload.slippage_tolerance ?? ZERO,
            swapExecutor: payload.swap_executor ?? "",
            botId: payload.bot_id,
            userId: principal.userId,
            isService: principal.kind === "service",
            idempotency: keyed
          })
          .pipe(Effect.catchTag("UserNotFound", Effect.die))
        yield* markStored
        return receiptOf(recorded)
      }, Effect.uninterruptible),
      myCommitments: Effect.fn("Arena.myCommitments")(function* ({ query }) {
        const { userId } = yield* CurrentPrincipal
        const found = yield* commitments.mine({ userId, status: query.status, ...pageOf(query) })
        return { success, commitments: found.map(own) }
      }),
      yieldEstimate: Effect.fn("Arena.yieldEstimate")(function* ({ query }) {
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
      yieldTotal: Effect.fn("Arena.yieldTotal")(function* () {
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
      vaultStats: Effect.fn("Arena.vaultStats")(function* () {
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
      }),
      registerMachineTrader: Effect.fn("Arena.registerMachineTrader")(function* ({ payload }) {
        const { role } = yield* CurrentPrincipal
        if (role !== "admin") return yield* refuse("access_denied", "Only an administrator registers machine traders.")
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
              InvalidRegistration: (error) => refuse("unprocessable", `payload.${error.field}: Expected ${error.expected}`)
            })
          )
        return { success, message: "Machine trader registered", trader_id: trader.id, status: trader.status }
      }),
      machineTraderStats: Effect.fn("Arena.machineTraderStats")(function* ({ query }) {
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
