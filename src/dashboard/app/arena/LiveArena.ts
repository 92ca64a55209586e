import {
  ArenaStreamClient,
  type StreamItem,
  type StreamStatus
} from "../../../../packages/client/src/ArenaStreamClient.ts"
import type { ClientPlatform } from "../../../../packages/client/src/ClientPlatform.ts"
import type { ArenaOrder } from "./ArenaOrder.ts"
import { type Happening, happeningOf } from "./Happening.ts"
import { type PricePoint, withPoint } from "./PriceSeries.ts"

/** The arena as it is now, and what came of it since the page was opened. */
export interface LiveState {
  /** `idle`: nobody looks. */
  readonly status: StreamStatus | "idle"
  /** By id: all live ones, and those that settled while one looked. */
  readonly orders: ReadonlyMap<string, ArenaOrder>
  /** Prices of each asset since the page was opened, oldest first. */
  readonly prices: ReadonlyMap<string, ReadonlyArray<PricePoint>>
  /** Newest first. */
  readonly happenings: ReadonlyArray<Happening>
  /** Milliseconds that the server's clock is ahead of the browser's. */
  readonly ahead: number
}

/** The last happenings that are kept. */
export const MAX_HAPPENINGS = 40

/** Settled orders that are kept; the one that settled first makes room. */
export const MAX_SETTLED = 60

/** Time between two changes that the page is told of, in milliseconds: a burst is drawn once. */
export const TOLD_EVERY = 100

/** How long the connection stays when nobody looks any more, in milliseconds: long enough to go to another page. */
export const LINGERS = 10_000

export interface LiveArenaOptions {
  /** The server, such as `https://arena.example`. */
  readonly url: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Runs something after so many milliseconds. Answers how to call it off. */
  readonly after: (millis: number, run: () => void) => () => void
  readonly platform?: Partial<ClientPlatform>
}

const NOTHING: LiveState = { status: "idle", orders: new Map(), prices: new Map(), happenings: [], ahead: 0 }

/**
 * What pages show of the arena live. It connects while somebody listens, and tells listeners that {@link state} is
 * another one, many changes at once.
 */
export class LiveArena {
  readonly #options: LiveArenaOptions
  readonly #listeners = new Set<() => void>()
  #state = NOTHING
  /** What listeners were told of last. */
  #shown = NOTHING
  #client: ArenaStreamClient | undefined
  #isDue = false
  #ahead: number | undefined
  #leave: (() => void) | undefined

  constructor(options: LiveArenaOptions) {
    this.#options = options
  }

  /** Hears of changes until it is called off. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#leave?.()
    this.#leave = undefined
    this.#connect()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#leave ??= this.#options.after(LINGERS, () => this.#close())
    }
  }

  /** The same object until listeners are told. */
  readonly state = (): LiveState => this.#shown

  #connect(): void {
    if (this.#client !== undefined) return
    const client = new ArenaStreamClient({
      url: this.#options.url,
      ...(this.#options.platform === undefined ? {} : { platform: this.#options.platform }),
      onItem: (item) => this.#take(client, item),
      onStatus: (status) => this.#change({ status })
    })
    this.#client = client
    client.start()
  }

  #close(): void {
    this.#leave = undefined
    this.#client?.close()
    this.#client = undefined
    this.#change(NOTHING)
  }

  #take(client: ArenaStreamClient, item: StreamItem): void {
    switch (item.kind) {
      case "snapshot":
        return this.#change({ orders: new Map(item.orders.map((order) => [order.order_id, order])) })
      case "price": {
        const { asset, price } = item.price
        const at = Date.parse(item.timestamp)
        this.#measure(at)
        const prices = new Map(this.#state.prices)
        prices.set(asset, withPoint(prices.get(asset) ?? [], { at, price }))
        return this.#change({ prices })
      }
      case "event": {
        const orders = new Map(this.#state.orders)
        for (const { data, timestamp } of item.frames) {
          this.#measure(Date.parse(timestamp))
          const order = "order_id" in data ? client.order(data.order_id) : undefined
          if (order !== undefined) orders.set(order.order_id, order)
        }
        const news = item.frames.flatMap((frame) => happeningOf(frame) ?? [])
        const happenings = [...news.toReversed(), ...this.#state.happenings].slice(0, MAX_HAPPENINGS)
        return this.#change({ orders: withoutOldest(orders), happenings })
      }
      case "resync":
        return
    }
  }

  /** A message is never older than it says, so that the least delayed one tells the difference of the clocks best. */
  #measure(at: number): void {
    const ahead = at - this.#options.now()
    if (this.#ahead === undefined || ahead > this.#ahead) this.#ahead = ahead
  }

  #change(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change, ahead: this.#ahead ?? 0 }
    if (this.#isDue) return
    this.#isDue = true
    this.#options.after(TOLD_EVERY, () => {
      this.#isDue = false
      this.#shown = this.#state
      for (const listener of this.#listeners) listener()
    })
  }
}

const withoutOldest = (orders: Map<string, ArenaOrder>): ReadonlyMap<string, ArenaOrder> => {
  const settled = [...orders.values()].filter(({ status }) => status === "settled")
  const oldest = settled.toSorted((one, other) => (one.settlement_date < other.settlement_date ? -1 : 1))
  for (const { order_id: id } of oldest.slice(0, Math.max(0, settled.length - MAX_SETTLED))) orders.delete(id)
  return orders
}
