import { Effect } from "effect"
import type { Batch } from "../../engine/actor/Journal.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { type PublishedAuction, type RecordedAuction, recordedAuction } from "../../engine/market/PublishedAuction.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { LoadedExtension } from "../../engine/simulation/ExtensionHost.ts"
import { makeScenario, type ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { simulate } from "../../engine/simulation/Simulation.ts"
import type { Planted } from "../../engine/simulation/SimulationEnvironment.ts"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { OrderDetail } from "../../src/api/Arena.ts"
import type { CommitmentView } from "../../src/arena/CommitmentRepository.ts"
import { detailed } from "../../src/arena/OrderDetail.ts"
import { OrderHistory } from "../../src/arena/OrderHistory.ts"
import type { OrderView } from "../../src/arena/OrderRepository.ts"
import { environment } from "./Simulations.ts"

const encode = wireOf(OrderDetail)

/** One order as everybody sees it at its end, from its events. */
class PublishedOrder {
  readonly #history: OrderHistory
  readonly #commitments = new Map<string, CommitmentView>()
  #order: OrderView | undefined
  #version = 1

  constructor(opened: ArenaEvent & { readonly _tag: "OrderOpened" }) {
    this.#history = new OrderHistory(opened)
  }

  take(event: Change): void {
    this.#version += 1
    const { commitments, order } = this.#history.change({ version: this.#version, event })
    this.#order = order ?? this.#order
    for (const view of commitments) this.#commitments.set(view.commitmentId, view)
  }

  /** Undefined as long as it goes on. */
  published(bids: "open" | "sealed"): PublishedAuction | undefined {
    if (this.#order?.status !== "settled") return undefined
    const onlooker = { sealedBids: bids === "sealed", owner: null }
    return encode(detailed(this.#order, [...this.#commitments.values()], onlooker))
  }
}

type Change = Exclude<ArenaEvent, { readonly _tag: "OrderOpened" }>

const orderIdOf = (event: Change): string =>
  event._tag === "CommitmentSubmitted" ? event.commitment.orderId : event.orderId

const CHANGES: ReadonlySet<string> = new Set([
  "CommitmentSubmitted",
  "OrderClosed",
  "WinnerChosen",
  "OrderSettled",
  "OrderVoided"
])

const isChange = (event: PlatformEvent): event is Change => CHANGES.has(event._tag)

/** What a history has: the auctions that ended, by settlement date and id, and the prices that were recorded. */
export interface RecordedMarket {
  readonly published: ReadonlyArray<PublishedAuction>
  readonly auctions: ReadonlyArray<RecordedAuction>
  /** Of commodities, currencies and accelerators while an order of them lived, ascending. */
  readonly medians: ReadonlyArray<Median>
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The public history of a simulation's arena, in which the shipped actors decided everything. */
export const recordedMarket = (
  spec: ScenarioSpec,
  bids: "open" | "sealed" = "open",
  extension?: LoadedExtension
): RecordedMarket => {
  const orders = new Map<string, PublishedOrder>()
  // The agent opens orders past the actors: what is refused never ends.
  const batch = <E extends Batch<PlatformEvent>>(asked: E): E => {
    for (const { event } of asked.entries) {
      if (event._tag === "OrderOpened") orders.set(event.terms.orderId, new PublishedOrder(event))
    }
    return asked
  }
  const append: Planted["append"] = (journal) => (batch) =>
    Effect.tap(journal.append(batch), (outcomes) =>
      Effect.sync(() => {
        for (const outcome of outcomes) {
          if (outcome._tag !== "Accepted" || !isChange(outcome.recorded.event)) continue
          orders.get(orderIdOf(outcome.recorded.event))?.take(outcome.recorded.event)
        }
      })
    )
  const planted: Planted = { append, journal: { batch } }
  const result = simulate(makeScenario(spec), { ...environment, audit: false, prices: true, planted, extension })
  const published = [...orders.values()]
    .flatMap((order) => order.published(bids) ?? [])
    .toSorted(
      (one, other) => compare(one.settlement_date, other.settlement_date) || compare(one.order_id, other.order_id)
    )
  const medians = new Map<string, Median>()
  for (const { asset, assetType, prices } of result.orders) {
    if (assetType === "options") continue
    for (const { at, price, safe } of prices) medians.set(`${asset} ${at}`, { asset, at, price, safe })
  }
  return {
    published,
    auctions: published.map(recordedAuction),
    medians: [...medians.values()].toSorted((one, other) => one.at - other.at)
  }
}
