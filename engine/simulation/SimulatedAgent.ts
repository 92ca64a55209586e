import { Effect } from "effect"
import type { ActorUnavailable } from "../actor/ActorHost.ts"
import type { ArenaError } from "../arena/ArenaError.ts"
import type { Transition } from "../arena/CircuitBreaker.ts"
import type { Median } from "../arena/Median.ts"
import { type Maker, type OrderState, orderStream, type OrderTerms } from "../arena/Order.ts"
import { openOrder } from "../arena/OrderLifecycle.ts"
import { orderIdOf, orderTemplate } from "../arena/OrderTemplate.ts"
import type { PriceHistory } from "../arena/PriceHistory.ts"
import { fromUnits } from "../money/Amount.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import type { PriceFeed } from "./PriceFeed.ts"
import { type OrderPlan, SETTLEMENT_DELAY_MILLIS, SLOT_MILLIS, WINDOW_MILLIS } from "./Scenario.ts"
import type { SimulatedArena } from "./SimulatedArena.ts"
import type { BreakerPanel } from "../arena/BreakerPanel.ts"
import type { SimulatedKeys } from "./SimulationHashing.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

/** The agent looks at the world this often. */
export const TICK_MILLIS = 20_000

export interface AgentParts {
  readonly clock: VirtualClock
  readonly board: FaultBoard
  readonly feed: PriceFeed
  readonly breakers: BreakerPanel
  readonly journal: SimulatedJournal
  readonly arena: SimulatedArena
  readonly keys: SimulatedKeys
  readonly history: PriceHistory
  readonly maker: Maker
  readonly orders: ReadonlyArray<OrderPlan>
  /** The orders whose actors have not said that they are settled. */
  readonly live: Map<string, OrderState>
  readonly isKnown: (orderId: string) => boolean
  readonly fork: Fork
  readonly onPrices: (recorded: ReadonlyArray<Median>, transitions: ReadonlyArray<Transition>) => void
}

/** The arena's agent: records prices, checks the breakers, opens the slot's orders and tells orders of the time. */
export class SimulatedAgent {
  readonly #parts: AgentParts
  readonly #bySlot = new Map<number, Array<OrderPlan>>()
  readonly #ids = new Map<OrderPlan, string>()

  constructor(parts: AgentParts) {
    this.#parts = parts
    for (const order of parts.orders) {
      const slot = this.#bySlot.get(order.slot)
      if (slot === undefined) this.#bySlot.set(order.slot, [order])
      else slot.push(order)
    }
  }

  orderId(order: OrderPlan): string {
    const known = this.#ids.get(order)
    if (known !== undefined) return known
    const id = orderIdOf(this.#parts.keys.hash, order.slot, order.assetType)
    this.#ids.set(order, id)
    return id
  }

  tick(): void {
    const { clock, feed, breakers, board, live, fork, onPrices } = this.#parts
    const now = clock.currentTimeMillisUnsafe()
    const { recorded, problems } = feed.record(now, board.weather)
    const step = breakers.check(problems, now)
    breakers.take(step)
    onPrices(recorded, step.transitions)
    for (const order of this.#bySlot.get(Math.floor(clock.elapsed / SLOT_MILLIS)) ?? []) this.#open(order, now)
    for (const [orderId, { terms }] of live) {
      if (now >= terms.expiryAt) fork(this.#advance(orderId))
    }
  }

  #advance(orderId: string): Effect.Effect<void, ArenaError | ActorUnavailable> {
    const { arena, live } = this.#parts
    return Effect.map(arena.ask(orderId, { _tag: "Advance" }), (reply) => {
      if (reply._tag === "Advanced" && reply.settled) live.delete(orderId)
    })
  }

  #open(order: OrderPlan, now: number): void {
    const { breakers, isKnown, journal, fork } = this.#parts
    if (isKnown(this.orderId(order)) || breakers.halt(order.assetType, now) !== null) return
    const terms = this.#termsOf(order, now)
    if (terms === undefined) return
    const batch = { stream: orderStream(terms.orderId), version: 0, entries: [openOrder(terms)] }
    fork(journal.append(batch))
  }

  #termsOf({ slot, assetType, makerDiscount }: OrderPlan, now: number): OrderTerms | undefined {
    const { feed, history, keys, maker } = this.#parts
    const template = orderTemplate({
      hash: keys.hash,
      slot,
      assetType,
      openedAt: now,
      medians: feed.at(now),
      history
    })
    if (template === undefined) return undefined
    const expiryAt = now + WINDOW_MILLIS
    return {
      ...template,
      openedAt: now,
      expiryAt,
      settlementAt: expiryAt + SETTLEMENT_DELAY_MILLIS,
      maker,
      tieKeyHash: keys.tieKeyHash(template.orderId),
      ...(makerDiscount !== undefined && { makerDiscount: fromUnits(BigInt(makerDiscount)) })
    }
  }
}
