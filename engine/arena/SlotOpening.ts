import { Effect } from "effect"
import { type Batch, type Outcome, StaleVersion } from "../actor/Journal.ts"
import type { Amount } from "../money/Amount.ts"
import type { ArenaEvent } from "./ArenaEvent.ts"
import { ASSET_TYPES, type AssetType } from "./AssetType.ts"
import { INSTRUMENTS } from "./Instrument.ts"
import type { KeyedHash } from "./KeyedHash.ts"
import type { Median } from "./Median.ts"
import { orderStream } from "./Order.ts"
import { type Maker, type OrderTerms } from "./OrderTerms.ts"
import { openOrder } from "./OrderLifecycle.ts"
import { orderTemplate } from "./OrderTemplate.ts"
import type { PriceHistory } from "./PriceHistory.ts"
import type { Halt } from "./Submission.ts"

/** What an order's terms are made of beside its slot. Times are in milliseconds. */
export interface TermsWorld {
  readonly hash: KeyedHash
  readonly tieKeyHash: (orderId: string) => string
  readonly history: PriceHistory
  readonly maker: Maker
  /** How long it takes commitments, and how long after that it settles. */
  readonly commitWindow: number
  readonly settlementDelay: number
  /** The last recorded median of an asset, safe or not. */
  readonly latest: (asset: string) => Median | undefined
}

/** The terms of a slot's order at the prices recorded now; undefined where none of them is safe. */
export const slotTerms = (
  { commitWindow, hash, history, latest, maker, settlementDelay, tieKeyHash }: TermsWorld,
  slot: number,
  assetType: AssetType,
  now: number,
  makerDiscount: Amount | undefined
): OrderTerms | undefined => {
  const medians = new Map<string, Median>()
  for (const { asset } of INSTRUMENTS) {
    const median = latest(asset)
    if (median?.at === now) medians.set(asset, median)
  }
  const template = orderTemplate({ hash, slot, assetType, openedAt: now, medians, history })
  if (template === undefined) return undefined
  const expiryAt = now + commitWindow
  return {
    ...template,
    openedAt: now,
    expiryAt,
    settlementAt: expiryAt + settlementDelay,
    maker,
    tieKeyHash: tieKeyHash(template.orderId),
    ...(makerDiscount !== undefined && { makerDiscount })
  }
}

/** Where orders are opened; `Failure` is a world that does not answer now. */
export interface SlotWorld<Failure> {
  /** The slot of a time. */
  readonly slotAt: (now: number) => number
  /** The order of an asset type in a slot; undefined where it has none. */
  readonly orderIdOf: (slot: number, assetType: AssetType) => string | undefined
  /** Which of these orders are there. */
  readonly existing: (orderIds: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, Failure>
  readonly halt: (assetType: AssetType, now: number) => Halt | null
  /** See {@link slotTerms}. */
  readonly terms: (slot: number, assetType: AssetType, now: number) => OrderTerms | undefined
  readonly append: (
    batch: Batch<ArenaEvent>
  ) => Effect.Effect<ReadonlyArray<Outcome<ArenaEvent>>, StaleVersion | Failure>
  /** Is told why there is no order of a type in a slot so far, once a slot. */
  readonly skipped: (assetType: AssetType, reason: string) => Effect.Effect<void>
}

/** Which orders a slot still lacks. */
interface Slot {
  readonly number: number
  readonly pending: Set<AssetType>
  /** Types whose lack was already told. */
  readonly told: Set<AssetType>
}

/**
 * Opens the orders of the current slot that are not there yet. One that cannot be made now is tried again until its slot
 * ends; one of a slot that was missed is never made.
 */
export class SlotOpening<Failure> {
  readonly #world: SlotWorld<Failure>
  #slot: Slot = { number: -1, pending: new Set(), told: new Set() }

  constructor(world: SlotWorld<Failure>) {
    this.#world = world
  }

  /** Answers the terms of those that it opened. */
  readonly open = Effect.fnUntraced(function* (
    this: SlotOpening<Failure>,
    now: number
  ): Effect.fn.Return<ReadonlyArray<OrderTerms>, Failure> {
    const number = this.#world.slotAt(now)
    if (number !== this.#slot.number) this.#slot = yield* this.#begin(number)
    const opened: Array<OrderTerms> = []
    for (const assetType of ASSET_TYPES) {
      const terms = this.#slot.pending.has(assetType) ? yield* this.#openOne(assetType, now) : undefined
      if (terms !== undefined) opened.push(terms)
    }
    return opened
  })

  readonly #begin = Effect.fnUntraced(function* (
    this: SlotOpening<Failure>,
    number: number
  ): Effect.fn.Return<Slot, Failure> {
    const { existing, orderIdOf } = this.#world
    const ids = new Map<string, AssetType>()
    for (const assetType of ASSET_TYPES) {
      const id = orderIdOf(number, assetType)
      if (id !== undefined) ids.set(id, assetType)
    }
    const there = yield* existing([...ids.keys()])
    const pending = new Set([...ids].flatMap(([id, assetType]) => (there.has(id) ? [] : [assetType])))
    return { number, pending, told: new Set() }
  })

  readonly #openOne = Effect.fnUntraced(function* (
    this: SlotOpening<Failure>,
    assetType: AssetType,
    now: number
  ): Effect.fn.Return<OrderTerms | undefined, Failure> {
    const { append, halt, terms: termsOf } = this.#world
    const { number, pending } = this.#slot
    if (halt(assetType, now) !== null) return yield* this.#skip(assetType, "its circuit breaker is open")
    const terms = termsOf(number, assetType, now)
    if (terms === undefined) return yield* this.#skip(assetType, "there is no safe price")
    const batch = { stream: orderStream(terms.orderId), version: 0, entries: [openOrder(terms)] }
    const [outcome] = yield* append(batch).pipe(
      // It is there already: a commit of before was never answered.
      Effect.catch((error) => (error instanceof StaleVersion ? Effect.succeed([]) : Effect.fail(error)))
    )
    if (outcome?._tag === "Refused") return yield* this.#skip(assetType, "the market maker has too little capital")
    pending.delete(assetType)
    return outcome === undefined ? undefined : terms
  })

  #skip(assetType: AssetType, reason: string): Effect.Effect<undefined> {
    const { told } = this.#slot
    if (told.has(assetType)) return Effect.succeed(undefined)
    told.add(assetType)
    return Effect.as(this.#world.skipped(assetType, reason), undefined)
  }
}
