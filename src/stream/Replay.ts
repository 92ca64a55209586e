import { Cache, Duration, Effect, Exit } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PublicOrders } from "../arena/PublicOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { PlatformEvent } from "../database/Projection.ts"
import type { ReplayRepository, LoggedEvent } from "./ReplayRepository.ts"
import { fullEvent, isOfOrder, type StreamEvent } from "./StreamEvent.ts"

/** Events of one page. */
export const PAGE_EVENTS = 256

/** Pages kept, so that many who come back at once are served from one reading. */
const MAX_PAGES = 64

const toLogged = (recorded: Recorded<PlatformEvent>): LoggedEvent => ({
  seq: recorded.seq,
  recorded: isOfOrder(recorded) ? recorded : undefined
})

/** The log of events as it is told, by pages that begin at multiples of {@link PAGE_EVENTS}. */
export class Replay {
  readonly #log: ReplayRepository["Service"]
  readonly #orders: PublicOrders["Service"]
  readonly #pages: Cache.Cache<number, ReadonlyArray<StreamEvent>, Unavailable>

  private constructor(
    log: ReplayRepository["Service"],
    orders: PublicOrders["Service"],
    pages: Cache.Cache<number, ReadonlyArray<StreamEvent>, Unavailable>
  ) {
    this.#log = log
    this.#orders = orders
    this.#pages = pages
  }

  static readonly make = Effect.fnUntraced(function* (
    log: ReplayRepository["Service"],
    orders: PublicOrders["Service"]
  ): Effect.fn.Return<Replay> {
    const pages = yield* Cache.makeWith(
      (page: number) => Effect.flatMap(log.read(page * PAGE_EVENTS, (page + 1) * PAGE_EVENTS), render(orders)),
      { capacity: MAX_PAGES, timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero) }
    )
    return new Replay(log, orders, pages)
  })

  /**
   * The events after a position up to the end of its page, at most up to `head`, which is known to be durable. Empty
   * where the position is not before it.
   */
  after(position: number, head: number): Effect.Effect<ReadonlyArray<StreamEvent>, Unavailable> {
    if (position >= head) return Effect.succeed([])
    const page = Math.floor(position / PAGE_EVENTS)
    const end = (page + 1) * PAGE_EVENTS
    if (end > head) return Effect.flatMap(this.#log.read(position, head), render(this.#orders))
    return Effect.map(Cache.get(this.#pages, page), (events) => events.filter(({ seq }) => seq > position))
  }

  /** Events that were just recorded, as they are told. */
  render(events: ReadonlyArray<Recorded<PlatformEvent>>): Effect.Effect<ReadonlyArray<StreamEvent>, Unavailable> {
    return render(this.#orders)(events.map(toLogged))
  }
}

const render = (orders: PublicOrders["Service"]) =>
  Effect.fnUntraced(function* (
    events: ReadonlyArray<LoggedEvent>
  ): Effect.fn.Return<ReadonlyArray<StreamEvent>, Unavailable> {
    const ofOrders = events.flatMap(({ recorded }) => (recorded === undefined ? [] : [recorded]))
    const changes = yield* orders.changes(ofOrders)
    const told = new Map(
      ofOrders.flatMap((recorded, index) => {
        const change = changes[index]
        return change === undefined ? [] : [[recorded.seq, fullEvent(recorded, change)] as const]
      })
    )
    return events.map(({ seq }) => told.get(seq) ?? { seq, frames: [] })
  })
