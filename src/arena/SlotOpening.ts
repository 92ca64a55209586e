import { Effect } from "effect"
import { ASSET_TYPES, type AssetType } from "../../engine/arena/AssetType.ts"
import { INSTRUMENTS } from "../../engine/arena/Instrument.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { orderStream, type OrderTerms } from "../../engine/arena/Order.ts"
import { openOrder } from "../../engine/arena/OrderLifecycle.ts"
import { orderIdOf, orderTemplate } from "../../engine/arena/OrderTemplate.ts"
import { Settings } from "../Config.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Oracles } from "../oracles/Oracles.ts"
import { AgentActivity } from "./AgentActivity.ts"
import { Breakers } from "./Breakers.ts"
import { MarketMaker } from "./MarketMaker.ts"
import { OrderKeys } from "./OrderKeys.ts"
import { type LiveOrder, OrderRepository } from "./OrderRepository.ts"
import { PriceBook } from "./PriceBook.ts"

/** The terms of a slot's order at the prices recorded now; undefined where none of them is safe. */
const makeTerms = Effect.gen(function* () {
  const { arena } = yield* Settings
  const oracles = yield* Oracles
  const prices = yield* PriceBook
  const keys = yield* OrderKeys
  const maker = yield* MarketMaker

  const safeAt = (now: number): ReadonlyMap<string, Median> =>
    new Map(
      INSTRUMENTS.flatMap(({ asset }): ReadonlyArray<[string, Median]> => {
        const median = prices.latest(asset)
        return median?.at === now ? [[asset, median]] : []
      })
    )

  return (slot: number, assetType: AssetType, now: number): OrderTerms | undefined => {
    const template = orderTemplate({
      hash: keys.hash,
      slot,
      assetType,
      openedAt: now,
      medians: safeAt(now),
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
      tieKeyHash: keys.tieKeyHash(template.orderId),
      makerDiscount: arena.makerDiscount
    }
  }
})

/** Which orders the current slot still lacks. */
interface Slot {
  readonly number: number
  readonly pending: Set<AssetType>
  /** Types whose lack was already told. */
  readonly told: Set<AssetType>
}

/**
 * Opens the orders of the current slot that are not there yet, and answers them. An order that cannot be made now is
 * tried again until its slot ends.
 */
export const make = Effect.gen(function* () {
  const { arena } = yield* Settings
  const journal = yield* UnitOfWork
  const breakers = yield* Breakers
  const activity = yield* AgentActivity
  const keys = yield* OrderKeys
  const repository = yield* OrderRepository
  const termsOf = yield* makeTerms
  let slot: Slot = { number: -1, pending: new Set(), told: new Set() }

  const begin = Effect.fnUntraced(function* (number: number) {
    const ids = new Map(ASSET_TYPES.map((type) => [orderIdOf(keys.hash, number, type), type]))
    const existing = yield* repository.existing([...ids.keys()])
    const pending = new Set([...ids].flatMap(([id, type]) => (existing.has(id) ? [] : [type])))
    slot = { number, pending, told: new Set() }
  })

  const skip = (assetType: AssetType, reason: string) => {
    if (slot.told.has(assetType)) return Effect.void
    slot.told.add(assetType)
    return activity.skip(assetType, reason)
  }

  const open = Effect.fnUntraced(function* (assetType: AssetType, now: number) {
    if (breakers.halt(assetType, now) !== null) return yield* skip(assetType, "its circuit breaker is open")
    const terms = termsOf(slot.number, assetType, now)
    if (terms === undefined) return yield* skip(assetType, "there is no safe price")
    const batch = { stream: orderStream(terms.orderId), version: 0, entries: [openOrder(terms)] }
    const [outcome] = yield* journal.append(batch).pipe(
      Effect.catchTag("JournalUnavailable", ({ reason }) => Effect.fail(new Unavailable({ reason }))),
      Effect.catchTag("StaleVersion", () => Effect.succeed([]))
    )
    if (outcome?._tag === "Refused") return yield* skip(assetType, "the market maker has too little capital")
    slot.pending.delete(assetType)
    return outcome === undefined ? undefined : ({ ...terms, status: "open" } satisfies LiveOrder)
  })

  return Effect.fnUntraced(function* (now: number) {
    const number = Math.floor(now / (arena.slotSeconds * 1_000))
    if (number !== slot.number) yield* begin(number)
    const opened: Array<LiveOrder> = []
    for (const assetType of ASSET_TYPES) {
      const order = slot.pending.has(assetType) ? yield* open(assetType, now) : undefined
      if (order !== undefined) opened.push(order)
    }
    return opened
  })
})
