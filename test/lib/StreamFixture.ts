import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { TestClock } from "effect/testing"
import { encodeEvent } from "../../engine/actor/EventChain.ts"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { decodeArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import { ARENA_STREAM_PATH } from "../../src/api/ArenaStreamProtocol.ts"
import { CommitmentRepository } from "../../src/arena/CommitmentRepository.ts"
import { OrderRepository } from "../../src/arena/OrderRepository.ts"
import { OrderSnapshotRepository } from "../../src/arena/OrderSnapshotRepository.ts"
import { PublicOrders } from "../../src/arena/PublicOrders.ts"
import { RecordedPrices } from "../../src/arena/RecordedPrices.ts"
import { Settings } from "../../src/Config.ts"
import { Unavailable } from "../../src/database/DatabaseError.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { CommitListener } from "../../engine/journal/GroupWriter.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import { HttpServer } from "../../src/http/HttpServer.ts"
import { ApiError } from "../../src/api/ApiError.ts"
import { ArenaStream } from "../../src/stream/ArenaStream.ts"
import { Replay } from "../../src/stream/StreamReplay.ts"
import { ReplayRepository } from "../../src/stream/ReplayRepository.ts"
import { isOfOrder } from "../../src/stream/StreamEvent.ts"
import { type Caller, StreamAuthentication } from "../../src/stream/StreamAuthentication.ts"
import { type NewTicket, TicketRepository } from "../../src/stream/TicketRepository.ts"
import { Tickets } from "../../src/stream/Tickets.ts"
import { NO_ACCOUNTS } from "./NoAccounts.ts"
import { layer as server } from "./ProbeServer.ts"

export const EPOCH = "e".repeat(32)

type Entry = Recorded<PlatformEvent>

/** A log of events in memory, and whoever listens to it. */
export class MemoryLog {
  readonly events: Array<Entry> = []
  readonly listeners: Array<CommitListener> = []
  /** Whether reading it fails. */
  isAway = false
  /** How often it was read. */
  reads = 0

  /** Commits events, as the journal tells of them. */
  commit(...events: ReadonlyArray<PlatformEvent>): void {
    const recorded = events.map((event) => this.#record(event))
    for (const listener of this.listeners) listener(recorded, NO_ACCOUNTS)
  }

  #record(event: PlatformEvent): Entry {
    const stream = streamOf(event)
    const version = (this.events.findLast((each) => each.stream === stream)?.version ?? 0) + 1
    const entry = { seq: this.events.length + 1, stream, version, event, hash: "" }
    this.events.push(entry)
    return entry
  }

  /** An effect that takes some time, and fails while the log is away. */
  read<A>(value: () => A): Effect.Effect<A, Unavailable> {
    return Effect.andThen(
      Effect.yieldNow,
      Effect.suspend(() => {
        this.reads += 1
        return this.isAway ? Effect.fail(new Unavailable({ reason: "away" })) : Effect.sync(value)
      })
    )
  }
}

const streamOf = (event: PlatformEvent): string => {
  if (event._tag === "OrderOpened") return orderStream(event.terms.orderId)
  if (event._tag === "CommitmentSubmitted") return orderStream(event.commitment.orderId)
  return "orderId" in event ? orderStream(event.orderId) : "funds"
}

const journalOf = (log: MemoryLog) =>
  Layer.succeed(
    UnitOfWork,
    UnitOfWork.of({
      append: () => Effect.die("nothing is appended here"),
      tell: () => {
        throw new Error("nothing is appended here")
      },
      onCommit: (listener) => Effect.sync(() => void log.listeners.push(listener)),
      onAppended: () => Effect.void,
      lastSeq: Effect.sync(() => log.events.length),
      isCertain: () => true,
      writes: Effect.void
    })
  )

const replayOf = (log: MemoryLog) =>
  Layer.succeed(
    ReplayRepository,
    ReplayRepository.of({
      epoch: Effect.succeed(EPOCH),
      read: (after, through) =>
        log.read(() =>
          log.events
            .slice(after, through)
            .map((entry) => ({ seq: entry.seq, recorded: isOfOrder(entry) ? entry : undefined }))
        )
    })
  )

const nothing = Effect.die("no rows here")

const noPrices = Layer.succeed(
  RecordedPrices,
  RecordedPrices.of({ after: () => nothing, lastBefore: () => nothing, newest: nothing })
)

/** Orders whose past is the log; they have no rows. */
const ordersOf = (log: MemoryLog): Layer.Layer<PublicOrders> =>
  PublicOrders.layer.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.orDie(Settings.layerOf({})),
        Layer.succeed(
          OrderSnapshotRepository,
          OrderSnapshotRepository.of({
            // A snapshot takes as long as the test.
            consistently: () => Effect.never,
            select: () => nothing,
            past: (needs) =>
              needs.length === 0
                ? Effect.succeed(new Map())
                : log.read(
                    () =>
                      new Map(
                        needs.map(({ before, openingOnly, orderId }) => [
                          orderId,
                          log.events
                            .filter(({ stream }) => stream === orderStream(orderId))
                            .slice(0, openingOnly ? 1 : before - 1)
                            .map(({ event }) => decodeArenaEvent(encodeEvent(event)))
                        ])
                      )
                  )
          })
        ),
        Layer.succeed(
          OrderRepository,
          OrderRepository.of({
            list: () => nothing,
            find: () => nothing,
            findAll: () => nothing,
            live: nothing,
            offered: nothing,
            existing: () => nothing,
            openCounts: nothing,
            events: () => nothing
          })
        ),
        Layer.succeed(
          CommitmentRepository,
          CommitmentRepository.of({
            ofOrder: () => nothing,
            ofOrders: () => nothing,
            stakes: () => nothing,
            ofBot: () => nothing,
            mine: () => nothing
          })
        )
      )
    )
  )

/** What is told of a log in memory. */
export const replayer = (log: MemoryLog, maxLength?: number): Effect.Effect<Replay> =>
  Effect.gen(function* () {
    return yield* Replay.make(yield* ReplayRepository, yield* PublicOrders, maxLength)
  }).pipe(Effect.provide(Layer.merge(replayOf(log), ordersOf(log))))

/** Who is known to the fixture, by token, until the token is withdrawn. */
export class Door {
  readonly withdrawn = new Set<string>()

  callerOf(company: string): Caller {
    return {
      principal: {
        userId: company,
        clientId: "cli",
        companyId: company,
        role: "buyer",
        scopes: [],
        kind: "user",
        status: "active"
      },
      isStillValid: Effect.sync(() => !this.withdrawn.has(company)),
      proof: { authorization: `Bearer ${company}` }
    }
  }

  get layer(): Layer.Layer<StreamAuthentication> {
    return Layer.succeed(
      StreamAuthentication,
      StreamAuthentication.of({
        watch: () => Effect.void,
        callerOf: (headers) => {
          const token = headers.get("authorization")?.replace("Bearer ", "")
          if (token === undefined) return Effect.undefined
          return this.withdrawn.has(token)
            ? Effect.fail(new ApiError("unauthorized"))
            : Effect.succeed(this.callerOf(token))
        }
      })
    )
  }
}

const ticketsInMemory = () => {
  const kept = new Map<string, NewTicket>()
  return Layer.succeed(
    TicketRepository,
    TicketRepository.of({
      keep: (ticket) =>
        Effect.sync(() => {
          kept.set(ticket.hash.toString(), ticket)
          return true
        }),
      take: (hash) =>
        Effect.sync(() => {
          const found = kept.get(hash.toString())
          kept.delete(hash.toString())
          return found
        })
    })
  )
}

export interface StreamFixture {
  /** Where clients connect. */
  readonly url: string
  readonly stream: ArenaStream["Service"]
  readonly log: MemoryLog
  readonly door: Door
  readonly tickets: Tickets["Service"]
  /** Commits the events, as the journal tells of them. */
  readonly commit: (...events: ReadonlyArray<PlatformEvent>) => void
  /** Lets so much of the stream's time pass. */
  readonly pass: (millis: number) => Effect.Effect<void>
  readonly stop: Effect.Effect<void>
}

/** A server with the stream on a log in memory. Its time passes by itself, or where asked only as the fixture says. */
export const streamFixture = Effect.fnUntraced(function* (
  options: { readonly isStill?: boolean } = {}
): Effect.fn.Return<StreamFixture, never, Scope.Scope> {
  const log = new MemoryLog()
  const door = new Door()
  const time = yield* TestClock.make()
  const clock = options.isStill === true ? Layer.succeed(Clock.Clock, time) : Layer.empty
  const scope = yield* Scope.make()
  const stop = Scope.close(scope, Exit.void)
  yield* Effect.addFinalizer(() => stop)
  const stream = ArenaStream.layer.pipe(
    Layer.provideMerge(Tickets.layer.pipe(Layer.provide(Layer.merge(ticketsInMemory(), layerWebCrypto)))),
    Layer.provide(Layer.mergeAll(journalOf(log), replayOf(log), ordersOf(log), noPrices, door.layer)),
    Layer.provide(clock)
  )
  const program = server().pipe(Layer.provideMerge(stream))
  const context = yield* Effect.orDie(Layer.buildWithScope(Layer.fresh(program), scope))
  return {
    url: `${Context.get(context, HttpServer).url}${ARENA_STREAM_PATH}`,
    stream: Context.get(context, ArenaStream),
    log,
    door,
    tickets: Context.get(context, Tickets),
    commit: (...events) => log.commit(...events),
    pass: (millis) => time.adjust(millis),
    stop
  }
})
