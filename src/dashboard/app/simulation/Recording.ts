import type { ChainedEvent } from "../../../../engine/actor/CommitGroup.ts"
import type { OrderState } from "../../../../engine/arena/Order.ts"
import { type Amount, format, toNumber } from "../../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../../engine/replay/PlatformEvent.ts"
import type { RunningSimulation } from "../../../../engine/simulation/RunningSimulation.ts"
import { makeScenario, type ScenarioSpec, type TraderPlan } from "../../../../engine/simulation/Scenario.ts"
import { beginSimulation } from "../../../../engine/simulation/Simulation.ts"
import type { SimulationEnvironment } from "../../../../engine/simulation/SimulationEnvironment.ts"
import type { SimulationResult } from "../../../../engine/simulation/SimulationResult.ts"
import { walletOfTrader } from "../../../../engine/simulation/TraderDesk.ts"
import type { EventShown, MarketShown, OrderShown, StepView, TraderShown } from "./StepView.ts"

/** What one step changed. */
interface Step {
  readonly elapsed: number
  readonly now: number
  readonly events: ReadonlyArray<ChainedEvent<PlatformEvent>>
  readonly orders: ReadonlyArray<OrderShown>
  readonly traders: ReadonlyArray<readonly [place: number, trader: TraderShown]>
  /** How many faults had struck, and how many prices of each asset there were. */
  readonly struck: number
}

/** What the world shows, as it is built up from the steps. */
interface Shown {
  readonly orders: Map<string, OrderShown>
  readonly traders: Array<TraderShown>
}

/** Steps between two that are kept whole, so that none is further than as many from one. */
const CHECKPOINT = 100

/** What is shown of many. */
const MOST_EVENTS = 40
const MOST_ORDERS = 60
const MOST_STRUCK = 20
const MOST_POINTS = 500

const MILLIONTHS = 1_000_000

/** A simulation with everything that it showed at each of its steps, so that any of them can be seen again at once. */
export class Recording {
  readonly #running: RunningSimulation
  readonly #plans: ReadonlyArray<TraderPlan>
  readonly #steps: Array<Step> = []
  readonly #checkpoints: Array<Shown> = []
  readonly #latest: Shown
  #result: SimulationResult | undefined

  constructor(spec: ScenarioSpec, environment: SimulationEnvironment) {
    const scenario = makeScenario(spec)
    this.#plans = scenario.traders
    this.#latest = { orders: new Map(), traders: scenario.traders.map((plan) => shownTrader(plan, 0n, 0n)) }
    this.#checkpoints.push(copied(this.#latest))
    this.#running = beginSimulation(scenario, { ...environment, onStep: (recorded) => this.#record(recorded) })
  }

  /** How many steps there are so far. */
  get steps(): number {
    return this.#steps.length
  }

  /** What it came to; undefined while it is under way. */
  get result(): SimulationResult | undefined {
    return this.#result
  }

  /** Goes on for so many turns at most. */
  advance(turns: number): void {
    if (this.#result !== undefined) return
    for (let turn = 0; turn < turns; turn++) {
      if (this.#running.advance()) continue
      this.#result = this.#running.end()
      return
    }
  }

  /** What the world showed after a step. */
  view(asked: number, orderId?: string): StepView {
    const step = Math.max(0, Math.min(asked, this.#steps.length))
    const { orders, traders } = this.#shownAt(step)
    const last = this.#steps[step - 1]
    const now = last?.now ?? 0
    const sorted = [...orders.values()].toSorted((one, other) => other.openedAt - one.openedAt)
    const chosen = orders.get(orderId ?? "") ?? sorted[0]
    return {
      step,
      elapsed: last?.elapsed ?? 0,
      now,
      recorded: last?.events.at(-1)?.seq ?? 0,
      events: this.#eventsUntil(step),
      orders: sorted.slice(0, MOST_ORDERS),
      traders,
      struck: this.#running.struck
        .slice(0, last?.struck ?? 0)
        .slice(-MOST_STRUCK)
        .toReversed(),
      market: chosen && this.#market(chosen, now)
    }
  }

  #record(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    const { elapsed, now, struck } = this.#running
    const ids = new Set(recorded.map(({ event }) => orderOf(event)))
    const orders = [...ids].flatMap((id) => {
      const state = this.#running.orders.get(id ?? "")
      return state === undefined ? [] : [shownOrder(state, recorded)]
    })
    const traders = this.#plans.flatMap((plan, place) => {
      const { balance, held } = this.#running.account(walletOfTrader(plan))
      const before = this.#latest.traders[place]
      const trader = shownTrader(plan, balance, held)
      return before?.balance === trader.balance && before.held === trader.held ? [] : [[place, trader] as const]
    })
    const step: Step = { elapsed, now, events: recorded, orders, traders, struck: struck.length }
    this.#steps.push(step)
    applied(this.#latest, step)
    if (this.#steps.length % CHECKPOINT === 0) this.#checkpoints.push(copied(this.#latest))
  }

  #shownAt(step: number): Shown {
    const from = Math.floor(step / CHECKPOINT)
    const shown = copied(this.#checkpoints[from] ?? { orders: new Map(), traders: [] })
    for (const one of this.#steps.slice(from * CHECKPOINT, step)) applied(shown, one)
    return shown
  }

  #eventsUntil(step: number): ReadonlyArray<EventShown> {
    const events: Array<EventShown> = []
    for (let index = step - 1; index >= 0 && events.length < MOST_EVENTS; index--) {
      const { events: recorded = [], now: at = 0 } = this.#steps[index] ?? {}
      for (const { event, seq, stream } of recorded.toReversed()) {
        events.push({ seq, step: index + 1, at, tag: event._tag, stream, data: JSON.stringify(event, readable) })
      }
    }
    return events.slice(0, MOST_EVENTS)
  }

  /** The prices from somewhat before an order was opened until its end. */
  #market(order: OrderShown, now: number): MarketShown {
    const before = order.openedAt - (order.settlementAt - order.openedAt) / 4
    const medians = (this.#running.prices.get(order.asset) ?? []).filter(
      ({ at }) => at >= before && at <= now && at <= order.settlementAt
    )
    const every = Math.ceil(medians.length / MOST_POINTS)
    const points = medians
      .filter((_, index) => index % every === 0 || index === medians.length - 1)
      .map(({ at, price }) => ({ time: at, value: toNumber(price) }))
    return { order, points }
  }
}

const copied = ({ orders, traders }: Shown): Shown => ({ orders: new Map(orders), traders: [...traders] })

const applied = (shown: Shown, { orders, traders }: Step): void => {
  for (const order of orders) shown.orders.set(order.id, order)
  for (const [place, trader] of traders) shown.traders[place] = trader
}

const orderOf = (event: PlatformEvent): string | undefined => {
  if (event._tag === "CommitmentSubmitted") return event.commitment.orderId
  if (event._tag === "OrderOpened") return event.terms.orderId
  return "orderId" in event ? event.orderId : undefined
}

const dollars = (amount: Amount | null | undefined): number | undefined =>
  amount === null || amount === undefined ? undefined : toNumber(amount)

const shownOrder = (
  { choice, commitments, status, terms }: OrderState,
  recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>
): OrderShown => {
  const end = recorded
    .map(({ event }) => event)
    .find((event) => (event._tag === "OrderSettled" || event._tag === "OrderVoided") && event.orderId === terms.orderId)
  const settled = end?._tag === "OrderSettled" ? end : undefined
  return {
    id: terms.orderId,
    asset: terms.asset,
    assetType: terms.assetType,
    status: end?._tag === "OrderVoided" ? "void" : status,
    openedAt: terms.openedAt,
    expiryAt: terms.expiryAt,
    settlementAt: terms.settlementAt,
    entryPrice: toNumber(terms.entryPrice),
    quantity: toNumber(terms.quantity),
    commitments: commitments.size,
    reference: dollars(choice?.reference),
    winner: commitments.get(choice?.winner ?? "")?.trader.userId,
    clearingPrice: dollars(choice?.clearingPrice),
    settlementPrice: dollars(settled?.price),
    profit: dollars(settled?.profit)
  }
}

const shownTrader = (plan: TraderPlan, balance: bigint, held: bigint): TraderShown => ({
  id: plan.id,
  type: plan.type,
  balance: Number(balance) / MILLIONTHS,
  held: Number(held) / MILLIONTHS,
  change: Number(balance - plan.balance) / MILLIONTHS
})

/** Amounts as decimals: JSON has no large integers. */
const readable = (_: string, value: unknown): unknown => (typeof value === "bigint" ? format(value as Amount) : value)
