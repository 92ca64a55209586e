import type { Commitment } from "../arena/Commitment.ts"
import type { OrderState } from "../arena/Order.ts"
import { orderPrice } from "../arena/OrderTemplate.ts"
import type { AccountId } from "../ledger/Account.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { botStream } from "../bot/BotEvent.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { MemoryJournal } from "./MemoryJournal.ts"
import type { OrderProjection } from "./OrderProjection.ts"
import type { PriceFeed } from "./PriceFeed.ts"
import type { TraderPlan } from "./Scenario.ts"
import type { SimulatedEvent } from "./SimulatedArena.ts"
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
  journal: MemoryJournal<SimulatedEvent>,
  tallies: ReadonlyMap<number, Tally>
): ReadonlyArray<TraderRow> => {
  const committed = Map.groupBy(
    Array.from(projection.orders.values(), ({ commitments }) => [...commitments.values()]).flat(),
    ({ trader }) => trader.userId
  )
  const peaks = collateralPeaks(journal)
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
      collateralPeak: fromUnits(peaks.get(account) ?? 0n),
      openingBalance: plan.balance,
      closingBalance: journal.account(account).balance
    }
  })
}

/** One row a bot. */
export const botRows = (
  { bots }: BotProjection,
  projection: OrderProjection,
  journal: MemoryJournal<SimulatedEvent>
): ReadonlyArray<BotRow> => {
  const committed = Map.groupBy(
    Array.from(projection.orders.values(), ({ commitments }) => [...commitments.values()]).flat(),
    ({ trader }) => trader.botId
  )
  return Array.from(bots.values(), ({ botId, companyId, standing }) => {
    const mine = committed.get(botId) ?? []
    const decided = journal.stream(botStream(botId)).filter(({ event }) => event._tag === "BotDecided")
    const asked = decided.filter(({ event }) => event._tag === "BotDecided" && event.dryRun).length
    return {
      botId,
      owner: companyId,
      status: standing.status,
      decisions: decided.length - asked,
      evaluations: asked,
      commitments: mine.length,
      wins: mine.filter(({ status }) => status === "won" || status === "settled").length,
      profit: sum(mine, ({ profit }) => profit)
    }
  })
}

const sum = (some: ReadonlyArray<Commitment>, of: (one: Commitment) => Amount): Amount =>
  fromUnits(some.reduce((total, one) => total + of(one), 0n))

/** The most that each wallet ever held, from the events in their order. */
const collateralPeaks = (journal: MemoryJournal<SimulatedEvent>): ReadonlyMap<AccountId, bigint> => {
  const open = new Map<string, Array<Commitment>>()
  const held = new Map<AccountId, bigint>()
  const peaks = new Map<AccountId, bigint>()
  const release = (orderId: string, kept: string | null): void => {
    const stays: Array<Commitment> = []
    for (const commitment of open.get(orderId) ?? []) {
      const { account } = commitment.trader
      if (commitment.commitmentId === kept) stays.push(commitment)
      else held.set(account, (held.get(account) ?? 0n) - commitment.collateral)
    }
    open.set(orderId, stays)
  }
  for (const { event } of journal.events) {
    if (event._tag === "WinnerChosen") release(event.orderId, event.choice.winner)
    if (event._tag === "OrderSettled" || event._tag === "OrderVoided") release(event.orderId, null)
    if (event._tag !== "CommitmentSubmitted") continue
    const { commitment } = event
    const { account } = commitment.trader
    const now = (held.get(account) ?? 0n) + commitment.collateral
    held.set(account, now)
    if (now > (peaks.get(account) ?? 0n)) peaks.set(account, now)
    const others = open.get(commitment.orderId)
    if (others === undefined) open.set(commitment.orderId, [commitment])
    else others.push(commitment)
  }
  return peaks
}
