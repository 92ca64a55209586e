import type { Commitment } from "../arena/Commitment.ts"
import type { OrderState } from "../arena/Order.ts"
import { orderPrice } from "../arena/OrderTemplate.ts"
import type { CollateralPeaks } from "./CollateralPeaks.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import type { OrderProjection } from "./OrderProjection.ts"
import type { PriceFeed } from "./PriceFeed.ts"
import type { TraderPlan } from "./Scenario.ts"
import type { BotRow, OrderRow, PricePoint, TraderRow } from "./SimulationResult.ts"
import { type Tally, walletOfTrader } from "./TraderDesk.ts"

/** One row an order. `numberOf` tells its number in the scenario; without a feed the prices stay empty. */
export const orderRows = (
  projection: OrderProjection,
  numberOf: (orderId: string) => number,
  feed: PriceFeed | undefined
): ReadonlyArray<OrderRow> =>
  Array.from(projection.orders.values(), (state): OrderRow => {
    const { terms, choice, commitments } = state
    const end = projection.ends.get(terms.orderId)
    const settled = end?._tag === "OrderSettled" ? end : undefined
    const winner = commitments.get(choice?.winner ?? "")
    return {
      orderId: terms.orderId,
      order: numberOf(terms.orderId),
      assetType: terms.assetType,
      asset: terms.asset,
      quantity: terms.quantity,
      entryPrice: terms.entryPrice,
      openedAt: terms.openedAt,
      expiryAt: terms.expiryAt,
      settlementAt: terms.settlementAt,
      status: state.status,
      commitments: commitments.size,
      owners: state.owners.size,
      reference: choice?.reference ?? null,
      winner: winner?.trader.userId ?? null,
      clearingPrice: choice?.clearingPrice ?? null,
      settlementPrice: settled?.price ?? null,
      takeProfit: settled?.takeProfit ?? false,
      voided: end?._tag === "OrderVoided" ? end.reason : null,
      profit: settled?.profit ?? ZERO,
      yieldDistributed: end?.yieldDistributed ?? ZERO,
      prices: feed === undefined ? [] : pricesOf(state, feed)
    }
  })

const pricesOf = ({ terms }: OrderState, feed: PriceFeed): ReadonlyArray<PricePoint> =>
  feed
    .since(terms.asset, terms.openedAt)
    .filter(({ at }) => at <= terms.settlementAt)
    .map((median) => ({ at: median.at, price: orderPrice(terms, median), safe: median.safe }))

/** One row a trader. */
export const traderRows = (
  traders: ReadonlyArray<TraderPlan>,
  projection: OrderProjection,
  journal: SimulatedJournal,
  peaks: CollateralPeaks,
  tallies: ReadonlyMap<number, Tally>
): ReadonlyArray<TraderRow> => {
  const committed = Map.groupBy(
    Array.from(projection.orders.values(), ({ commitments }) => [...commitments.values()]).flat(),
    ({ trader }) => trader.userId
  )
  return traders.map((plan) => {
    const { submissions, refusals } = tallies.get(plan.index) ?? { submissions: 0, refusals: 0 }
    const mine = committed.get(plan.id) ?? []
    const account = walletOfTrader(plan)
    return {
      traderId: plan.id,
      owner: plan.owner,
      type: plan.type,
      submissions,
      commitments: mine.length,
      refusals,
      wins: mine.filter(({ status }) => status === "won" || status === "settled").length,
      profit: sum(mine, ({ profit }) => profit),
      yieldEarned: sum(mine, ({ yieldEarned }) => yieldEarned),
      collateralTotal: sum(mine, ({ collateral }) => collateral),
      collateralPeak: fromUnits(peaks.of(account)),
      openingBalance: plan.balance,
      closingBalance: journal.account(account).balance
    }
  })
}

/** One row a bot. */
export const botRows = ({ bots, tallies }: BotProjection, projection: OrderProjection): ReadonlyArray<BotRow> => {
  const committed = Map.groupBy(
    Array.from(projection.orders.values(), ({ commitments }) => [...commitments.values()]).flat(),
    ({ trader }) => trader.botId
  )
  return Array.from(bots.values(), ({ botId, companyId, standing }) => {
    const mine = committed.get(botId) ?? []
    const { decisions, evaluations } = tallies.get(botId) ?? { decisions: 0, evaluations: 0 }
    return {
      botId,
      owner: companyId,
      status: standing.status,
      decisions,
      evaluations,
      commitments: mine.length,
      wins: mine.filter(({ status }) => status === "won" || status === "settled").length,
      profit: sum(mine, ({ profit }) => profit)
    }
  })
}

const sum = (some: ReadonlyArray<Commitment>, of: (one: Commitment) => Amount): Amount =>
  fromUnits(some.reduce((total, one) => total + of(one), 0n))
