import { Clock, Effect, FiberSet, Metric, Queue, type Scope } from "effect"
import { elapsed } from "../../engine/journal/ElapsedTime.ts"
import { CLOSE, HEARTBEAT_MILLIS } from "../api/ArenaStreamProtocol.ts"
import { PublicOrders } from "../arena/PublicOrders.ts"
import { RecordedPrices } from "../arena/RecordedPrices.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { Attachment, WebSocketRoute } from "../http/WebSocketRoutes.ts"
import type { RuntimeServer } from "../runtime/ServerRuntime.ts"
import type { PriceUpdate } from "./ArenaMessage.ts"
import { CatchUp, type Sources } from "./CatchUp.ts"
import { Connection, type ConnectionState, type StreamSocket } from "./Connection.ts"
import { Conversation } from "./Conversation.ts"
import { Feed } from "./Feed.ts"
import { gaugeShare } from "./GaugeShare.ts"
import type { Place } from "./Group.ts"
import { PRICE_INTERVAL_MILLIS, PriceConflation } from "./PriceConflation.ts"
import { PriceLog } from "./PriceLog.ts"
import { PulledStream } from "./PulledStream.ts"
import { ReplayRepository } from "./ReplayRepository.ts"
import { SequencedFeed } from "./SequencedFeed.ts"
import { say } from "./ServerFrames.ts"
import { SlowConsumers } from "./SlowConsumers.ts"
import type { StreamAuthentication } from "./StreamAuthentication.ts"
import { plainEvent, priceFrame } from "./StreamEvent.ts"
import { Replay } from "./StreamReplay.ts"
import { StreamSource } from "./StreamSource.ts"
import { makeArrivals } from "./ToldElsewhere.ts"

/** Connections whose callers are looked at together. */
const CHECKED_AT_ONCE = 64

/** How often to check the connections, in milliseconds. Every third check sends a heartbeat. */
const CARE_MILLIS = HEARTBEAT_MILLIS / 3

/** Changes of users that may wait for a check. The regular check finds further ones. */
const MAX_CHANGES = 1_000

/** When clients may come back after a shutdown, in milliseconds. */
const RECONNECT_AFTER = 2_000

const EXPIRED = "What this connection authenticated with has expired: connect again."

const connections = Metric.gauge("emporion_stream_connections", { description: "Open connections to /ws/arena" })

const tooSlow = Metric.counter("emporion_stream_closed_slow", {
  description: "Connections to /ws/arena closed because they read too slowly",
  incremental: true
})

const buffered = Metric.gauge("emporion_stream_buffered_bytes", {
  description:
    "Bytes that wait to be read by clients of /ws/arena, those of clients closed as too slow in the last 15 s included"
})

/** How a stream is told apart from another one of its process. */
export interface LiveStreamOptions {
  /** Of its topics, which the server's fan-out tells apart by their names. */
  readonly name: string
  /** Tells whose authentication may no longer hold. */
  readonly watch: StreamAuthentication["Service"]["watch"]
}

/** The connections of the stream, as a route of WebSockets hears of them. */
export type StreamConnections = Required<
  Pick<WebSocketRoute<ConnectionState>, "open" | "close" | "message" | "drain" | "pong" | "listening" | "shutdown">
>

/** The stream of those who were let in. */
export interface LiveStream {
  readonly publishPrice: (update: PriceUpdate) => void
  readonly pulled: PulledStream
  readonly connections: StreamConnections
  /** Clients connected now. */
  readonly size: () => number
}

/** The fan-out of the server, once it listens. */
class FanOut {
  #server: RuntimeServer<Attachment> | undefined = undefined

  listening(server: RuntimeServer<Attachment>): void {
    this.#server = server
  }

  readonly publish = (topic: string, text: string): void => void this.#server?.publish(topic, text)
}

/** What an audience tells of its size. */
interface AudienceMetrics {
  readonly connected: (count: number) => void
  readonly closedSlow: () => void
}

const audienceMetrics = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const connected = yield* gaugeShare(connections)
  return { connected, closedSlow: () => tooSlow.updateUnsafe(1, context) } satisfies AudienceMetrics
})

/** The open connections, and the regular work for each of them. */
class Audience {
  readonly #connections = new Set<Connection>()
  readonly #sources: Sources
  readonly #conversation: Conversation
  readonly #metrics: AudienceMetrics

  constructor(sources: Sources, conversation: Conversation, metrics: AudienceMetrics) {
    this.#sources = sources
    this.#conversation = conversation
    this.#metrics = metrics
  }

  get size(): number {
    return this.#connections.size
  }

  open(socket: StreamSocket): void {
    const { clock, slow } = this.#sources
    const connection = new Connection(socket, socket.data.state.caller, clock.currentTimeMillisUnsafe())
    socket.data.state.connection = connection
    this.#connections.add(connection)
    slow.watch(
      socket,
      () => connection.isCatchingUp,
      () => {
        this.#metrics.closedSlow()
        this.#remove(connection)
      }
    )
    this.#conversation.greet(connection)
    this.#metrics.connected(this.size)
  }

  close(connection: Connection): void {
    this.#sources.slow.forget(connection.socket)
    this.#remove(connection)
  }

  /** Closes connections that depend on an authentication that no longer holds, of one user if named. */
  recheck(userId?: string): Effect.Effect<void> {
    const isMeant = ({ caller }: Connection) => userId === undefined || caller?.principal.userId === userId
    return Effect.suspend(() =>
      Effect.forEach([...this.#connections].filter(isMeant), (connection) => this.#recheckOne(connection), {
        concurrency: CHECKED_AT_ONCE,
        discard: true
      })
    )
  }

  sendAll(text: string): void {
    for (const { socket } of this.#connections) socket.send(text)
  }

  #recheckOne(connection: Connection): Effect.Effect<void> {
    if (connection.caller === undefined) return Effect.void
    return Effect.map(connection.caller.isStillValid, (isValid) => {
      if (isValid) return
      connection.caller = undefined
      if (typeof connection.subscription?.userId !== "string") return
      this.#remove(connection)
      connection.socket.close(CLOSE.authenticationExpired, EXPIRED)
    })
  }

  #remove(connection: Connection): void {
    connection.rise()
    connection.endPrices()
    connection.subscription = undefined
    this.#connections.delete(connection)
    this.#metrics.connected(this.size)
  }
}

const connectionsOf = (
  audience: Audience,
  conversation: Conversation,
  sources: Sources,
  fanOut: FanOut
): StreamConnections => {
  const of = (socket: StreamSocket, use: (connection: Connection) => void): void => {
    const { connection } = socket.data.state
    if (connection !== undefined) use(connection)
  }
  const goodbye = (): void => {
    const data = { reconnect_after_ms: RECONNECT_AFTER }
    audience.sendAll(say({ type: "server_shutdown", data }, sources.clock.currentTimeMillisUnsafe()))
  }
  return {
    listening: (server) => fanOut.listening(server),
    open: (socket) => audience.open(socket),
    close: (socket) => of(socket, (connection) => audience.close(connection)),
    message: (socket, sent) => of(socket, (connection) => conversation.receive(connection, sent)),
    drain: (socket) => of(socket, (connection) => connection.drained()),
    pong: (socket, data) => sources.slow.answered(socket, data),
    shutdown: Effect.sync(goodbye)
  }
}

const makeSources = Effect.fnUntraced(function* (fanOut: FanOut, name: string) {
  const clock = yield* Clock.Clock
  const log = yield* ReplayRepository
  const orders = yield* PublicOrders
  const { end, lastSeq } = yield* StreamSource
  const epoch = yield* log.epoch
  const position = yield* lastSeq
  const slow = new SlowConsumers(yield* gaugeShare(buffered))
  const replay = yield* Replay.make(log, orders)
  const prices = yield* PriceLog.make(yield* RecordedPrices)
  const full = new SequencedFeed(`${name}full`, replay, position, fanOut.publish, (bytes) =>
    slow.sent(bytes, elapsed(clock))
  )
  const plain = new Feed(`${name}plain`, position, fanOut.publish)
  const arrivalOf = end === undefined ? undefined : yield* makeArrivals({ end, position: () => plain.position })
  return { arrivalOf, clock, epoch, plain, full, replay, prices, orders, slow } satisfies Sources
})

/** Background work: sends the prices that were held back, signs of life, and checks the connections. */
const keepGoing = Effect.fnUntraced(function* (
  sources: Sources,
  audience: Audience,
  prices: Effect.Effect<void>,
  watch: LiveStreamOptions["watch"]
) {
  const { clock, epoch, full, plain, slow } = sources
  const now = () => clock.currentTimeMillisUnsafe()
  const textOf = ({ position, prev }: Place): string =>
    say({ type: "heartbeat", data: { epoch, seq: position, prev } }, now())
  let rounds = 0
  const care = Effect.sync(() => {
    rounds += 1
    slow.check(elapsed(clock))
    if (rounds % 3 === 0) {
      plain.heartbeat(textOf)
      full.feed.heartbeat(textOf)
    }
  })
  yield* full.run.pipe(Effect.forkScoped)
  yield* prices.pipe(Effect.delay(PRICE_INTERVAL_MILLIS), Effect.forever, Effect.forkScoped)
  yield* care.pipe(Effect.delay(CARE_MILLIS), Effect.forever, Effect.forkScoped)
  yield* audience.recheck().pipe(Effect.delay(CARE_MILLIS), Effect.forever, Effect.forkScoped)
  const changed = yield* Queue.sliding<string | undefined>(MAX_CHANGES)
  yield* watch((userId) => void Queue.offerUnsafe(changed, userId))
  yield* Queue.take(changed).pipe(
    Effect.flatMap((userId) => audience.recheck(userId)),
    Effect.forever,
    Effect.forkScoped
  )
})

/** The arena's stream from its source of events, as long as the scope lives. */
export const make = Effect.fnUntraced(function* ({
  name,
  watch
}: LiveStreamOptions): Effect.fn.Return<
  LiveStream,
  Unavailable,
  StreamSource | ReplayRepository | PublicOrders | RecordedPrices | Scope.Scope
> {
  const fanOut = new FanOut()
  const sources = yield* makeSources(fanOut, name)
  const { clock, full, plain, slow } = sources
  const now = () => clock.currentTimeMillisUnsafe()
  const catchUp = new CatchUp(sources)
  const conversation = new Conversation(sources, catchUp, yield* FiberSet.makeRuntime())
  const audience = new Audience(sources, conversation, yield* audienceMetrics)
  const prices = new PriceConflation()
  const tellPrice = (update: PriceUpdate): void => {
    const frame = priceFrame(update)
    plain.tellPrice(frame)
    full.feed.tellPrice(frame)
    slow.sent(frame.head.length, elapsed(clock))
  }

  const { lastSeq, onCommit } = yield* StreamSource
  yield* onCommit({
    isHeard: () => audience.size > 0,
    told: ({ events, recorded, seq }) => {
      if (plain.isHeard) {
        for (const event of events())
          for (const bytes of plain.tell(plainEvent(event))) slow.sent(bytes, elapsed(clock))
      } else {
        plain.skipTo(seq)
      }
      full.offer(recorded, seq)
    }
  })
  // What came meanwhile was told to nobody.
  const position = yield* lastSeq
  plain.skipTo(position)
  full.offer(undefined, position)
  const due = Effect.sync(() => prices.due(now()).forEach(tellPrice))
  yield* keepGoing(sources, audience, due, watch)

  return {
    publishPrice: (update) => {
      sources.prices.recorded()
      const due = prices.offer(update, now())
      if (due !== undefined) tellPrice(due)
    },
    pulled: new PulledStream(sources, catchUp),
    connections: connectionsOf(audience, conversation, sources, fanOut),
    size: () => audience.size
  }
})
