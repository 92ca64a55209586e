import type { Server } from "bun"
import { Clock, Context, Effect, Layer, Metric } from "effect"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../database/Projection.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import {
  type Attachment,
  make as makeRoute,
  type Socket,
  type WebSocketRoute,
  WebSocketRoutes
} from "../http/WebSocketRoutes.ts"
import { type ArenaMessage, errorMessage, messageOf, priceMessage, type PriceUpdate } from "./ArenaMessage.ts"
import { PRICE_INTERVAL_MILLIS, PriceConflation } from "./PriceConflation.ts"

export const ARENA_STREAM_PATH = "/ws/arena"

/** Every connection's topic. */
const PUBLIC = "arena"

/** Bytes that may wait for one client. Beyond them it is closed: nothing is ever left out silently. */
const MAX_BUFFERED_BYTES = 256 * 1024

/** Messages published between two looks at what waits, far below what the runtime itself buffers. */
const MESSAGES_BETWEEN_LOOKS = 256

/** Messages that one connection may send which the stream does not understand. */
const MAX_STRAY_MESSAGES = 60

/** The client reads slower than the arena speaks. */
const TOO_SLOW = 4408

/** RFC 6455, 7.4.1: the client does not keep to the rules. */
const POLICY_VIOLATION = 1008

const TAKES_NO_MESSAGES = "This stream sends every public event by itself and takes no messages."

const connections = Metric.gauge("emporion_stream_connections", { description: "Open connections to /ws/arena" })

const tooSlow = Metric.counter("emporion_stream_closed_slow", {
  description: "Connections to /ws/arena closed because they read too slowly",
  incremental: true
})

/** Chooses none of the subprotocols that a client offers; without it the runtime would answer the first one. */
const NO_PROTOCOL = ""

/** What a connection carries. */
interface Client {
  /** Messages it sent that were not understood. */
  stray: number
}

/**
 * The arena's public events on `/ws/arena`: each connected client gets each of them once, after its commit, in the order
 * of commits. Specification 6.4.
 *
 * A message is serialized once and handed to the runtime's fan-out. A client that does not keep up is closed with 4408
 * and slows nobody.
 */
export class ArenaStream extends Context.Service<
  ArenaStream,
  {
    /** Tells of a price, at most once a second an asset and only when it changed. Does not block. */
    readonly publishPrice: (update: PriceUpdate) => void
    /** Where clients connect. */
    readonly route: WebSocketRoute
    /** Clients connected now. */
    readonly size: () => number
  }
>()("emporion/stream/ArenaStream") {
  /** The stream, and the server's WebSocket routes with it. */
  static readonly layer = Layer.effect(
    WebSocketRoutes,
    Effect.map(ArenaStream, ({ route }) => [route])
  ).pipe(
    Layer.provideMerge(
      Layer.effect(
        ArenaStream,
        Effect.suspend(() => make)
      )
    )
  )
}

/** The connected clients and the way to all of them. */
class Audience {
  readonly #sockets = new Set<Socket<Client>>()
  readonly #context: Context.Context<never>
  #server: Server<Attachment> | undefined = undefined

  constructor(context: Context.Context<never>) {
    this.#context = context
  }

  get size(): number {
    return this.#sockets.size
  }

  listening(server: Server<Attachment>): void {
    this.#server = server
  }

  add(socket: Socket<Client>): void {
    this.#sockets.add(socket)
    socket.subscribe(PUBLIC)
    this.#count()
  }

  remove(socket: Socket<Client>): void {
    this.#sockets.delete(socket)
    this.#count()
  }

  /** Sends to everybody, in order. */
  publish(messages: Iterable<ArenaMessage>): void {
    if (this.#server === undefined || this.#sockets.size === 0) return
    let published = 0
    for (const message of messages) {
      this.#server.publish(PUBLIC, JSON.stringify(message))
      published += 1
      if (published % MESSAGES_BETWEEN_LOOKS === 0) this.#closeSlow()
    }
    if (published > 0) this.#closeSlow()
  }

  send(socket: Socket<Client>, message: ArenaMessage): void {
    socket.send(JSON.stringify(message))
    this.#closeIfSlow(socket)
  }

  #closeSlow(): void {
    for (const socket of this.#sockets) this.#closeIfSlow(socket)
  }

  #closeIfSlow(socket: Socket<Client>): void {
    if (socket.getBufferedAmount() <= MAX_BUFFERED_BYTES) return
    this.#sockets.delete(socket)
    socket.unsubscribe(PUBLIC)
    socket.close(TOO_SLOW, "This client reads too slowly.")
    tooSlow.updateUnsafe(1, this.#context)
  }

  #count(): void {
    connections.updateUnsafe(this.#sockets.size, this.#context)
  }
}

const routeOf = (audience: Audience, clock: Clock.Clock): WebSocketRoute<Client> => ({
  path: ARENA_STREAM_PATH,
  authorize: () => Effect.sync(() => ({ state: { stray: 0 }, protocol: NO_PROTOCOL })),
  listening: (server) => audience.listening(server),
  open: (socket) => audience.add(socket),
  close: (socket) => audience.remove(socket),
  message: (socket) => {
    const { state } = socket.data
    state.stray += 1
    if (state.stray > MAX_STRAY_MESSAGES) socket.close(POLICY_VIOLATION, TAKES_NO_MESSAGES)
    else audience.send(socket, errorMessage(TAKES_NO_MESSAGES, clock.currentTimeMillisUnsafe()))
  },
  drain: () => {},
  shutdown: Effect.void
})

function* publicMessages(events: ReadonlyArray<Recorded<PlatformEvent>>): Generator<ArenaMessage> {
  for (const { event } of events) {
    const message = messageOf(event)
    if (message !== undefined) yield message
  }
}

const make = Effect.gen(function* () {
  const journal = yield* UnitOfWork
  const clock = yield* Clock.Clock
  const audience = new Audience(yield* Effect.context<never>())
  const prices = new PriceConflation()

  yield* journal.onCommit((events) => audience.publish(publicMessages(events)))
  yield* Effect.sync(() => audience.publish(prices.due(clock.currentTimeMillisUnsafe()).map(priceMessage))).pipe(
    Effect.delay(PRICE_INTERVAL_MILLIS),
    Effect.forever,
    Effect.forkScoped
  )

  return ArenaStream.of({
    publishPrice: (update) => {
      const due = prices.offer(update, clock.currentTimeMillisUnsafe())
      if (due !== undefined) audience.publish([priceMessage(due)])
    },
    route: makeRoute(routeOf(audience, clock)),
    size: () => audience.size
  })
})
