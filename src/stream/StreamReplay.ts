import { Cache, Duration, Effect, Exit } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PublicOrders } from "../arena/PublicOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { ReplayRepository, LoggedEvent } from "./ReplayRepository.ts"
import { fullEvent, isOfOrder, lengthOf, type StreamEvent } from "./StreamEvent.ts"

/** Events of one page. */
export const PAGE_EVENTS = 256

/** Pages kept, so that many who come back at once are served from one reading. */
const MAX_PAGES = 64

/** Characters of the pages kept, unless a single one has more. */
export const MAX_PAGES_LENGTH = 16_777_216

const toLogged = (recorded: Recorded<PlatformEvent>): LoggedEvent => ({
  seq: recorded.seq,
  recorded: isOfOrder(recorded) ? recorded : undefined
})

type Pages = Cache.Cache<number, ReadonlyArray<StreamEvent>, Unavailable>

/** The lengths of the pages that were read last. */
class Shelf {
  readonly #lengths = new Map<number, number>()
  readonly #maxLength: number
  #length = 0

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Takes a page that was read. Returns the pages that were read longest ago and no longer fit beside it. */
  put(page: number, events: ReadonlyArray<StreamEvent>): ReadonlyArray<number> {
    this.#drop(page)
    const length = events.reduce((sum, event) => sum + lengthOf(event), 0)
    const crowdedOut: Array<number> = []
    for (const other of this.#lengths.keys()) {
      if (this.#lengths.size < MAX_PAGES && this.#length + length <= this.#maxLength) break
      this.#drop(other)
      crowdedOut.push(other)
    }
    this.#lengths.set(page, length)
    this.#length += length
    return crowdedOut
  }

  #drop(page: number): void {
    this.#length -= this.#lengths.get(page) ?? 0
    this.#lengths.delete(page)
  }
}

/** The log of events as the stream sends it, in pages that begin at multiples of {@link PAGE_EVENTS}. */
export class Replay {
  readonly #log: ReplayRepository["Service"]
  readonly #orders: PublicOrders["Service"]
  readonly #pages: Pages

  private constructor(log: ReplayRepository["Service"], orders: PublicOrders["Service"], pages: Pages) {
    this.#log = log
    this.#orders = orders
    this.#pages = pages
  }

  static readonly make = Effect.fnUntraced(function* (
    log: ReplayRepository["Service"],
    orders: PublicOrders["Service"],
    maxLength = MAX_PAGES_LENGTH
  ): Effect.fn.Return<Replay> {
    const shelf = new Shelf(maxLength)
    const pages: Pages = yield* Cache.makeWith(
      (page: number) =>
        log.read(page * PAGE_EVENTS, (page + 1) * PAGE_EVENTS).pipe(
          Effect.flatMap(render(orders)),
          Effect.tap((events) =>
            Effect.forEach(shelf.put(page, events), (crowdedOut) => Cache.invalidate(pages, crowdedOut))
          )
        ),
      { capacity: MAX_PAGES, timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero) }
    )
    return new Replay(log, orders, pages)
  })

  /**
   * The events after a position up to the end of its page, at most up to `head`, which is known to be durable. Empty if
   * the position is not before it.
   */
  after(position: number, head: number): Effect.Effect<ReadonlyArray<StreamEvent>, Unavailable> {
    if (position >= head) return Effect.succeed([])
    const page = Math.floor(position / PAGE_EVENTS)
    const end = (page + 1) * PAGE_EVENTS
    if (end > head) return Effect.flatMap(this.#log.read(position, head), render(this.#orders))
    return Effect.map(Cache.get(this.#pages, page), (events) => events.filter(({ seq }) => seq > position))
  }

  /** Events that were just recorded, as the stream sends them. */
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
