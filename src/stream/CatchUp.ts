import { type Clock, Effect, Schedule, Semaphore } from "effect"
import { elapsed } from "../../engine/journal/ElapsedTime.ts"
import { CLOSE } from "../api/ArenaStreamProtocol.ts"
import type { PublicOrders } from "../arena/PublicOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { Connection } from "./Connection.ts"
import type { Feed } from "./Feed.ts"
import type { PriceLog } from "./PriceLog.ts"
import type { Replay } from "./StreamReplay.ts"
import type { SequencedFeed } from "./SequencedFeed.ts"
import { echo, say, subscribed } from "./ServerFrames.ts"
import { MAX_SILENCE, type SlowConsumers } from "./SlowConsumers.ts"
import type { Subscription } from "./Subscription.ts"
import type { Arrival } from "./ToldElsewhere.ts"

/** The most characters of missed events that are sent at once when a client joins the live feed. */
const MAX_JOIN_LENGTH = 128 * 1_024

/** Snapshots read at once: each holds a connection of the database. */
const MAX_SNAPSHOTS = 4

/** How often, and at what interval, the database is asked again before a connection is told to come back later. */
export const PATIENCE = Schedule.max([Schedule.spaced("250 millis"), Schedule.recurs(40)])

/** The pause between two looks at a log that does not yet show a commit. */
export const LOG_DELAY = "50 millis"

const UNAVAILABLE = "The stream cannot be read now: connect again a little later."

/** All sources of what a client hears. */
export interface Sources {
  readonly clock: Clock.Clock
  readonly epoch: string
  /** What becomes of an event of which a client may have been told elsewhere; undefined if it may not. */
  readonly arrivalOf: ((seq: number) => Effect.Effect<Arrival>) | undefined
  readonly plain: Feed
  readonly full: SequencedFeed
  readonly replay: Replay
  readonly prices: PriceLog
  readonly orders: PublicOrders["Service"]
  readonly slow: SlowConsumers
}

/** Sends a client what it missed, at its own pace, until it joins the live feed without a gap or a duplicate. */
export class CatchUp {
  readonly #sources: Sources
  /** Held while somebody reads a snapshot. */
  readonly snapshots = Semaphore.makeUnsafe(MAX_SNAPSHOTS)

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** The feed that tells a subscription about live events. */
  feedOf(subscription: Subscription): Feed {
    return subscription.needsState ? this.#sources.full.feed : this.#sources.plain
  }

  /** From the client's place on. */
  follow(connection: Connection): Effect.Effect<void> {
    const following = this.#patiently(connection, this.#follow(connection))
    return connection.subscription === undefined ? following : this.feedOf(connection.subscription).expected(following)
  }

  /** From the state of the orders on. */
  fromSnapshot(connection: Connection, id: string | undefined): Effect.Effect<void> {
    const snapshot = this.snapshots.withPermit(this.#inTime(connection, this.#snapshot(connection, id)))
    return Effect.andThen(this.#patiently(connection, snapshot), this.follow(connection))
  }

  /** Every price after a place among them, or the newest ones and all after them, as long as the client wants them. */
  prices(connection: Connection, after: number | undefined): Effect.Effect<void> {
    return this.#patiently(connection, this.#prices(connection, after))
  }

  readonly #prices = (connection: Connection, after: number | undefined) =>
    Effect.gen({ self: this }, function* () {
      const { prices } = this.#sources
      const patiently = <A>(reading: Effect.Effect<A, Unavailable>) => Effect.retry(reading, PATIENCE)
      // What was missed of the log comes first.
      while (connection.isCatchingUp) yield* Effect.sleep(LOG_DELAY)
      let place = after
      while (connection.subscription?.numbersPrices === true) {
        const told = yield* patiently(place === undefined ? prices.newest : prices.after(place))
        yield* this.#inTime(connection, connection.tellPrices(told))
        if (place !== undefined && told.length === 0) yield* prices.news
        place = told.at(-1)?.seq ?? place ?? 0
      }
    })

  readonly #follow = (connection: Connection) =>
    Effect.gen({ self: this }, function* () {
      const { plain, replay } = this.#sources
      for (;;) {
        yield* this.#inTime(connection, connection.hasRoom)
        const { subscription } = connection
        if (subscription === undefined) return
        const feed = this.feedOf(subscription)
        const { position } = connection.place
        const recent = feed.after(position)
        if (recent !== undefined && connection.lengthOf(recent) <= MAX_JOIN_LENGTH) {
          connection.tellNow(recent)
          connection.sit(feed, connection.place)
          return
        }
        const events = recent ?? (yield* Effect.retry(replay.after(position, plain.position), PATIENCE))
        yield* events.length === 0 ? Effect.sleep(LOG_DELAY) : Effect.yieldNow
        yield* this.#inTime(connection, connection.tell(events))
      }
    })

  readonly #snapshot = (connection: Connection, id: string | undefined) => {
    const { clock, epoch, orders } = this.#sources
    const filter = {
      assetTypes: connection.subscription?.assetTypes ?? [],
      orderIds: connection.subscription?.orderIds ?? []
    }
    const now = () => clock.currentTimeMillisUnsafe()
    return orders.snapshot(filter, {
      begin: (seq) =>
        Effect.sync(() => {
          connection.begin(seq)
          if (connection.subscription === undefined) return
          connection.unanswered = undefined
          connection.send(say(subscribed(connection.subscription, id, { epoch, seq }), now()))
        }),
      page: (orders, page, pages) =>
        Effect.map(connection.hasRoom, () => {
          const { position: seq } = connection.place
          const data = { ...echo(id), epoch, seq, page, pages, orders }
          connection.send(say({ type: "snapshot", data }, now()))
        })
    })
  }

  /** Closes a connection that does not read its requested events in time. */
  #inTime<A, E>(connection: Connection, effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.timeoutOrElse(effect, {
      duration: MAX_SILENCE,
      orElse: () => {
        const { clock, slow } = this.#sources
        slow.drop(connection.socket, elapsed(clock))
        return Effect.interrupt
      }
    })
  }

  /** Closes a connection because the database could not be read for it. */
  #patiently<E>(connection: Connection, effect: Effect.Effect<void, E>): Effect.Effect<void> {
    const close = Effect.sync(() => connection.socket.close(CLOSE.tryAgainLater, UNAVAILABLE))
    return Effect.matchEffect(effect, {
      onSuccess: () => Effect.void,
      onFailure: () => Effect.andThen(close, Effect.interrupt)
    })
  }
}
