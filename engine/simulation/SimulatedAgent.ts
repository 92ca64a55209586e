import { Deferred, Effect } from "effect"
import type { ActorUnavailable } from "../actor/ActorHost.ts"
import type { Journal, JournalUnavailable } from "../actor/Journal.ts"
import { AgentTick, type AgentWorld } from "../arena/AgentTick.ts"
import type { ArenaError } from "../arena/ArenaError.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { BreakerPanel } from "../arena/BreakerPanel.ts"
import type { Transition } from "../arena/CircuitBreaker.ts"
import type { Median } from "../arena/Median.ts"
import type { OrderState } from "../arena/Order.ts"
import type { Maker } from "../arena/OrderTerms.ts"
import { orderIdOf } from "../arena/OrderTemplate.ts"
import type { PriceHistory } from "../arena/PriceHistory.ts"
import { slotTerms, type TermsWorld } from "../arena/SlotOpening.ts"
import { fromUnits } from "../money/Amount.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { PriceFeed } from "./PriceFeed.ts"
import type { OrderPlan, OrderTiming } from "./Scenario.ts"
import type { SimulatedArena } from "./SimulatedArena.ts"
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
  readonly journal: Journal<PlatformEvent>
  readonly arena: SimulatedArena
  readonly keys: SimulatedKeys
  readonly history: PriceHistory
  readonly maker: Maker
  readonly orders: ReadonlyArray<OrderPlan>
  readonly timing: OrderTiming
  /** The orders that are not settled, as they are recorded. */
  readonly live: ReadonlyMap<string, OrderState>
  readonly isKnown: (orderId: string) => boolean
  readonly fork: Fork
  readonly onPrices: (recorded: ReadonlyArray<Median>) => void
  readonly onTurned: (transitions: ReadonlyArray<Transition>) => void
}

type AgentFailure = JournalUnavailable | ActorUnavailable | ArenaError

/** The arena's agent in a world whose slots are those of the plan, however its clock is set. */
export class SimulatedAgent {
  readonly #parts: AgentParts
  readonly #plans = new Map<string, OrderPlan>()
  readonly #ids = new Map<OrderPlan, string>()
  #agent: AgentTick<AgentFailure>
  /** Whether a round is under way: the next begins after it. */
  #isLooking = false
  #end = Deferred.makeUnsafe<void>()

  constructor(parts: AgentParts) {
    this.#parts = parts
    for (const plan of parts.orders) {
      const id = orderIdOf(parts.keys.hash, plan.slot, plan.assetType)
      this.#plans.set(id, plan)
      this.#ids.set(plan, id)
    }
    this.#agent = new AgentTick(this.#world())
  }

  orderId(order: OrderPlan): string {
    return this.#ids.get(order) ?? orderIdOf(this.#parts.keys.hash, order.slot, order.assetType)
  }

  /** Another process begins: what the one before was about to do is not done, and nothing of its memory is left. */
  restart(): void {
    const before = this.#end
    this.#end = Deferred.makeUnsafe()
    this.#isLooking = false
    this.#agent = new AgentTick(this.#world())
    Deferred.doneUnsafe(before, Effect.void)
  }

  tick(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    const end = this.#end
    const done = Effect.sync(() => {
      if (end === this.#end) this.#isLooking = false
    })
    const once = Effect.ignore(this.#agent.once)
    this.#parts.fork(Effect.andThen(Effect.raceFirst(once, Deferred.await(end)), done))
  }

  #world(): AgentWorld<AgentFailure> {
    const { arena, breakers, clock, feed, isKnown, journal, live, timing } = this.#parts
    const terms = this.#termsWorld()
    return {
      slotAt: () => Math.floor(clock.elapsed / timing.slot),
      orderIdOf: (slot, assetType) => this.#planned(slot, assetType)?.id,
      existing: (orderIds) => Effect.sync(() => new Set(orderIds.filter(isKnown))),
      halt: (assetType, now) => breakers.halt(assetType, now),
      terms: (slot, assetType, now) => {
        const discount = this.#planned(slot, assetType)?.plan.makerDiscount
        return slotTerms(terms, slot, assetType, now, discount === undefined ? undefined : fromUnits(BigInt(discount)))
      },
      append: journal.append,
      skipped: () => Effect.void,
      live: Effect.sync(() => Array.from(live.values(), (order) => order.terms)),
      advance: (orderId) =>
        Effect.map(arena.ask(orderId, { _tag: "Advance" }), (reply) => reply._tag === "Advanced" && reply.settled),
      waits: () => Effect.void,
      // The auditor ends a simulation whose ledger does not add up.
      isBalanced: Effect.succeed(true),
      since: (asset, from) => Effect.sync(() => feed.since(asset, from)),
      record: (now) => Effect.sync(() => this.#record(now)),
      check: (problems, now) =>
        Effect.sync(() => {
          const step = breakers.check(problems, now)
          breakers.take(step)
          this.#parts.onTurned(step.transitions)
        })
    }
  }

  #record(now: number) {
    const { board, feed, onPrices } = this.#parts
    const { problems, recorded } = feed.record(now, board.look())
    onPrices(recorded)
    return problems
  }

  #planned(slot: number, assetType: AssetType) {
    const id = orderIdOf(this.#parts.keys.hash, slot, assetType)
    const plan = this.#plans.get(id)
    return plan === undefined ? undefined : { id, plan }
  }

  #termsWorld(): TermsWorld {
    const { feed, history, keys, maker, timing } = this.#parts
    return {
      hash: keys.hash,
      tieKeyHash: keys.tieKeyHash,
      history,
      maker,
      commitWindow: timing.window,
      settlementDelay: timing.delay,
      latest: (asset) => feed.latest(asset)
    }
  }
}
