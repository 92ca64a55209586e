import { Context, Effect, Layer } from "effect"
import { ApiError } from "../api/ApiError.ts"
import { ARENA_STREAM_PATH, STREAM_PROTOCOL, TICKET_PROTOCOL_PREFIX } from "../api/ArenaStreamProtocol.ts"
import { make as makeRoute, type WebSocketRoute, WebSocketRoutes } from "../http/WebSocketRoutes.ts"
import type { PriceUpdate } from "./ArenaMessage.ts"
import type { ConnectionState } from "./Connection.ts"
import * as LiveStream from "./LiveStream.ts"
import type { PulledStream } from "./PulledStream.ts"
import { type Caller, StreamAuthentication } from "./StreamAuthentication.ts"
import * as StreamSource from "./StreamSource.ts"
import { Tickets } from "./Tickets.ts"

const UNKNOWN_TICKET = "The ticket is unknown, used or expired: ask for a new one."

/** Chooses none of the subprotocols that a client offers; without it the runtime would answer the first one. */
const NO_PROTOCOL = ""

/**
 * The arena's event stream on `/ws/arena`: each client gets each event that it wants once, after its commit, in the order
 * of commits, and can prove it. Specification 6.4.
 *
 * A message is serialized once for all equal subscriptions and handed to the runtime's fan-out. A client that does not
 * keep up is closed with 4408 and slows nobody.
 */
export class ArenaStream extends Context.Service<
  ArenaStream,
  {
    /** Sends a price to clients, at most once a second for an asset and only if it changed. Does not block. */
    readonly publishPrice: (update: PriceUpdate) => void
    /** The same for readers that ask for each piece. */
    readonly pulled: PulledStream
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

/** Finds out who connects: by a ticket among the offered subprotocols, or by the headers. */
const admit = Effect.gen(function* () {
  const authentication = yield* StreamAuthentication
  const tickets = yield* Tickets
  const context = yield* Effect.context<never>()
  const decide = Effect.fnUntraced(function* ({ headers }: Request) {
    const offered = (headers.get("sec-websocket-protocol") ?? "").split(",").map((name) => name.trim())
    const protocol = offered.includes(STREAM_PROTOCOL) ? STREAM_PROTOCOL : NO_PROTOCOL
    const ticket = offered.find((name) => name.startsWith(TICKET_PROTOCOL_PREFIX))?.slice(TICKET_PROTOCOL_PREFIX.length)
    const caller: Caller | undefined =
      ticket === undefined ? yield* authentication.callerOf(headers) : yield* tickets.redeem(ticket)
    if (ticket !== undefined && caller === undefined) {
      return yield* Effect.fail(new ApiError("unauthorized", UNKNOWN_TICKET))
    }
    return { state: { caller, connection: undefined }, principal: caller?.principal, protocol }
  })
  return (request: Request) => Effect.provideContext(decide(request), context)
})

const make = Effect.gen(function* () {
  const { watch } = yield* StreamAuthentication
  const { connections, ...stream } = yield* LiveStream.make({ name: "", watch })
  const route: WebSocketRoute<ConnectionState> = { path: ARENA_STREAM_PATH, authorize: yield* admit, ...connections }
  return ArenaStream.of({ ...stream, route: makeRoute(route) })
}).pipe(Effect.provide(StreamSource.ofJournal))
