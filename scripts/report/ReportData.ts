import type { OrderRow, PricePoint, SimulationResult, TraderRow } from "../../engine/simulation/SimulationResult.ts"
import { type Amount, toNumber } from "../../engine/money/Amount.ts"

/** Points kept of one order's prices: more than a chart has room for. */
const MAX_POINTS = 300

/** What the page draws. Money and prices are in USD, times in milliseconds since 1970. */
export interface ReportData {
  readonly seed: number
  readonly command: string
  readonly startedAt: number
  readonly endedAt: number
  readonly stateHash: string
  readonly eventsHash: string
  readonly figures: ReadonlyArray<{ readonly name: string; readonly value: number; readonly note: string }>
  readonly violation: { readonly invariant: string; readonly detail: string; readonly seq: number } | null
  readonly answers: ReadonlyArray<readonly [string, number]>
  readonly faults: ReadonlyArray<{ readonly kind: string; readonly count: number }>
  readonly orders: ReadonlyArray<ReportOrder>
  readonly traders: ReadonlyArray<ReportTrader>
}

export interface ReportOrder {
  readonly id: string
  readonly order: number
  readonly type: string
  readonly asset: string
  readonly openedAt: number
  readonly expiryAt: number
  readonly settlementAt: number
  readonly entry: number
  readonly commitments: number
  readonly owners: number
  readonly reference: number | null
  readonly clearing: number | null
  readonly settled: number | null
  readonly takeProfit: boolean
  readonly winner: string | null
  readonly voided: string | null
  readonly status: string
  readonly profit: number
  readonly yields: number
  /** Times and prices. */
  readonly at: ReadonlyArray<number>
  readonly prices: ReadonlyArray<number | null>
}

export interface ReportTrader {
  readonly id: string
  readonly type: string
  readonly commitments: number
  readonly refusals: number
  readonly wins: number
  readonly profit: number
  readonly yields: number
  readonly collateral: number
  readonly peak: number
  readonly change: number
}

const usd = (amount: Amount | null): number | null => (amount === null ? null : toNumber(amount))

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, each) => total + each, 0)

/** Keeps the first and last point, and every so many between: an unsafe price is a gap. */
const thinned = (points: ReadonlyArray<PricePoint>): ReadonlyArray<PricePoint> => {
  const step = Math.max(1, Math.ceil(points.length / MAX_POINTS))
  return points.filter((_, index) => index % step === 0 || index === points.length - 1)
}

const orderOf = (order: OrderRow): ReportOrder => {
  const points = thinned(order.prices)
  return {
    id: order.orderId,
    order: order.order,
    type: order.assetType,
    asset: order.asset,
    openedAt: order.openedAt,
    expiryAt: order.expiryAt,
    settlementAt: order.settlementAt,
    entry: toNumber(order.entryPrice),
    commitments: order.commitments,
    owners: order.owners,
    reference: usd(order.reference),
    clearing: usd(order.clearingPrice),
    settled: usd(order.settlementPrice),
    takeProfit: order.takeProfit,
    winner: order.winner,
    voided: order.voided,
    status: order.status,
    profit: toNumber(order.profit),
    yields: toNumber(order.yieldDistributed),
    at: points.map(({ at }) => at),
    prices: points.map(({ price, safe }) => (safe ? toNumber(price) : null))
  }
}

const traderOf = (trader: TraderRow): ReportTrader => ({
  id: trader.traderId,
  type: trader.type,
  commitments: trader.commitments,
  refusals: trader.refusals,
  wins: trader.wins,
  profit: toNumber(trader.profit),
  yields: toNumber(trader.yieldEarned),
  collateral: toNumber(trader.collateralTotal),
  peak: toNumber(trader.collateralPeak),
  change: toNumber(trader.closingBalance) - toNumber(trader.openingBalance)
})

const figuresOf = (result: SimulationResult): ReportData["figures"] => {
  const { orders, traders } = result
  const won = orders.filter(({ winner }) => winner !== null).length
  const voided = orders.filter((order) => order.voided !== null).length
  const commitments = sum(orders.map((order) => order.commitments))
  const refusals = sum(traders.map((trader) => trader.refusals))
  return [
    { name: "Orders", value: orders.length, note: `${won} won, ${voided} void` },
    { name: "Commitments", value: commitments, note: `${refusals.toLocaleString("en")} refused` },
    {
      name: "Traders",
      value: traders.length,
      note: `${traders.filter(({ type }) => type === "machine").length} machines`
    },
    { name: "Events", value: result.events, note: `in ${result.commits.toLocaleString("en")} transactions` },
    { name: "Faults", value: result.faults.length, note: `${result.restarts.toLocaleString("en")} actor restarts` }
  ]
}

const faultsOf = ({ faults }: SimulationResult): ReportData["faults"] => {
  const counts = new Map<string, number>()
  for (const { kind } of faults) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((one, other) => other.count - one.count)
}

/**
 * Everything that the report draws of a simulation, as plain JSON.
 *
 * @param command - what runs the same simulation again
 */
export const reportData = (result: SimulationResult, command: string): ReportData => ({
  seed: result.seed,
  command,
  startedAt: result.startedAt,
  endedAt: result.endedAt,
  stateHash: result.stateHash,
  eventsHash: result.eventsHash,
  figures: figuresOf(result),
  violation:
    result.violation === null
      ? null
      : { invariant: result.violation.invariant, detail: result.violation.detail, seq: result.violation.seq },
  answers: Object.entries(result.answers).toSorted(([, one], [, other]) => other - one),
  faults: faultsOf(result),
  orders: result.orders.map(orderOf).toSorted((one, other) => one.openedAt - other.openedAt || one.order - other.order),
  traders: result.traders.map(traderOf).toSorted((one, other) => other.profit - one.profit)
})
