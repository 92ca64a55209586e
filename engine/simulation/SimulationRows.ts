import type { OrderSettled, OrderVoided } from "../arena/ArenaEvent.ts"
import type { OrderState } from "../arena/Order.ts"
import { orderPrice } from "../arena/OrderTemplate.ts"
import type { CollateralPeaks } from "./CollateralPeaks.ts"
import { fromUnits, ZERO } from "../money/Amount.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import type { CommitmentTallies } from "./OrderArchive.ts"
import type { PriceFeed } from "./PriceFeed.ts"
import type { TraderPlan } from "./Scenario.ts"
import type { BotRow, OrderRow, PricePoint, TraderRow } from "./SimulationResult.ts"
import { type Tally, walletOfTrader } from "./TraderDesk.ts"

/** What came of an order. Its number is that in the scenario; without a feed the prices stay empty. */
export const orderRow = (
  state: OrderState,
  end: OrderSettled | OrderVoided | undefined,
  number: number,
  feed: PriceFeed | undefined
): OrderRow => {
  const { terms, choice, commitments } = state
  const settled = end?._tag === "OrderSettled" ? end : undefined
  const winner = commitments.get(choice?.winner ?? "")
  return {
    orderId: terms.orderId,
    order: number,
    assetType: terms.assetType,
    asset: terms.asset,
    quantity: terms.quantity,
    entryPrice: terms.entryPrice,
    openedAt: terms.openedAt,
    expiryAt: terms.expiryAt,
    settlementAt: terms.settlementAt,
    status: state.status,
    commitments: commitments.size,
    owners: commitments.owners().size,
    reference: choice?.reference ?? null,
    winner: winner?.trader.userId ?? null,
    winnerType: winner?.trader.type ?? null,
    clearingPrice: choice?.clearingPrice ?? null,
    settlementPrice: settled?.price ?? null,
    takeProfit: settled?.takeProfit ?? false,
    voided: end?._tag === "OrderVoided" ? end.reason : null,
    profit: settled?.profit ?? ZERO,
    yieldDistributed: end?.yieldDistributed ?? ZERO,
    prices: feed === undefined ? [] : pricesOf(state, feed)
  }
}

const pricesOf = ({ terms }: OrderState, feed: PriceFeed): ReadonlyArray<PricePoint> =>
  feed
    .since(terms.asset, terms.openedAt)
    .filter(({ at }) => at <= terms.settlementAt)
    .map((median) => ({ at: median.at, price: orderPrice(terms, median), safe: median.safe }))

/** One row a trader; `committed` has what their commitments came to, by id. */
export const traderRows = (
  traders: ReadonlyArray<TraderPlan>,
  committed: CommitmentTallies,
  journal: SimulatedJournal,
  peaks: CollateralPeaks,
  tallies: ReadonlyMap<number, Tally>
): ReadonlyArray<TraderRow> =>
  traders.map((plan) => {
    const { submissions, refusals } = tallies.get(plan.index) ?? { submissions: 0, refusals: 0 }
    const { collateral, commitments, profit, wins, yieldEarned } = committed.of(plan.id)
    const account = walletOfTrader(plan)
    return {
      traderId: plan.id,
      owner: plan.owner,
      type: plan.type,
      submissions,
      commitments,
      refusals,
      wins,
      profit: fromUnits(profit),
      yieldEarned: fromUnits(yieldEarned),
      collateralTotal: fromUnits(collateral),
      collateralPeak: fromUnits(peaks.of(account)),
      openingBalance: plan.balance,
      closingBalance: journal.account(account).balance
    }
  })

/** One row a bot; `committed` has what their commitments came to, by id. */
export const botRows = ({ bots, tallies }: BotProjection, committed: CommitmentTallies): ReadonlyArray<BotRow> =>
  Array.from(bots.values(), ({ botId, companyId, standing }) => {
    const { commitments, profit, wins } = committed.of(botId)
    const { decisions, evaluations } = tallies.get(botId) ?? { decisions: 0, evaluations: 0 }
    return {
      botId,
      owner: companyId,
      status: standing.status,
      decisions,
      evaluations,
      commitments,
      wins,
      profit: fromUnits(profit)
    }
  })
