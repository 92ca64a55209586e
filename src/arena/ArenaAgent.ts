import { Cause, Clock, Context, Duration, Effect, Layer } from "effect"
import { ASSET_TYPES, type AssetType } from "../../engine/arena/AssetType.ts"
import { isOverdue, type Problem } from "../../engine/arena/CircuitBreaker.ts"
import { INSTRUMENTS } from "../../engine/arena/Instrument.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { orderStream, type OrderTerms } from "../../engine/arena/Order.ts"
import { openOrder } from "../../engine/arena/OrderLifecycle.ts"
import { orderIdOf, orderTemplate } from "../../engine/arena/OrderTemplate.ts"
import { Settings } from "../Config.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { LedgerAudit } from "../funds/LedgerAudit.ts"
import { Oracles } from "../oracles/Oracles.ts"
import { AgentActivity } from "./AgentActivity.ts"
import { Arena } from "./Arena.ts"
import { Breakers } from "./Breakers.ts"
import { MarketMaker } from "./MarketMaker.ts"
import { MedianRepository } from "./MedianRepository.ts"
import { OrderKeys } from "./OrderKeys.ts"
import { type LiveOrder, OrderRepository } from "./OrderRepository.ts"
import { PriceBook } from "./PriceBook.ts"

/** How often the ledger is checked, and old medians are forgotten. */
const AUDIT_MILLIS = 60_000
const PRUNE_MILLIS = 3_600_000

/** How long medians are kept after their orders are settled: 7 days. */
const MEDIAN_RETENTION_MILLIS = 7 * 24 * 3_600_000

/** Orders that take their steps at the same time. */
const ADVANCE_CONCURRENCY = 16

/**
 * Makes the orders: one of each asset type a slot, at the safe median. Records prices, watches the breakers, and lets
 * the orders that are due take their steps.
 */
export class ArenaAgent extends Context.Service<
  ArenaAgent,
  {
    /** One round at the present time: prices, breakers, new orders, due orders. */
    readonly tick: Effect.Effect<void, Unavailable>
  }
>()("emporion/arena/ArenaAgent") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const prices = yield* PriceBook
      const breakers = yield* Breakers
      const watch = yield* makeWatch
      const opening = yield* makeOpening
      const due = yield* makeDue

      const tick = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const problems = yield* prices.record(now)
        yield* breakers.check([...problems, ...(yield* watch(now, due.live()))], now)
        for (const order of yield* opening(now)) due.add(order)
        yield* due.advance(now)
      }).pipe(Effect.withSpan("ArenaAgent.tick"))

      return ArenaAgent.of({ tick })
    })
  )

  /** Ticks at every price interval, through any failure. */
  static readonly running = Layer.effectDiscard(
    Effect.gen(function* () {
      const { arena } = yield* Settings
      const agent = yield* ArenaAgent
      const activity = yield* AgentActivity
      const once = agent.tick.pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.logError("The arena's agent stumbled", cause)
        )
      )
      activity.setRunning(true)
      yield* Effect.forkScoped(
        Effect.forever(Effect.andThen(once, Effect.sleep(Duration.seconds(arena.priceIntervalSeconds))))
      )
    })
  )
}

/** What is wrong beside the prices: a ledger out of balance, orders long past due. */
const makeWatch = Effect.gen(function* () {
  const audit = yield* LedgerAudit
  const prices = yield* PriceBook
  const medians = yield* MedianRepository
  const state = { auditedAt: 0, prunedAt: 0, balanced: true }

  const isLate = Effect.fnUntraced(function* (order: LiveOrder, now: number) {
    if (!isOverdue(order.settlementAt, now)) return false
    const recorded = yield* prices.since(order.asset, order.settlementAt)
    const final = recorded.find(({ safe }) => safe)
    return final !== undefined && isOverdue(final.at, now)
  })

  return Effect.fnUntraced(function* (now: number, live: ReadonlyArray<LiveOrder>) {
    const problems: Array<Problem> = []
    if (now - state.auditedAt >= AUDIT_MILLIS) {
      const report = yield* audit.check
      state.balanced = report.balanced
      state.auditedAt = now
      if (!report.balanced) yield* Effect.logFatal("The ledger does not add up", report)
    }
    if (!state.balanced) problems.push({ scope: "global", reason: "ledger_imbalance" })
    if (now - state.prunedAt >= PRUNE_MILLIS) {
      yield* medians.prune(now - MEDIAN_RETENTION_MILLIS)
      state.prunedAt = now
    }
    const late = yield* Effect.forEach(live, (order) => isLate(order, now))
    if (late.some((yes) => yes)) problems.push({ scope: "global", reason: "order_overdue" })
    return problems
  })
})

/** Opens the orders of the current slot that are not there yet. */
const makeOpening = Effect.gen(function* () {
  const { arena } = yield* Settings
  const journal = yield* UnitOfWork
  const oracles = yield* Oracles
  const prices = yield* PriceBook
  const breakers = yield* Breakers
  const activity = yield* AgentActivity
  const keys = yield* OrderKeys
  const maker = yield* MarketMaker
  const repository = yield* OrderRepository
  const state = { slot: -1, pending: new Set<AssetType>(), told: new Set<AssetType>() }

  const begin = Effect.fnUntraced(function* (slot: number) {
    const ids = new Map(ASSET_TYPES.map((type) => [orderIdOf(keys.hash, slot, type), type]))
    const existing = yield* repository.existing([...ids.keys()])
    state.pending = new Set([...ids].flatMap(([id, type]) => (existing.has(id) ? [] : [type])))
    state.told = new Set()
    state.slot = slot
  })

  const skip = (assetType: AssetType, reason: string) => {
    if (state.told.has(assetType)) return Effect.void
    state.told.add(assetType)
    return activity.skip(assetType, reason)
  }

  const termsOf = (assetType: AssetType, now: number): OrderTerms | undefined => {
    const latest = INSTRUMENTS.map(({ asset }) => prices.latest(asset)).filter((each) => each?.at === now)
    const template = orderTemplate({
      hash: keys.hash,
      slot: state.slot,
      assetType,
      openedAt: now,
      medians: new Map(latest.flatMap((each): Array<[string, Median]> => (each === undefined ? [] : [[each.asset, each]]))),
      history: oracles.history
    })
    if (template === undefined) return undefined
    const expiryAt = now + arena.commitWindowSeconds * 1_000
    return {
      ...template,
      openedAt: now,
      expiryAt,
      settlementAt: expiryAt + arena.settlementDelaySeconds * 1_000,
      maker,
      tieKeyHash: keys.tieKeyHash(template.orderId)
    }
  }

  const open = Effect.fnUntraced(function* (assetType: AssetType, now: number) {
    if (breakers.halt(assetType, now) !== null) return yield* skip(assetType, "its circuit breaker is open")
    const terms = termsOf(assetType, now)
    if (terms === undefined) return yield* skip(assetType, "there is no safe price")
    const [outcome] = yield* journal.append({
      stream: orderStream(terms.orderId),
      version: 0,
      entries: [openOrder(terms)]
    })
    if (outcome?._tag === "Refused") return yield* skip(assetType, "the market maker has too little capital")
    state.pending.delete(assetType)
    return { ...terms, status: "open" } satisfies LiveOrder
  })

  return Effect.fnUntraced(function* (now: number) {
    const slot = Math.floor(now / (arena.slotSeconds * 1_000))
    if (slot !== state.slot) yield* begin(slot)
    const opened: Array<LiveOrder> = []
    for (const assetType of [...state.pending]) {
      const order = yield* open(assetType, now).pipe(
        Effect.catchTag("JournalUnavailable", ({ reason }) => Effect.fail(new Unavailable({ reason }))),
        Effect.catchTag("StaleVersion", () => Effect.sync(() => void state.pending.delete(assetType)))
      )
      if (order !== undefined) opened.push(order)
    }
    return opened
  })
})

/** The orders that are not settled, and their steps. */
const makeDue = Effect.gen(function* () {
  const arena = yield* Arena
  const repository = yield* OrderRepository
  const live = new Map((yield* repository.live).map((order) => [order.orderId, order]))

  const advanceOne = (orderId: string) =>
    arena.advance(orderId).pipe(
      Effect.map((settled) => {
        if (settled) live.delete(orderId)
      }),
      Effect.catchTag("OrderNotFound", () => Effect.sync(() => void live.delete(orderId))),
      Effect.catchTag("Unavailable", ({ reason }) => Effect.logWarning(`Order ${orderId} waits: ${reason}`))
    )

  return {
    live: (): ReadonlyArray<LiveOrder> => [...live.values()],
    add: (order: LiveOrder): void => void live.set(order.orderId, order),
    advance: (now: number) =>
      Effect.forEach(
        [...live.values()].filter(({ expiryAt }) => now >= expiryAt),
        ({ orderId }) => advanceOne(orderId),
        { concurrency: ADVANCE_CONCURRENCY, discard: true }
      )
  }
})
